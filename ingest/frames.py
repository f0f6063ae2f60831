"""From PDF user space to the page as it is read: one affine map for the page's /Rotate and the run of its text."""

from __future__ import annotations

from dataclasses import dataclass

from contracts.base import BBox

Affine = tuple[float, float, float, float, float, float]
"""`x' = a·x + c·y + e`, `y' = b·x + d·y + f`."""


@dataclass(frozen=True, slots=True)
class Frame:
    """The read page: its size, the map from user space, and how far the shown page was turned."""

    width: float
    height: float
    turn: int
    affine: Affine

    def place(self, x: float, y: float) -> tuple[float, float]:
        a, b, c, d, e, f = self.affine
        return a * x + c * y + e, b * x + d * y + f

    def box(self, x0: float, y0: float, x1: float, y1: float) -> BBox:
        ax, ay = self.place(x0, y0)
        bx, by = self.place(x1, y1)
        return (min(ax, bx), min(ay, by), max(ax, bx), max(ay, by))

    def heading(self, dx: float, dy: float) -> int:
        """Where a user-space direction points on the page: 0 right, 90 up, 180 left, 270 down (degrees)."""
        a, b, c, d, _, _ = self.affine
        x, y = a * dx + c * dy, b * dx + d * dy
        if abs(x) >= abs(y):
            return 0 if x >= 0 else 180
        return 270 if y > 0 else 90


def shown_frame(box: BBox, rotation: int) -> Frame:
    """The page as a viewer shows it. `box` is left, bottom, right, top in user space; `rotation` the page's /Rotate."""
    left, bottom, right, top = box
    width, height = right - left, top - bottom
    if rotation == 90:
        return Frame(height, width, 0, (0, 1, 1, 0, -bottom, -left))
    if rotation == 180:
        return Frame(width, height, 0, (-1, 0, 0, 1, right, -bottom))
    if rotation == 270:
        return Frame(height, width, 0, (0, -1, -1, 0, top, right))
    return Frame(width, height, 0, (1, 0, 0, -1, -left, top))


def turned(frame: Frame, turn: int) -> Frame:
    """`frame` turned clockwise by `turn` degrees."""
    a, b, c, d, e, f = frame.affine
    if turn == 90:
        return Frame(frame.height, frame.width, 90, (-b, a, -d, c, frame.height - f, e))
    if turn == 180:
        return Frame(frame.width, frame.height, 180, (-a, -b, -c, -d, frame.width - e, frame.height - f))
    if turn == 270:
        return Frame(frame.height, frame.width, 270, (b, -a, d, -c, f, frame.width - e))
    return frame

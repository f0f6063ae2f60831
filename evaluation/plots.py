"""Plots as SVG text: no plotting library, no script, readable in a light and a dark page (`currentColor`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

GOOD, BAD, ACCENT, SECOND = "#2f855a", "#c53030", "#2b6cb0", "#b7791f"
_FONT = 'font-family="system-ui, sans-serif" font-size="11" fill="currentColor"'


def _svg(width: float, height: float, body: Sequence[str], title: str) -> str:
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" role="img"'
    return f'{head} style="max-width:100%;height:auto"><title>{escape(title)}</title>{"".join(body)}</svg>'


def _text(x: float, y: float, text: str, anchor: str = "start") -> str:
    return f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}" {_FONT}>{escape(text)}</text>'


def _box(x: float, y: float, width: float, height: float, fill: str, tip: str = "") -> str:
    title = f"<title>{escape(tip)}</title>" if tip else ""
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{max(width, 0):g}" height="{height:g}" fill="{fill}" rx="1">{title}</rect>'
    )


def survival_matrix(
    title: str, identifiers: Sequence[str], stages: Mapping[str, Sequence[str]], offset: float = 0
) -> tuple[str, float]:
    """Identifiers as columns, stages as rows, a green cell where it is present. Returns markup and its height (px)."""
    left, cell, step = 110.0, 17.0, 46.0
    body = [_text(4, offset + 14, title)]
    body += [_text(left + i * step + step / 2, offset + 32, name[-7:], "middle") for i, name in enumerate(identifiers)]
    for n, (stage, present) in enumerate(stages.items()):
        y = offset + 38 + n * (cell + 2)
        body.append(_text(4, y + 12, stage))
        body += [
            _box(left + i * step, y, step - 3, cell, GOOD if name in present else BAD, f"{name} at {stage}")
            for i, name in enumerate(identifiers)
        ]
    return "".join(body), 38 + len(stages) * (cell + 2) + 10


def survival_chart(questions: Sequence[tuple[str, Sequence[str], Mapping[str, Sequence[str]]]]) -> str:
    """One matrix below the other: (question, identifiers, stage to identifiers present)."""
    height, width, body = 0.0, 420.0, []
    for title, identifiers, stages in questions:
        part, used = survival_matrix(title, identifiers, stages, height)
        body.append(part)
        height += used
        width = max(width, 120 + 46.0 * len(identifiers), 8.0 * len(title))
    return _svg(width, height or 20, body, "Identifiers that survive each stage")


def bars(title: str, values: Sequence[tuple[str, float]], unit: str = "", top: float | None = None) -> str:
    """Horizontal bars with their figures; `top` fixes the end of the scale (1 for shares)."""
    left, room = 230.0, 360.0
    end = top or max((v for _, v in values), default=1.0) or 1.0
    body = [_text(4, 14, title)]
    for n, (name, value) in enumerate(values):
        y = 24 + n * 20
        body.append(_text(left - 6, y + 12, name, "end"))
        body.append(_box(left, y, room * min(value / end, 1), 15, ACCENT, f"{name}: {value:g}{unit}"))
        body.append(_text(left + room * min(value / end, 1) + 5, y + 12, f"{value:.4g}{unit}"))
    return _svg(left + room + 80, 30 + 20 * len(values), body, title)


def waterfall(title: str, stages: Sequence[tuple[str, float]]) -> str:
    """Stages one after the other, each starting where the one before ended (ms)."""
    left, room = 120.0, 430.0
    total = sum(ms for _, ms in stages) or 1.0
    body, start = [_text(4, 14, f"{title}: {total:.1f} ms")], 0.0
    for n, (name, ms) in enumerate(stages):
        y = 24 + n * 20
        body.append(_text(left - 6, y + 12, name, "end"))
        body.append(_box(left + room * start / total, y, max(room * ms / total, 1), 15, SECOND, f"{name}: {ms:g} ms"))
        body.append(_text(left + room * (start + ms) / total + 5, y + 12, f"{ms:.2f}"))
        start += ms
    return _svg(left + room + 60, 30 + 20 * len(stages), body, title)


def curves(title: str, lines: Sequence[tuple[str, Sequence[tuple[float, float]]]], x_name: str) -> str:
    """Lines over x and y in [0, 1]."""
    left, top, size_x, size_y = 40.0, 24.0, 420.0, 190.0
    body = [_text(4, 14, title)]
    for tick in (0.0, 0.25, 0.5, 0.75, 1.0):
        y = top + size_y * (1 - tick)
        body.append(f'<path d="M{left:g} {y:g}h{size_x:g}" stroke="currentColor" stroke-opacity="0.15"/>')
        body.append(_text(left - 5, y + 4, f"{tick:g}", "end"))
        body.append(_text(left + size_x * tick, top + size_y + 15, f"{tick:g}", "middle"))
    for n, (name, points) in enumerate(lines):
        colour = (GOOD, ACCENT, SECOND)[n % 3]
        path = " ".join(f"{left + size_x * x:.1f},{top + size_y * (1 - y):.1f}" for x, y in points)
        body.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        body.append(_box(left + size_x + 15, top + 20 * n, 12, 12, colour))
        body.append(_text(left + size_x + 32, top + 20 * n + 10, name))
    body.append(_text(left + size_x / 2, top + size_y + 32, x_name, "middle"))
    return _svg(left + size_x + 130, top + size_y + 40, body, title)

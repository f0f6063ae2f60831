"""Characters to words, by baseline and gap.

A gap wider than 0.15 of the font size parts two words even where the file has no space character: payroll exports
place every word by itself and rely on the gap (`DISTRICT` `DIRECTOR`).
"""

from __future__ import annotations

from itertools import pairwise

from ingest.glyphs import Glyph
from ingest.layout import Word

_GAP = 0.15
"""Of the font size."""
_SAME_LINE = 0.2
"""Of the font size: how far baselines of one line may differ."""
_DOTS = frozenset(".·…")
_LEADER = 4
"""Dots in a row, with or without spaces, that make a leader; three are an ellipsis."""
_NEXT = 1.2
"""Of the font size: dots further apart are marks of their own (`..` for no data)."""
_DOUBLED = 0.12
"""Of the font size: the same character again this near is printed twice to look bold."""


def build_words(glyphs: list[Glyph]) -> list[Word]:
    """Words in rough reading order: by baseline, then from left to right."""
    upright = [g for g in glyphs if g.heading == 0]
    across = [g for g in glyphs if g.heading != 0]
    words = [word for line in _baselines(upright) for word in _split(line)]
    for heading in (90, 180, 270):
        part = [g for g in across if g.heading == heading]
        words += [word for line in _baselines(part) for word in _split_across(line, heading)]
    return words


def _baselines(glyphs: list[Glyph]) -> list[list[Glyph]]:
    lines: list[list[Glyph]] = []
    for glyph in sorted(glyphs, key=lambda g: g.along):
        if lines and glyph.along - lines[-1][-1].along <= _SAME_LINE * min(glyph.size, lines[-1][-1].size):
            lines[-1].append(glyph)
        else:
            lines.append([glyph])
    return lines


def _split(line: list[Glyph]) -> list[Word]:
    runs: list[list[Glyph]] = [[]]
    ordered = sorted(line, key=lambda g: g.x0)
    leaders = _leaders(ordered)
    for i, glyph in enumerate(ordered):
        if glyph.text.isspace() or i in leaders:
            runs.append([])
        elif runs[-1] and _apart(runs[-1], glyph):
            runs.append([glyph])
        elif not _doubled(runs[-1], glyph):
            runs[-1].append(glyph)
    return [_word(run) for run in runs if run]


def _leaders(ordered: list[Glyph]) -> set[int]:
    """Dots that lead the eye from a label to its number; they are no text."""
    found: set[int] = set()
    run: list[int] = []
    for i, glyph in enumerate([*ordered, None]):
        if glyph is not None and glyph.text.isspace() and run:
            continue
        if (
            glyph is not None
            and glyph.text in _DOTS
            and not (run and glyph.x0 - ordered[run[-1]].x1 > _NEXT * glyph.size)
        ):
            run.append(i)
            continue
        if len(run) >= _LEADER:
            found.update(run)
        run = [i] if glyph is not None and glyph.text in _DOTS else []
    return found


def _apart(run: list[Glyph], glyph: Glyph) -> bool:
    return glyph.x0 - run[-1].x1 > _GAP * min(glyph.size, run[-1].size)


def _doubled(run: list[Glyph], glyph: Glyph) -> bool:
    return any(g.text == glyph.text and abs(g.x0 - glyph.x0) <= _DOUBLED * glyph.size for g in run[-3:])


def _word(run: list[Glyph]) -> Word:
    return Word(
        text="".join(g.text for g in run),
        x0=min(g.x0 for g in run),
        top=min(g.top for g in run),
        x1=max(g.x1 for g in run),
        bottom=max(g.bottom for g in run),
        baseline=max(g.along for g in run),
        size=max(g.size for g in run),
        bold=all(g.bold for g in run),
    )


def _split_across(line: list[Glyph], heading: int) -> list[Word]:
    """Words of text that does not run in reading direction, in the direction in which it does."""
    sign = 1 if heading == 270 else -1
    ordered = sorted(line, key=(lambda g: -g.x0) if heading == 180 else (lambda g: sign * (g.top + g.bottom)))
    runs: list[list[Glyph]] = [ordered[:1]]
    for before, glyph in pairwise(ordered):
        gap = before.x0 - glyph.x1 if heading == 180 else max(glyph.top - before.bottom, before.top - glyph.bottom)
        if glyph.text.isspace() or gap > _GAP * glyph.size or before.text.isspace():
            runs.append([])
        if not glyph.text.isspace():
            runs[-1].append(glyph)
    words = [_word([g for g in run if not g.text.isspace()]) for run in runs if any(not g.text.isspace() for g in run)]
    return [word._replace(upright=False, baseline=word.bottom) for word in words]

"""What a table is called: its caption, or the nearest heading above it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ingest.lines import TextLine
from ingest.tables.guards import CAPTION

_REACH = 4
"""Lines above the table among which its title is looked for."""
_LARGER = 1.15
"""A heading is set larger than its table by this, or bold."""
_FAR = 5.0
"""Line heights: what stands further up is not this table's."""
_LONG = 110
"""Characters: a longer line is prose, unless it is a caption."""
_ASIDE = re.compile(r"^[(\[].*[)\]]$|^(?:rs\.?|inr|usd|eur|€|\$|%|in )\b.{0,30}$|^continued", re.I)


def find_title(above: Sequence[TextLine], top: float, size: float) -> str:
    """The title among the lines above a table whose first line begins at `top` in letters of `size`.

    `above`: lines that belong to no table, from top to bottom. "" when there is no title.
    """
    near = list(above[-_REACH:])
    for i in range(len(near) - 1, -1, -1):
        if CAPTION.match(near[i].text):
            return " ".join(line.text for line in near[i:] if not _ASIDE.match(line.text))
    for line in reversed(near):
        if top - line.bottom > _FAR * line.size:
            return ""
        heading = line.size > _LARGER * size or all(w.bold for w in line)
        if heading or not (_ASIDE.match(line.text) or _is_prose(line.text)):
            return line.text
    return ""


def _is_prose(text: str) -> bool:
    return len(text) > _LONG or text.rstrip().endswith((".", ";", ",")) or text[:1].islower()

"""Prose chunks: pieces of at most `chunk_size` characters, never across a section or a table.

LangChain's splitter decides where to cut: at paragraphs, else sentences, else lines, else words. It returns texts
without places, and searching for a text that repeats gives wrong ones. So it is given the text with every letter
replaced by a character that stands for its position; what it cuts is decided by white space and full stops alone.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import groupby
from typing import TYPE_CHECKING

from contracts.chunks import SECTION_PATH, Chunk
from contracts.documents import Document, Line, ParsedDocument
from ingest.naming import chunk_id, prefix_of, section_paths

if TYPE_CHECKING:
    from langchain_text_splitters import RecursiveCharacterTextSplitter

_SEPARATORS = (r"\n\n", r"(?<=[.!?])\s+", r"\n", r" ", "")
_KEPT = frozenset(" \n.!?")
"""Characters that the separators look at."""
_FIRST, _POSITIONS = 0x10000, 0x100000
"""Private meanings for the code points above the basic plane, none of which is white space or a full stop."""
_LETTERHEAD = 2
"""Lines above the first heading that do not make a chunk of their own."""
_PARAGRAPH_GAP = 0.6
"""White space between two lines, as a share of their height, from which a new paragraph begins."""

Block = tuple[str | None, list[Line]]
"""A section and lines of it that follow one another."""


def chunk_prose(parsed: ParsedDocument, skip: frozenset[tuple[int, int]], size: int, overlap: int) -> Iterator[Chunk]:
    """Prose of the document in order; `ordinal` is left 0.

    `skip`: (page, line) of lines that are not prose although no table holds them.
    """
    for section_id, path, block in prose_blocks(parsed, skip):
        yield from _chunks_of(parsed.document, block, section_id, path, size, overlap)


def prose_blocks(
    parsed: ParsedDocument, skip: frozenset[tuple[int, int]]
) -> Iterator[tuple[str | None, str, list[Line]]]:
    """Section id, path of titles and lines of every run of prose that stays within one section, in order."""
    paths = section_paths(parsed.outline)
    parents = {section.parent for section in parsed.outline}
    for section_id, block in _with_letterhead(_blocks(parsed.lines, skip)):
        path = paths.get(section_id or "", "")
        if section_id in parents and _only_heading(block, path):
            continue  # it says nothing, and its subsections are found by it
        yield section_id, path, block


def _blocks(lines: Sequence[Line], skip: frozenset[tuple[int, int]]) -> Iterator[Block]:
    """Runs of prose lines of one section with no table in between."""
    shown = (line for line in lines if line.text.strip() and (line.page, line.line) not in skip)
    for (section_id, table_id), run in groupby(shown, key=lambda line: (line.section_id, line.table_id)):
        if table_id is None:
            yield section_id, list(run)


def _with_letterhead(blocks: Iterable[Block]) -> Iterator[Block]:
    """A line or two above the first heading belong to what they head."""
    head: list[Line] = []
    for section_id, block in blocks:
        follows = bool(head) and (block[0].page, block[0].line) == (head[-1].page, head[-1].line + 1)
        if head and not follows:
            yield None, head
        if section_id is None and block[0].page == 1 and len(block) <= _LETTERHEAD:
            head = block
            continue
        yield section_id, [*head, *block] if follows else block
        head = []
    if head:
        yield None, head


def _only_heading(block: Sequence[Line], path: str) -> bool:
    title = path.rsplit(SECTION_PATH, 1)[-1]
    return len(" ".join(line.text for line in block).split()) <= len(title.split())


def _chunks_of(
    document: Document, block: Sequence[Line], section_id: str | None, title: str, size: int, overlap: int
) -> Iterator[Chunk]:
    text, starts = joined(block)
    for start, end in split_spans(text, size, overlap):
        first, last = block[bisect_right(starts, start) - 1], block[bisect_right(starts, end - 1) - 1]
        piece = text[start:end]
        yield Chunk(
            chunk_id=chunk_id(document.doc_id, "prose", f"{block[0].page}.{block[0].line}+{start}"),
            doc_id=document.doc_id,
            kind="prose",
            text=piece,
            prefix=prefix_of(document, *unsaid(title, piece)),
            ordinal=0,
            page_start=first.page,
            page_end=last.page,
            line_start=first.line,
            line_end=last.line,
            section_id=section_id,
            section_title=title,
        )


def unsaid(path: str, piece: str) -> list[str]:
    """The titles above the piece, without the one that it begins with."""
    titles = path.split(SECTION_PATH) if path else []
    return titles[:-1] if titles and piece.startswith(titles[-1]) else titles


def joined(block: Sequence[Line]) -> tuple[str, list[int]]:
    """The lines as one text, a blank line between paragraphs, and where each line starts in it."""
    starts: list[int] = []
    parts: list[str] = []
    length = 0
    for before, line in zip((None, *block), block, strict=False):
        gap = "" if before is None else ("\n\n" if _paragraph(before, line) else "\n")
        text = line.text.strip()
        starts.append(length + len(gap))
        parts += (gap, text)
        length += len(gap) + len(text)
    return "".join(parts), starts


def _paragraph(before: Line, line: Line) -> bool:
    gap = line.top - before.bottom
    return before.page == line.page and gap > _PARAGRAPH_GAP * max(line.bottom - line.top, before.bottom - before.top)


def split_spans(text: str, size: int, overlap: int) -> list[tuple[int, int]]:
    """Half-open ranges of `text` as the splitter cuts it, white space at the ends left out."""
    if len(text) <= size:
        inside = text.strip()
        start = text.find(inside)
        return [(start, start + len(inside))] if inside else []
    ruler = "".join(c if c in _KEPT else chr(_FIRST + i % _POSITIONS) for i, c in enumerate(text))
    spans: list[tuple[int, int]] = []
    for piece in _splitter(size, overlap).split_text(ruler):
        at = _position(piece, spans[-1][0] if spans else 0)
        if at is not None:
            spans.append((at, at + len(piece)))
    return spans


def _position(piece: str, after: int) -> int | None:
    """Where `piece` starts, read off its first letter; None for a piece of full stops only."""
    for index, c in enumerate(piece):
        if c not in _KEPT:
            start = ord(c) - _FIRST - index
            return start + -(-(after - start) // _POSITIONS) * _POSITIONS  # the first such position from `after` on
    return None


@lru_cache(maxsize=8)
def _splitter(size: int, overlap: int) -> RecursiveCharacterTextSplitter:
    # Imported when there is something to split: it brings langchain-core, half a second of imports.
    from langchain_text_splitters import RecursiveCharacterTextSplitter

    return RecursiveCharacterTextSplitter(
        chunk_size=size, chunk_overlap=overlap, separators=list(_SEPARATORS), is_separator_regex=True
    )

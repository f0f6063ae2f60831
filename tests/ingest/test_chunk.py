from __future__ import annotations

import itertools
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_text_splitters import RecursiveCharacterTextSplitter

from contracts.chunks import Chunk
from contracts.documents import Document, Line, ParsedDocument, Section
from ingest.chunk import chunk_prose, split_spans

SEPARATORS = [r"\n\n", r"(?<=[.!?])\s+", r"\n", r" ", ""]


def line(page: int, number: int, text: str, section: str | None = None, table: str | None = None) -> Line:
    return Line(
        page=page,
        line=number,
        text=text,
        x0=0,
        top=12.0 * number,
        x1=100,
        bottom=12.0 * number + 10,
        section_id=section,
        table_id=table,
    )


def parsed(lines: Sequence[Line], outline: Sequence[Section] = ()) -> ParsedDocument:
    document = Document(doc_id="d" * 64, name="Leave_Policy.pdf", source="/p", title="Leave Policy", doc_type="policy")
    return ParsedDocument(document=document, lines=tuple(lines), outline=tuple(outline), tables=())


def chunks(document: ParsedDocument, size: int = 1200, overlap: int = 200) -> list[Chunk]:
    return list(chunk_prose(document, frozenset(), size, overlap))


@settings(max_examples=200, deadline=None)
@given(
    st.lists(
        st.sampled_from(["same", "same same.", "Wörter", "a", ".", "...", "x" * 70, "\n", "\n\n", "  ", "¿Sí?", "😀"]),
        max_size=120,
    ),
    st.sampled_from([(50, 0), (50, 20), (100, 30)]),
)
def test_spans_are_where_the_splitter_cuts_even_when_the_text_repeats(words: list[str], sizes: tuple[int, int]) -> None:
    text = " ".join(words)
    size, overlap = sizes
    splitter = RecursiveCharacterTextSplitter(
        chunk_size=size, chunk_overlap=overlap, separators=SEPARATORS, is_separator_regex=True
    )
    spans = split_spans(text, size, overlap)
    expected = [p for p in splitter.split_text(text) if len(text) <= size or any(c not in " \n.!?" for c in p)]
    assert [text[a:b] for a, b in spans] == expected
    assert all(first[0] < second[0] for first, second in itertools.pairwise(spans))


def test_no_letter_of_a_long_text_is_lost_and_no_chunk_is_too_long() -> None:
    text = " ".join(f"word{n}" + ("." if n % 11 == 0 else "") for n in range(3000))
    spans = split_spans(text, 300, 60)
    covered = {i for a, b in spans for i in range(a, b)}
    assert all(i in covered for i, c in enumerate(text) if not c.isspace())
    assert max(b - a for a, b in spans) <= 300
    overlaps = [first[1] - second[0] for first, second in itertools.pairwise(spans)]
    assert max(overlaps) <= 60


def test_positions_stay_exact_past_the_number_of_code_points() -> None:
    text = "abcd " * 220_000  # 1.1 million characters, more than stand above the basic plane
    spans = split_spans(text, 1000, 0)
    assert spans[-1][1] == len(text) - 1
    assert [a for a, _ in spans] == sorted({a for a, _ in spans})
    assert sum(b - a for a, b in spans) >= len(text) - 2 * len(spans)


def test_a_chunk_knows_the_pages_and_lines_it_came_from() -> None:
    text = [line(1 + n // 10, 1 + n % 10, f"Line number {n:02d} says something.") for n in range(20)]
    found = chunks(parsed(text), size=100, overlap=0)
    assert (
        found[0].text
        == "Line number 00 says something.\nLine number 01 says something.\nLine number 02 says something."
    )
    assert (found[0].page_start, found[0].line_start, found[0].page_end, found[0].line_end) == (1, 1, 1, 3)
    across = next(c for c in found if c.page_start != c.page_end)
    assert across.text.startswith("Line number 09") and (across.line_start, across.line_end) == (10, 2)


def test_a_repeated_line_is_cited_where_it_stands() -> None:
    text = [line(1, n, "Nil return filed by the employer.") for n in range(1, 41)]
    found = chunks(parsed(text), size=70, overlap=0)
    assert [(c.line_start, c.line_end) for c in found] == [(n, n + 1) for n in range(1, 41, 2)]


def test_a_chunk_never_crosses_a_section_or_a_table() -> None:
    outline = [
        Section(section_id="a", level=1, title="1 Leave", page=1, line=1),
        Section(section_id="b", level=1, title="2 Travel", page=1, line=6),
    ]
    text = [
        line(1, 1, "1 Leave", "a"),
        line(1, 2, "Leave is granted.", "a"),
        line(1, 3, "| 5 | 6 |", "a", table="t"),
        line(1, 4, "| 7 | 8 |", "a", table="t"),
        line(1, 5, "After the table.", "a"),
        line(1, 6, "2 Travel", "b"),
        line(1, 7, "Travel is booked.", "b"),
    ]
    found = chunks(parsed(text, outline))
    assert [(c.text, c.section_id, c.section_title) for c in found] == [
        ("1 Leave\nLeave is granted.", "a", "1 Leave"),
        ("After the table.", "a", "1 Leave"),
        ("2 Travel\nTravel is booked.", "b", "2 Travel"),
    ]


def test_a_heading_alone_is_no_chunk_when_its_subsections_carry_it() -> None:
    outline = [
        Section(section_id="a", level=1, title="4 Non-compete", page=1, line=1),
        Section(section_id="b", level=2, title="4.1 Period", page=1, line=2, parent="a"),
        Section(section_id="c", level=1, title="5 Reserved", page=1, line=4),
    ]
    text = [
        line(1, 1, "4 Non-compete", "a"),
        line(1, 2, "4.1 Period", "b"),
        line(1, 3, "Twelve months.", "b"),
        line(1, 4, "5 Reserved", "c"),
    ]
    found = chunks(parsed(text, outline))
    assert [c.text for c in found] == ["4.1 Period\nTwelve months.", "5 Reserved"]
    assert "4 Non-compete" in found[0].prefix
    assert found[0].section_title == "4 Non-compete › 4.1 Period"


def test_a_letterhead_joins_what_it_heads_but_a_preamble_does_not() -> None:
    outline = [Section(section_id="a", level=1, title="Tax Invoice", page=1, line=2)]
    text = [line(1, 1, "Acme Limited"), line(1, 2, "Tax Invoice", "a"), line(1, 3, "For services.", "a")]
    assert [(c.text, c.line_start) for c in chunks(parsed(text, outline))] == [
        ("Acme Limited\nTax Invoice\nFor services.", 1)
    ]
    preamble = [line(1, n, f"Preamble {n}.") for n in (1, 2, 3)] + [line(1, 4, "Tax Invoice", "a")]
    assert [c.section_id for c in chunks(parsed(preamble, outline))] == [None, "a"]


def test_a_blank_line_stands_between_paragraphs_only() -> None:
    near, far = line(1, 1, "One sentence"), line(1, 2, "goes on.")
    after = far.model_copy(update={"line": 3, "text": "New paragraph.", "top": 60.0, "bottom": 70.0})
    assert chunks(parsed([near, far, after]))[0].text == "One sentence\ngoes on.\n\nNew paragraph."


def test_the_prefix_names_the_document_once() -> None:
    assert chunks(parsed([line(1, 1, "Text.")]))[0].prefix == "Leave Policy"  # file name and type say nothing new


def test_ids_are_stable_and_differ_by_place() -> None:
    text = [line(1, n, "Nil return filed by the employer.") for n in range(1, 41)]
    first, second = chunks(parsed(text), 70, 0), chunks(parsed(text), 70, 0)
    assert [c.chunk_id for c in first] == [c.chunk_id for c in second]
    assert len({c.chunk_id for c in first}) == 20


@pytest.mark.parametrize("text", ["", "   ", "\n\n"])
def test_white_space_is_no_chunk(text: str) -> None:
    assert split_spans(text, 100, 10) == []

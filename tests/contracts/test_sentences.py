from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contracts.sentences import split_sentences


def sentences(text: str, language: str = "en") -> list[str]:
    return [text[start:end] for start, end in split_sentences(text, language)]


ENGLISH = [
    ["The fee is Rs. 45,000.00 per month.", "It is paid under Art. 5 of the contract, see No. 3 and Fig. 2."],
    ["Is it allowed?", "No.", "Employees must ask first."],
    ["Acme Pvt. Ltd. is the buyer.", "We pay Acme Ltd.", "The rest is paid by Mr. J. K. Shah, e.g. on Jan. 5."],
    ["Bring pens, paper, etc.", "The office opens at 9 a.m.", "It closes at 6 p.m. Monday to Friday."],
    ['He said "Stop."', "Then he left.", "It costs 5.", "12 people came."],
    ["Version 2.0 is out.", "Write to hr@example.com or see www.example.com today!", "Why?!", "Because."],
    ["See Sec. IV and Annex. B of INV. No. STL/2025-26/003.", "Rates (incl. 18.5% tax) apply."],
    ["Wait... he paid.", "The total of Q1 vs. Q2 is -1,234.50."],
]
SPANISH = [
    ["El precio es de 1.234,56 euros.", "Según el art. 5 y la pág. 3, el Sr. Pérez paga.", "¿Quién paga?", "¡Nadie!"],
    ["La empresa es Acme S.A.", "El resto sigue.", "Vive en EE. UU. Madrid no cambia."],
    ["Véase el núm. 3 de la Dra. López.", "Incluye p. ej. Dietas, etc.", "Los viajes se pagan."],
]


@pytest.mark.parametrize("expected", ENGLISH, ids=lambda s: s[0][:25])
@pytest.mark.parametrize("joint", [" ", "\n", "\n\n"], ids=["space", "line", "paragraph"])
def test_english(expected: list[str], joint: str) -> None:
    assert sentences(joint.join(expected)) == expected


@pytest.mark.parametrize("expected", SPANISH, ids=lambda s: s[0][:25])
def test_spanish(expected: list[str]) -> None:
    assert sentences(" ".join(expected), "es-MX") == expected


def test_an_unknown_language_uses_the_rules_of_both() -> None:
    assert sentences("Mr. Shah y la Sra. Pérez pagan. Fin.", "pt") == ["Mr. Shah y la Sra. Pérez pagan.", "Fin."]


def test_wrapped_lines_stay_and_headings_and_list_items_end() -> None:
    text = (
        "1. Scope\n"
        "This contract covers the supply of goods by the Seller to the\n"
        "Buyer and is binding. It ends on 31.03.2026.\n"
        "Travel\n"
        "The following are paid:\n"
        "(a) fares;\n"
        "(b) meals up to Rs. 500\n"
        "- tips"
    )
    assert sentences(text) == [
        "1. Scope",
        "This contract covers the supply of goods by the Seller to the\nBuyer and is binding.",
        "It ends on 31.03.2026.",
        "Travel",
        "The following are paid:",
        "(a) fares;",
        "(b) meals up to Rs. 500",
        "- tips",
    ]


def test_table_rows_in_markdown_are_one_each() -> None:
    assert sentences("| a | b. C |\n| 1 | 2 |") == ["| a | b. C |", "| 1 | 2 |"]


@pytest.mark.parametrize("text", ["", "  \n\n ", "\t"])
def test_nothing_in_nothing_out(text: str) -> None:
    assert split_sentences(text, "en") == []


PIECES = st.sampled_from(
    [
        "Rs. ",
        "No. ",
        "Art. 5",
        "The ",
        "the ",
        ". ",
        "... ",
        "\n",
        "\n\n",
        "\n- ",
        "1. ",
        "(a) ",
        "? ",
        "¿Qué",
        "A. ",
        "x",
    ]
)


@given(st.lists(PIECES, max_size=30).map("".join) | st.text(max_size=80), st.sampled_from(["en", "es", "de"]))
def test_spans_are_ordered_trimmed_and_lose_nothing(text: str, language: str) -> None:
    spans = split_sentences(text, language)
    covered = [i for start, end in spans for i in range(start, end)]
    assert covered == sorted(set(covered))
    assert all(text[i].isspace() for i in set(range(len(text))) - set(covered))
    assert all(text[start:end] == text[start:end].strip() != "" for start, end in spans)

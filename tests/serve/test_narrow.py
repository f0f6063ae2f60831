import pytest

from contracts.chunks import Chunk, SparseVector
from contracts.documents import Document
from contracts.filters import Scope
from contracts.protocols import Hit
from contracts.questions import Question
from serve.lexicon import load_lexicon
from serve.name_finder import find_names
from serve.narrow import narrow
from serve.period_finder import find_periods


def document(name: str, period: str | None, title: str = "", doc_type: str = "payroll") -> Document:
    return Document(doc_id=name, name=f"{name}.pdf", source=name, doc_type=doc_type, period=period, title=title)


class Words:
    """One token, the text itself, so that the fake index can look it up."""

    fingerprint = "words"

    def encode_query(self, text: str) -> SparseVector:
        WORDS.append(text)
        return SparseVector(indices=(len(WORDS) - 1,), values=(1.0,))


WORDS: list[str] = []


class Texts:
    """Documents as one chunk each; a search finds those that share a word."""

    def __init__(self, texts: dict[str, str]) -> None:
        self.texts = texts

    def search(self, queries):
        return [self._hits(WORDS[q.sparse.indices[0]]) for q in queries]

    def _hits(self, asked: str):
        return [
            Hit(chunk=_chunk(doc, text), score=1.0, doc_name=doc, doc_type="payroll")
            for doc, text in self.texts.items()
            if set(asked.lower().split()) & set(text.lower().split())
        ]

    def chunks(self, scope):
        code = next(c.any_of[0] for c in scope.must if c.field == "codes")
        return tuple(_chunk(d, t) for d, t in self.texts.items() if code in t)


def _chunk(doc: str, text: str) -> Chunk:
    return Chunk(
        chunk_id=doc, doc_id=doc, kind="prose", text=text, ordinal=0, page_start=1, page_end=1, line_start=1, line_end=1
    )


LOTUS = (document("lotus-may", "2025-05"), document("lotus-june", "2025-06"))
ORCHID = (document("orchid-june", "2025-06"),)
NOTES = (document("notes", None),)
INDEX = Texts(
    {
        "lotus-may": "Lotus Textiles Weaving E001",
        "lotus-june": "Lotus Textiles Weaving",
        "orchid-june": "Orchid Mills Weaving",
        "notes": "general remarks",
    }
)


def narrowed(documents, **understood):
    question = Question(text="?", **understood)
    return narrow(question, documents, Scope(), INDEX, Words())


def ids(result):
    return {d.doc_id for d in result.documents}


def test_a_name_and_a_value_that_many_share_narrow_to_the_documents_with_both():
    result = narrowed(LOTUS + ORCHID, names=("Weaving", "Lotus Textiles"), periods=("2025-06",))
    assert ids(result) == {"lotus-june"}


def test_two_companies_compared_keep_both():
    assert ids(narrowed(LOTUS + ORCHID + NOTES, names=("Lotus Textiles", "Orchid Mills"))) == {
        "lotus-may",
        "lotus-june",
        "orchid-june",
    }


def test_a_period_keeps_documents_without_one():
    assert ids(narrowed(LOTUS + NOTES, periods=("2025-06",))) == {"lotus-june", "notes"}


def test_a_month_that_a_company_has_no_document_for_is_missing():
    result = narrowed(LOTUS + ORCHID + NOTES, names=("Lotus Textiles",), periods=("2025-07",))
    assert result.missing == ("no document of Lotus Textiles for 2025-07; there are: 2025-05, 2025-06",)


def test_a_kind_of_document_that_has_no_such_month_is_missing():
    result = narrowed(LOTUS + NOTES, doc_types=("payroll",), periods=("2025-07",))
    assert result.missing == ("no payroll for 2025-07; there are: 2025-05, 2025-06",)


def test_an_upload_of_that_month_without_a_type_leaves_the_month_open():
    untyped = (document("july", "2025-07", doc_type="unknown"), document("august", "2025-08", doc_type="unknown"))
    assert narrowed(LOTUS + untyped, doc_types=("payroll",), periods=("2025-07",)).missing == ()
    missing = narrowed(LOTUS + untyped, doc_types=("payroll",), periods=("2025-09",)).missing
    assert missing == ("no payroll for 2025-09; there are: 2025-05, 2025-06",)


def test_a_document_without_a_period_leaves_the_month_open():
    assert narrowed(NOTES, names=("general",), periods=("2025-07",)).missing == ()


def test_a_code_narrows_to_the_documents_that_hold_it():
    assert ids(narrowed(LOTUS + ORCHID, codes=("E001",))) == {"lotus-may"}
    assert ids(narrowed(LOTUS + ORCHID, codes=("E999",))) == {"lotus-may", "lotus-june", "orchid-june"}


def test_what_contradicts_itself_is_searched_everywhere_and_said():
    result = narrowed(LOTUS + ORCHID, names=("Orchid Mills",), codes=("E001",))
    assert result.relaxed
    assert len(result.documents) == 3


def test_a_month_is_no_part_of_a_name():
    lexicon = load_lexicon(None)
    assert find_names("Does the Lotus June 2025 register add up?", lexicon, LOTUS, ()) == ("Lotus",)


def test_may_beside_a_document_is_a_month_and_after_a_pronoun_a_verb():
    assert find_periods("Who is in the Lotus May register but not in June?", LOTUS) == ("2025-05", "2025-06")
    assert find_periods("Which claims may employees report?", LOTUS) == ()
    assert find_periods("When may you register?", LOTUS) == ()
    assert find_periods("Who joined in 2021 in the April 2025 register?", LOTUS) == ("2025-04",)
    assert find_periods("Who joined in 2021?", LOTUS) == ("2021",)
    assert find_periods("What were total assets as of December 31, 2022?", LOTUS) == ()
    assert find_periods("Net income for the three months ended 31 December 2022", LOTUS) == ()
    assert find_periods("Show the payslip of 30 April 2025", LOTUS) == ("2025-04",)


def test_two_names_joined_are_two_unless_a_document_is_called_so():
    lexicon = load_lexicon(None)
    asked = "How many people work at Orchid Mills and Lotus Textiles?"
    assert find_names(asked, lexicon, LOTUS, ()) == ("Orchid Mills", "Lotus Textiles")
    firm = (document("a", None, title="Smith and Sons Limited"),)
    assert find_names("What do we owe Smith and Sons?", lexicon, firm, ()) == ("Smith and Sons",)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("What is the interest rate of Amazon's Term Loan?", ("Amazon", "Term Loan")),
        ("Who is the CEO of Amazon?", ("CEO", "Amazon")),
        ("How much was Apple's iPhone revenue?", ("Apple", "iPhone")),
        ("What does the Bank of India charge?", ("Bank of India",)),
    ],
)
def test_an_owner_and_what_it_owns_are_two_names(text: str, names: tuple[str, ...]) -> None:
    assert find_names(text, load_lexicon(), LOTUS, ()) == names

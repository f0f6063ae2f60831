"""Golden sets: questions with typed answers, in YAML, validated with the line of every error.

A set that only asks semantic questions cannot see the failures that cost money (a wrong count, a
look-alike invoice), so a set without a count over a table, an exact identifier and a paraphrase is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from pydantic import Field, ValidationError, model_validator

from contracts.base import Record
from contracts.errors import InputError
from contracts.evidence import NotFoundReason
from evaluation.yamllines import line_of, parse_with_lines

CODE = re.compile(r"\b(?=[A-Z0-9/_-]*\d)(?=[A-Z0-9/_-]*[A-Z])[A-Z0-9]+(?:[/_-][A-Z0-9]+)*\b")
"""Letters and digits together, upper case, with the usual joints: ST001, STL/2025-26/003."""


class CountExpected(Record):
    kind: Literal["count"]
    value: int = Field(ge=0)


class NumberExpected(Record):
    """A sum, average, extreme, difference or share."""

    kind: Literal["sum", "number"]
    value: Decimal
    unit: str | None = None
    """ISO 4217 code or `percent`; checked only when the answer states a unit."""
    tolerance: Decimal = Decimal("0.005")
    """Absolute, in the unit of `value`."""


class ListExpected(Record):
    """All `items` and nothing else of their kind, in any order."""

    kind: Literal["list"]
    items: tuple[str, ...] = Field(min_length=1)


class LookupExpected(Record):
    """A cell or a field; numbers are compared by value."""

    kind: Literal["lookup"]
    value: str
    also_accepted: tuple[str, ...] = ()


class SpanExpected(Record):
    """Prose: every entry of `all_of` stands in the answer (`a|b` means either), none of `none_of` does."""

    kind: Literal["span"]
    all_of: tuple[str, ...] = Field(min_length=1)
    none_of: tuple[str, ...] = ()


class NotFoundExpected(Record):
    kind: Literal["not_found"]
    reasons: tuple[NotFoundReason, ...] = ()
    """Accepted reasons; empty accepts any."""


class ContradictionExpected(Record):
    """Both values are given, both documents cited and the answer is marked `contradiction`."""

    kind: Literal["contradiction"]
    values: tuple[str, ...] = Field(min_length=2)


Expected = Annotated[
    CountExpected
    | NumberExpected
    | ListExpected
    | LookupExpected
    | SpanExpected
    | NotFoundExpected
    | ContradictionExpected,
    Field(discriminator="kind"),
]


class GoldenQuestion(Record):
    id: str = Field(pattern=r"^[A-Za-z0-9_.-]+$")
    question: str = Field(min_length=1)
    expect: Expected
    documents: tuple[str, ...] = ()
    """File names that the answer must stand on."""
    rows: tuple[str, ...] = ()
    """One cell text for each table row the answer must cite, e.g. `ST001`."""
    evidence: tuple[str, ...] = ()
    """Texts that the retrieved evidence must hold; `rows` when empty."""
    identifiers: tuple[str, ...] = ()
    """Codes that must survive from extraction to the prompt."""
    filters: dict[str, tuple[str, ...]] = {}
    groups: tuple[str, ...] | None = None
    """Groups of the person who asks; none: sees everything."""
    paraphrase: bool = False
    """The wording shares no telling word with the passage that answers it."""

    @property
    def answerable(self) -> bool:
        return self.expect.kind != "not_found"

    @property
    def needles(self) -> tuple[str, ...]:
        return self.evidence or self.rows

    @model_validator(mode="after")
    def _answerable_names_documents(self) -> GoldenQuestion:
        if self.answerable and not self.documents:
            raise ValueError("an answerable question names the `documents` that its answer stands on")
        return self


class GoldenSet(Record):
    name: str
    corpus: str | None = None
    """Folder of the documents, relative to the golden file; None: the index as it is."""
    questions: tuple[GoldenQuestion, ...] = Field(min_length=1)


def load_golden(path: Path) -> GoldenSet:
    """Reads and checks a golden set.

    Raises:
        InputError: not YAML, not the schema, a repeated id, or a set that cannot see the failures that
            matter; each fault is named with its line.
    """
    try:
        data, root = parse_with_lines(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(str(path), f"cannot be read: {error.strerror}.", "Give the path of a golden set.") from None
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise InputError(str(path), f"not valid YAML: {error}", "Mend the line named.") from None
    try:
        golden = GoldenSet.model_validate(data)
    except ValidationError as error:
        faults = "; ".join(_fault(item, root) for item in error.errors())
        raise InputError(str(path), faults, "evaluation/golden.schema.json describes the format.") from None
    unsound = [*_repeated(golden, root), *_missing_kinds(golden)]
    if unsound:
        raise InputError(str(path), "; ".join(unsound), "docs/evaluation.md says what a set must hold.")
    return golden


def _fault(item: Any, root: yaml.Node) -> str:
    where = ".".join(str(part) for part in item["loc"])
    return f"line {line_of(root, item['loc'])}: {where}: {item['msg'].removeprefix('Value error, ')}"


def _repeated(golden: GoldenSet, root: yaml.Node) -> Iterator[str]:
    seen: set[str] = set()
    for n, question in enumerate(golden.questions):
        if question.id in seen:
            yield f"line {line_of(root, ('questions', n, 'id'))}: the id `{question.id}` is used twice"
        seen.add(question.id)


def _missing_kinds(golden: GoldenSet) -> Iterator[str]:
    """The failures that a set must be able to see, and the reason for each."""
    questions = golden.questions
    if not any(q.expect.kind == "count" and q.rows for q in questions):
        yield "no pure count over a table (kind count, with `rows`): lost rows would go unseen"
    if not any(set(CODE.findall(q.question)) & set(q.identifiers) for q in questions):
        yield "no question with an exact identifier (in its text and in `identifiers`): look-alikes would go unseen"
    if not any(q.paraphrase and q.expect.kind == "span" for q in questions):
        yield "no policy paraphrase (kind span, `paraphrase: true`): keyword matching alone would look perfect"


def dump_golden(golden: GoldenSet) -> str:
    """The set as YAML, defaults left out."""
    data = golden.model_dump(mode="json", exclude_defaults=True)
    return yaml.safe_dump(data, sort_keys=False, allow_unicode=True, width=110)


def select(golden: GoldenSet, ids: Sequence[str]) -> GoldenSet:
    """The set with the named questions only."""
    return golden.model_copy(update={"questions": tuple(q for q in golden.questions if q.id in ids)})

"""ClapNQ: precision and recall of "not found" without a language model, over every confidence threshold.

    make bench-clapnq CLAPNQ=path/to/folder
    python -m evaluation.bench_clapnq FOLDER [--limit N] [--cache FOLDER] [--fit]

FOLDER holds `answerable*.jsonl` and `unanswerable*.jsonl` (primeqa/clapnq, Apache-2.0), which are not part of the
project. All passages are one corpus; each question is asked of all of it, as a user would.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from contracts.answers import Answer
from contracts.base import Record
from contracts.errors import InputError
from contracts.evidence import NotFoundReason
from contracts.questions import AskRequest
from contracts.settings import load_settings
from evaluation.corpus import ingested
from serve.graph import ask
from serve.not_found import MIN_CONFIDENCE


class ClapQuestion(Record):
    uid: str
    text: str
    answerable: bool
    title: str
    passage: str
    gold: tuple[str, ...]
    """Sentences of the passage that answer it."""


class Asked(Record):
    question: ClapQuestion
    confidence: float
    """Of the best quotation, before any threshold; 0 when there was none."""
    proven_absent: bool
    """Refused for another reason than low confidence."""
    right_place: bool
    """The quotation is of the question's own passage."""
    right_sentence: bool
    """It holds one of the gold sentences."""
    evidence: dict[str, float]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="with answerable*.jsonl and unanswerable*.jsonl")
    parser.add_argument("--limit", type=int, help="questions of each kind at most")
    parser.add_argument("--cache", type=Path, default=Path(".bench/clapnq"), help="texts and index")
    parser.add_argument("--fit", action="store_true", help="also fit the weights of serve.confidence")
    arguments = parser.parse_args()
    questions = [*load(arguments.folder, True, arguments.limit), *load(arguments.folder, False, arguments.limit)]
    write_texts(questions, arguments.cache / "texts")
    asked = run(questions, arguments.cache)
    lines = "".join(f"{a.model_dump_json()}\n" for a in asked)
    (arguments.cache / "asked.jsonl").write_text(lines, encoding="utf-8")
    print_curve(asked)
    if arguments.fit:
        from evaluation.clapnq_fit import print_fit

        print_fit([(a.evidence, a.question.answerable) for a in asked if a.evidence])


def load(folder: Path, answerable: bool, limit: int | None) -> list[ClapQuestion]:
    """Raises InputError when the folder holds no such file."""
    pattern = "answerable*.jsonl" if answerable else "unanswerable*.jsonl"
    files = sorted(folder.glob(pattern))
    if not files:
        raise InputError(str(folder), f"holds no {pattern}.", "Get it from primeqa/clapnq.")
    rows = [json.loads(line) for line in files[0].read_text(encoding="utf-8").splitlines()]
    return [_question(row, answerable) for row in rows[:limit]]


def _question(row: dict[str, object], answerable: bool) -> ClapQuestion:
    passages, outputs = row["passages"], row["output"]
    assert isinstance(passages, list) and isinstance(outputs, list)
    passage = passages[0]
    gold = tuple(_plain(s) for o in outputs for s in o.get("selected_sentences", ()) if answerable)
    return ClapQuestion(
        uid=str(row["id"]),
        text=str(row["input"]),
        answerable=answerable,
        title=passage["title"],
        passage=_plain(passage["text"]),
        gold=gold,
    )


def _plain(text: str) -> str:
    """The data set is tokenised: `( 1997 ) ,` → `(1997),`."""
    text = text.replace("``", "“").replace("''", "”")
    text = re.sub(r"\s+([.,;:!?)\]”%])", r"\1", text)
    return re.sub(r"([(\[“$])\s+", r"\1", re.sub(r"\s+('s\b|n't\b)", r"\1", text)).strip()


def write_texts(questions: Sequence[ClapQuestion], folder: Path) -> None:
    """One text file for each passage, named by its question."""
    folder.mkdir(parents=True, exist_ok=True)
    for question in questions:
        path = folder / f"{question.uid}.txt"
        if not path.exists():
            path.write_text(f"{question.title}\n\n{question.passage}\n", encoding="utf-8")


def run(questions: Sequence[ClapQuestion], cache: Path) -> list[Asked]:
    settings = load_settings(environ={})[0].model_copy(update={"rerank_budget_ms": 60_000.0})
    with ingested([cache / "texts"], settings, cache / "index") as services:
        return [_asked(question, ask(AskRequest(question=question.text), services)) for question in questions]


def _asked(question: ClapQuestion, answer: Answer) -> Asked:
    assert answer.pipeline is not None
    stage = next((s for s in answer.pipeline.stages if s.name == "quote"), None)
    detail = stage.detail if stage is not None else {}
    best = detail.get("best") or {}
    return Asked(
        question=question,
        confidence=float(detail.get("confidence") or 0.0),
        proven_absent=answer.not_found and answer.not_found_reason is not NotFoundReason.LOW_CONFIDENCE,
        right_place=any(c.doc_name.startswith(question.uid) for c in answer.citations),
        right_sentence=any(_same(c.quote, gold) for c in answer.citations for gold in question.gold),
        evidence={k: float(v) for k, v in best.items() if k != "covered" and v is not None},
    )


def _same(quote: str, gold: str) -> bool:
    plain = [re.sub(r"\W+", "", t.casefold()) for t in (quote, gold)]
    return bool(plain[1]) and (plain[1] in plain[0] or (len(plain[0]) > 20 and plain[0] in plain[1]))


def print_curve(asked: Sequence[Asked]) -> None:
    absent = sum(not a.question.answerable for a in asked)
    print(f"{len(asked)} questions, {absent} of them unanswerable; default threshold {MIN_CONFIDENCE}\n")
    print("threshold  not found  precision  recall    F1   accuracy  answered  own passage  gold sentence")
    for row in curve(asked):
        print(row)


def curve(asked: Sequence[Asked], steps: int = 20) -> Iterator[str]:
    """Per threshold: what is called not found, and of the answerable that are answered, how many quote the right place."""
    for t in (n / steps for n in range(steps + 1)):
        said = [a for a in asked if a.proven_absent or a.confidence < t]
        hits = sum(not a.question.answerable for a in said)
        absent = sum(not a.question.answerable for a in asked)
        precision, recall = hits / len(said) if said else 1.0, hits / absent if absent else 0.0
        f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
        answered = [a for a in asked if a not in said and a.question.answerable]
        right = (len(answered) + hits) / len(asked)
        place = sentence = "-"  # a quotation that the default withholds has no citation to look at
        if t >= MIN_CONFIDENCE:
            place, sentence = (
                (str(sum(v)) for v in zip(*((a.right_place, a.right_sentence) for a in answered), strict=True))
                if answered
                else ("0", "0")
            )
        yield (
            f"{t:9.2f}  {len(said):9d}  {precision:9.3f}  {recall:6.3f}  {f1:5.3f}  {right:8.3f}"
            f"  {len(answered):8d}  {place:>11}  {sentence:>13}"
        )


if __name__ == "__main__":
    main()

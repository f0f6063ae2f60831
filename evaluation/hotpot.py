"""HotpotQA as long documents: passages joined, with the questions, answers and supporting sentences.

The data are somebody else's and stay where they are: `hotpotqa_train.json` (questions) and
`hotpotqa_train_corpus.json` (title → sentences), as in the HippoRAG repository (branch `legacy`).
"""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from contracts.base import Record
from contracts.documents import Document, Line, ParsedDocument

PASSAGES = 25
"""In one document: about 100 sentences."""
SEED = 20250401


class Evidence(Record):
    """A question with what a context must hold to answer it."""

    question: str
    answers: tuple[str, ...]
    """Strings of which one answers it; none when its facts do not spell the answer out (yes, no)."""
    supporting: tuple[str, ...]
    """Sentences, rows or identifiers, all of them needed."""


def load_hotpot(folder: Path, most: int | None = None) -> tuple[list[ParsedDocument], list[Evidence]]:
    """Documents of 25 passages each, shuffled with a fixed seed, and the questions.

    `most`: only so many documents, with the questions and facts that are in them, for a quick look.

    Raises:
        SystemExit: the files are not there; says which.
    """
    questions = _read(folder / "hotpotqa_train.json")
    corpus = _read(folder / "hotpotqa_train_corpus.json")
    titles = sorted(corpus)
    random.Random(SEED).shuffle(titles)
    titles = titles[: None if most is None else most * PASSAGES]
    documents = [_document(titles[i : i + PASSAGES], corpus) for i in range(0, len(titles), PASSAGES)]
    return documents, list(_questions(questions, {title: corpus[title] for title in titles}))


def _read(path: Path) -> Any:
    if not path.is_file():
        raise SystemExit(f"{path}: no such file. Give the folder of hotpotqa_train.json with --hotpotqa.")
    return json.loads(path.read_text(encoding="utf-8"))


def _questions(questions: Sequence[Mapping[str, Any]], corpus: Mapping[str, list[str]]) -> Iterator[Evidence]:
    for question in questions:
        facts = question["supporting_facts"]
        sentences = [corpus[title][place] for title, place in facts if place < len(corpus.get(title, ()))]
        if not sentences:
            continue
        answer = question["answer"]
        written = any(answer in sentence for sentence in sentences)
        yield Evidence(
            question=question["question"],
            answers=(answer,) if written else (),
            supporting=tuple(sentence.strip() for sentence in sentences),
        )


def _document(titles: Sequence[str], corpus: Mapping[str, list[str]]) -> ParsedDocument:
    """One page a passage: its title, then its text, as lines that a paragraph gap separates."""
    doc_id = hashlib.sha256("\n".join(titles).encode()).hexdigest()
    lines = []
    for page, title in enumerate(titles, 1):
        text = "".join(s if s.startswith(" ") else f" {s}" for s in corpus[title]).strip()
        for number, (words, top) in enumerate(((title, 0.0), (text, 30.0)), 1):
            lines.append(Line(page=page, line=number, text=words, x0=0, top=top, x1=500, bottom=top + 10))
    name = f"passages-{doc_id[:8]}.txt"
    document = Document(doc_id=doc_id, name=name, source=name, pages=len(titles))
    return ParsedDocument(document=document, lines=tuple(lines), outline=(), tables=())

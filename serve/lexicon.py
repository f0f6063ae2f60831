"""The domain's terms and their synonyms, from an auditable YAML.

Shared by keyword detection, table headers and absence proofs. A deployment adds its own terms in a
file of the same form; a concept of the same name there gets more synonyms, a new name is a new concept.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, Literal

import yaml
from pydantic import ValidationError

from compression.terms import contains_phrase, stems
from contracts.base import Record
from contracts.errors import ConfigError
from contracts.questions import Keyword

SHIPPED = Path(__file__).with_name("lexicon.yaml")
_FIELDS = frozenset({"name", "kind", "answer_type", "distinct", "subject"})
AnswerType = Literal["amount", "date", "person", "number", "duration", "code", "text"]


class Concept(Record):
    """One thing of the domain."""

    name: str
    kind: Literal["column", "entity", "topic", "doc_type"]
    answer_type: AnswerType | None = None
    """What an answer about it must hold, when that is known."""
    subject: bool = False
    """A column that passages speak of as well; every topic is a subject."""
    distinct: tuple[str, ...] = ()
    """Concepts that share words with this one and must not be taken for it."""
    synonyms: dict[str, tuple[str, ...]] = {}
    """Language code to terms, the usual one first."""

    @property
    def terms(self) -> tuple[str, ...]:
        """All terms of all languages, each once."""
        return tuple(dict.fromkeys(t for terms in self.synonyms.values() for t in terms))


@dataclass(frozen=True)
class Mention:
    """A concept named in a text: the words from `start` to `end` (exclusive)."""

    concept: Concept
    term: str
    start: int
    end: int


@dataclass(frozen=True)
class Lexicon:
    """Look-ups are by stems, so that `earned leaves` is `earned leave`."""

    concepts: tuple[Concept, ...]

    @cached_property
    def _by_name(self) -> Mapping[str, Concept]:
        return {c.name: c for c in self.concepts}

    @cached_property
    def _by_stems(self) -> Mapping[tuple[str, ...], tuple[Concept, ...]]:
        found: dict[tuple[str, ...], tuple[Concept, ...]] = {}
        for concept in self.concepts:
            for key in dict.fromkeys(stems(t) for t in concept.terms):
                found[key] = (*found.get(key, ()), concept)
        return found

    @cached_property
    def _longest(self) -> int:
        return max((len(key) for key in self._by_stems), default=0)

    def concept(self, name: str) -> Concept | None:
        return self._by_name.get(name)

    def lookup(self, term: str, kind: str | None = None) -> tuple[Concept, ...]:
        """Concepts that have exactly this term, of one kind when given."""
        return tuple(c for c in self._by_stems.get(stems(term), ()) if kind in (None, c.kind))

    def expand(self, term: str, kind: str | None = None) -> Keyword:
        """The term with the other names of what it means; without any when the lexicon does not know it."""
        found = self.lookup(term, kind)
        if not found:
            return Keyword(term=term)
        return self.keyword(term, found[0])

    def keyword(self, term: str, concept: Concept) -> Keyword:
        """The term as a name of the concept."""
        own = stems(term)
        return Keyword(
            term=term,
            expansions=tuple(t for t in concept.terms if stems(t) != own),
            concept=concept.name,
            kind=concept.kind,
            subject=concept.subject or concept.kind == "topic",
            rivals=self._rivals(concept),
        )

    def _rivals(self, concept: Concept) -> tuple[str, ...]:
        """Terms of the concepts it is distinct from that contain one of its own."""
        own = [stems(t) for t in concept.terms]
        others = [self._by_name[name] for name in concept.distinct]
        return tuple(t for o in others for t in o.terms if any(contains_phrase(stems(t), p) for p in own))

    def concepts_in(self, text: str, kind: str | None = None) -> tuple[Concept, ...]:
        """Concepts that the text names, in order of place; a longer term hides those inside it."""
        return tuple({m.concept.name: m.concept for m in self.mentions(text, kind)}.values())

    def mentions(self, text: str, kind: str | None = None) -> tuple[Mention, ...]:
        """Where the text names concepts, longest term first at each place, not overlapping across places."""
        return tuple(self._scan(stems(text), kind))

    def _scan(self, words: tuple[str, ...], kind: str | None) -> Iterator[Mention]:
        start = 0
        while start < len(words):
            step = 1
            for size in range(min(self._longest, len(words) - start), 0, -1):
                key = words[start : start + size]
                found = [c for c in self._by_stems.get(key, ()) if kind in (None, c.kind)]
                if found:
                    for concept in found:
                        yield Mention(concept, _term_of(concept, key), start, start + size)
                    step = size
                    break
            start += step


def _term_of(concept: Concept, key: tuple[str, ...]) -> str:
    return next(t for t in concept.terms if stems(t) == key)


@lru_cache(maxsize=8)
def load_lexicon(path: Path | None = None) -> Lexicon:
    """The shipped lexicon, extended by the file at `path`.

    Raises:
        ConfigError: the file is missing, not YAML, or a concept in it is wrong; names the concept and field.
    """
    concepts = {c.name: c for c in _read(SHIPPED)}
    for extra in _read(path) if path is not None else ():
        known = concepts.get(extra.name)
        concepts[extra.name] = extra if known is None else _merge(known, extra, path)
    lexicon = Lexicon(tuple(concepts.values()))
    _check(lexicon, path or SHIPPED)
    return lexicon


def _read(path: Path) -> tuple[Concept, ...]:
    try:
        content = yaml.load(path.read_text(encoding="utf-8"), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except OSError as error:
        raise ConfigError(f"lexicon {path}: {error.strerror}.", "Set ALLROWS_LEXICON to a readable file.") from None
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise ConfigError(f"lexicon {path}: not valid YAML: {error}.", "Mend the line named.") from None
    entries = content.get("concepts") if isinstance(content, dict) else None
    if not isinstance(entries, list):
        raise ConfigError(f"lexicon {path}: `concepts` must be a list.", f"See {SHIPPED.name} for the form.")
    return tuple(_concept(entry, path, number) for number, entry in enumerate(entries, 1))


def _concept(entry: Any, path: Path, number: int) -> Concept:
    where = f"lexicon {path}: concept {number}"
    if not isinstance(entry, dict):
        raise ConfigError(f"{where}: must be a mapping with name and kind.")
    where += f" ({entry.get('name', 'without a name')})"
    languages = {k: v for k, v in entry.items() if k not in _FIELDS}
    for key, terms in languages.items():
        if not (isinstance(key, str) and len(key) == 2 and key.isalpha()):
            raise ConfigError(
                f"{where}: unknown field `{key}`.", "Fields: name, kind, answer_type, subject, distinct, en, es, …"
            )
        if not (isinstance(terms, list) and terms and all(isinstance(t, str) and stems(t) for t in terms)):
            raise ConfigError(f"{where}: `{key}` must be a list of words.", "Quote yes, no and numbers.")
    try:
        fields = {k: v for k, v in entry.items() if k in _FIELDS}
        return Concept(**fields, synonyms={k: tuple(v) for k, v in languages.items()})
    except ValidationError as error:
        item = error.errors()[0]
        raise ConfigError(f"{where}: `{item['loc'][0]}`: {item['msg']}.") from None


def _merge(known: Concept, extra: Concept, path: Path | None) -> Concept:
    if extra.kind != known.kind:
        raise ConfigError(
            f"lexicon {path}: concept {extra.name} is of kind {known.kind}, not {extra.kind}.",
            f"Use kind: {known.kind}, or another name.",
        )
    synonyms = {
        lang: tuple(dict.fromkeys((*known.synonyms.get(lang, ()), *extra.synonyms.get(lang, ()))))
        for lang in (*known.synonyms, *(x for x in extra.synonyms if x not in known.synonyms))
    }
    return Concept(
        name=known.name,
        kind=known.kind,
        answer_type=extra.answer_type or known.answer_type,
        subject=known.subject or extra.subject,
        distinct=tuple(dict.fromkeys((*known.distinct, *extra.distinct))),
        synonyms=synonyms,
    )


def _check(lexicon: Lexicon, path: Path) -> None:
    owner: dict[tuple[str, tuple[str, ...]], str] = {}
    for concept in lexicon.concepts:
        if not concept.terms:
            raise ConfigError(f"lexicon {path}: concept {concept.name} has no terms.", "Add `en: [...]`.")
        for name in concept.distinct:
            if lexicon.concept(name) is None:
                raise ConfigError(
                    f"lexicon {path}: concept {concept.name}: `distinct` names {name}, which is not there."
                )
        for term in concept.terms:
            other = owner.setdefault((concept.kind, stems(term)), concept.name)
            if other != concept.name:
                raise ConfigError(
                    f"lexicon {path}: `{term}` belongs to {other} and to {concept.name}, both of kind {concept.kind}.",
                    "Keep it in one of them.",
                )

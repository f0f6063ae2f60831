from __future__ import annotations

from pathlib import Path

import pytest

from contracts.errors import ConfigError
from serve.lexicon import load_lexicon


def write(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "terms.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_expands_in_both_languages() -> None:
    keyword = load_lexicon().expand("earned leaves")
    assert keyword.concept == "annual_leave" and keyword.kind == "topic"
    assert {"annual leave", "vacation", "vacaciones"} <= set(keyword.expansions)
    assert "earned leave" not in keyword.expansions


def test_an_unknown_term_stands_for_itself() -> None:
    keyword = load_lexicon().expand("zeppelin")
    assert keyword.expansions == () and keyword.concept is None


def test_the_longest_term_hides_those_inside_it() -> None:
    found = [
        c.name for c in load_lexicon().concepts_in("What is the salario neto or net salary after maternity leave?")
    ]
    assert found == ["net_pay", "maternity_leave"]


def test_rivals_are_longer_terms_of_distinct_concepts() -> None:
    assert "liability insurance" in load_lexicon().expand("liability cap").rivals
    assert load_lexicon().expand("net pay").rivals == ()


def test_a_deployment_adds_terms_and_concepts(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        "concepts:\n- {name: annual_leave, kind: topic, en: [chill days]}\n- {name: sauna, kind: topic, fi: [sauna]}\n",
    )
    lexicon = load_lexicon(path)
    assert "annual leave" in lexicon.expand("chill days").expansions
    assert lexicon.expand("sauna").concept == "sauna"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("concepts: 3", "`concepts` must be a list"),
        ("concepts:\n- {name: a, kind: topic, en: [no]}", "concept 1 (a): `en` must be a list of words"),
        ("concepts:\n- {name: a, kind: subject, en: [b]}", "`kind`"),
        ("concepts:\n- {name: a, kind: topic, synonyms: [b]}", "unknown field `synonyms`"),
        ("concepts:\n- {name: a, kind: topic}", "has no terms"),
        ("concepts:\n- {name: net_pay, kind: topic, en: [b]}", "is of kind column, not topic"),
        ("concepts:\n- {name: a, kind: topic, en: [vacation]}", "belongs to annual_leave and to a"),
        ("concepts:\n- {name: a, kind: topic, en: [b], distinct: [c]}", "`distinct` names c"),
        ("concepts: [", "not valid YAML"),
    ],
)
def test_a_wrong_file_stops_with_the_place(tmp_path: Path, text: str, message: str) -> None:
    path = write(tmp_path, text)
    with pytest.raises(ConfigError) as caught:
        load_lexicon(path)
    assert message in caught.value.message and str(path) in caught.value.message


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"none\.yaml"):
        load_lexicon(tmp_path / "none.yaml")

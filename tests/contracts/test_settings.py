from pathlib import Path

import pytest

from contracts.errors import ConfigError
from contracts.settings import Settings, load_settings


def load(environ: dict[str, str] | None = None, toml: Path | None = None):
    return load_settings(environ or {}, toml)


def test_blank_counts_as_unset():
    settings, origins = load({"ALLROWS_QDRANT_URL": "  ", "ALLROWS_CHUNK_SIZE": ""})
    assert settings.qdrant_url is None
    assert settings.chunk_size == 1200
    assert origins["chunk_size"] == "default"


def test_blank_in_the_environment_does_not_hide_the_file(tmp_path):
    toml = tmp_path / "allrows.toml"
    toml.write_text('qdrant_url = "http://qdrant:6333"\n')
    settings, origins = load({"ALLROWS_QDRANT_URL": ""}, toml)
    assert settings.qdrant_url == "http://qdrant:6333"
    assert origins["qdrant_url"] == str(toml)


def test_environment_wins_over_file_and_says_so(tmp_path):
    toml = tmp_path / "allrows.toml"
    toml.write_text("chunk_size = 900\n")
    settings, origins = load({"ALLROWS_CHUNK_SIZE": "800"}, toml)
    assert settings.chunk_size == 800
    assert origins["chunk_size"] == "environment ALLROWS_CHUNK_SIZE"


@pytest.mark.parametrize(
    ("environ", "says"),
    [
        ({"ALLROWS_CHUNK_SIZ": "800"}, "Did you mean `chunk_size`"),
        ({"ALLROWS_WEIGHT_DENSE": "0.8"}, "WEIGHT_BM25=0.2 would work"),
        ({"ALLROWS_MAX_CONTEXT_CHARS": "3000"}, "MAX_CONTEXT_CHARS=3600 would work"),
        ({"ALLROWS_CHUNK_SIZE": "many"}, "ALLROWS_CHUNK_SIZE='many'"),
        ({"ALLROWS_CHUNK_OVERLAP": "1200"}, "CHUNK_OVERLAP=200 would work"),
        ({"ALLROWS_TOP_K_BEFORE_RERANK": "2"}, "TOP_K_AFTER_RERANK=2 would work"),
    ],
)
def test_a_wrong_setting_is_named_with_a_value_that_works(environ, says):
    with pytest.raises(ConfigError) as raised:
        load(environ)
    assert says in str(raised.value)


def test_unknown_key_in_the_file(tmp_path):
    toml = tmp_path / "allrows.toml"
    toml.write_text("colour = 1\n")
    with pytest.raises(ConfigError, match="no setting `colour`"):
        load({}, toml)


def test_secrets_are_not_shown():
    settings, _ = load({"OPENAI_API_KEY": "sk-secret", "OPENAI_MODEL": "m"})
    assert settings.has_model()
    assert "sk-secret" not in str(settings.public())
    assert "sk-secret" not in repr(settings)


def test_granularities_as_people_write_them():
    settings, _ = load({"ALLROWS_GRANULARITIES": "2,4, 8"})
    assert settings.granularities == (2, 4, 8)


def test_no_secret_is_public() -> None:
    settings = Settings(
        qdrant_api_key="s3cret", openai_api_key="s3cret", database_url="postgresql://ann:s3cret@db.example:5432/allrows"
    )
    shown = settings.public()
    assert "s3cret" not in str(shown)
    assert shown["database_url"] == "postgresql://ann:**********@db.example:5432/allrows"

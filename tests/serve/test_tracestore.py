from __future__ import annotations

import os
import stat
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from contracts.answers import Answer, StageRecord
from contracts.errors import ConfigError
from contracts.evidence import DroppedItem
from contracts.filters import Caller
from contracts.questions import AskRequest
from contracts.settings import Settings
from serve import database
from serve.tracestore import DAY, TraceFilter, TraceStore, open_tracestore
from tests.serve.http.fakes import FakeEngine, FakeIndex, doc_id, make_document

PAYROLL = Caller(name="ann", role="operator", groups=("payroll",))
FINANCE = Caller(name="fin", role="operator", groups=("finance",))
BOTH = Caller(name="bea", role="operator", groups=("payroll", "finance"))
ADMIN = Caller()


@pytest.fixture
def index() -> FakeIndex:
    return FakeIndex(make_document("april.pdf", "payroll"), make_document("invoice.pdf", "finance"))


POSTGRES = "ALLROWS_TEST_DATABASE_URL"
"""Address of a PostgreSQL database in which the tests may make schemas."""


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest) -> Iterator[str | None]:
    """The default, and an empty schema of a PostgreSQL server where one is given."""
    if request.param == "sqlite":
        yield None
        return
    address = os.environ.get(POSTGRES)
    if address is None:
        pytest.skip(f"needs a PostgreSQL database: set {POSTGRES}=postgresql://USER@HOST/NAME")
    schema = f"allrows_{uuid.uuid4().hex}"
    engine = sa.create_engine(database._driver(address))
    with engine.begin() as connection:
        connection.execute(sa.text(f"CREATE SCHEMA {schema}"))
    yield f"{address}{'&' if '?' in address else '?'}options=-csearch_path%3D{schema}"
    with engine.begin() as connection:
        connection.execute(sa.text(f"DROP SCHEMA {schema} CASCADE"))
    engine.dispose()


@pytest.fixture
def store(tmp_path: Path, index: FakeIndex, database_url: str | None) -> Iterator[TraceStore]:
    opened = open_tracestore(Settings(data_dir=tmp_path, database_url=database_url), index)  # type: ignore[arg-type]
    yield opened
    opened.close()


def ask(index: FakeIndex, store: TraceStore, caller: Caller, question: str = "How many?") -> Answer:
    return FakeEngine(index, store).ask(AskRequest(question=question, caller=caller))


def test_a_saved_answer_comes_back_whole(index: FakeIndex, store: TraceStore) -> None:
    answer = ask(index, store, PAYROLL)
    found = store.get(answer.trace_id, PAYROLL)
    assert found is not None
    assert found.answer == answer
    assert found.caller == PAYROLL
    assert found.documents == (doc_id("april.pdf"),)


def test_another_person_sees_a_trace_only_with_all_of_its_documents(index: FakeIndex, store: TraceStore) -> None:
    narrow = ask(index, store, PAYROLL).trace_id
    wide = ask(index, store, BOTH).trace_id
    seen = {c.name: {t.trace_id for t in store.list(reader=c)} for c in (PAYROLL, FINANCE, BOTH, ADMIN)}
    assert seen == {"ann": {narrow}, "fin": set(), "bea": {narrow, wide}, "local": {narrow, wide}}
    assert store.get(wide, PAYROLL) is None
    assert store.get(wide, FINANCE) is None
    assert store.get(wide, ADMIN) is not None


def test_documents_are_found_wherever_an_answer_names_them(index: FakeIndex, store: TraceStore) -> None:
    plain = ask(index, store, PAYROLL)
    assert plain.pipeline is not None
    foreign = next(t for t in index.tables.values() if t.doc_id == doc_id("invoice.pdf"))
    for decisions in (
        {"tables": [foreign.table_id]},
        {"why": {"x": doc_id("invoice.pdf")}},
        {doc_id("invoice.pdf"): 1},
    ):
        pipeline = plain.pipeline.model_copy(update={"decisions": decisions})
        store.save(plain.model_copy(update={"pipeline": pipeline}), BOTH)
        assert store.get(plain.trace_id, PAYROLL) is None, decisions
        assert store.get(plain.trace_id, BOTH) is not None


def test_a_trace_counts_what_was_searched_so_its_whole_search_must_be_readable(
    index: FakeIndex, store: TraceStore
) -> None:
    answer = ask(index, store, PAYROLL)
    store.save(answer, BOTH)
    assert store.get(answer.trace_id, PAYROLL) is None
    store.save(answer, ADMIN)
    assert store.get(answer.trace_id, PAYROLL) is None
    assert store.get(answer.trace_id, BOTH) is not None, "both groups hold every document there is"


def test_a_document_named_only_in_a_stage_is_in_the_trace(index: FakeIndex, store: TraceStore) -> None:
    answer = ask(index, store, PAYROLL)
    assert answer.pipeline is not None
    dropped = StageRecord(
        name="narrow", ms=1, count_in=2, count_out=1, dropped=(DroppedItem(item="invoice.pdf", reason="other"),)
    )
    pipeline = answer.pipeline.model_copy(update={"stages": (dropped,)})
    store.save(answer.model_copy(update={"pipeline": pipeline}), BOTH)
    found = store.get(answer.trace_id, BOTH)
    assert found is not None
    assert set(found.documents) == {doc_id("april.pdf"), doc_id("invoice.pdf")}


def test_moving_a_document_to_another_group_closes_its_old_traces(index: FakeIndex, store: TraceStore) -> None:
    trace_id = ask(index, store, PAYROLL).trace_id
    index.add(make_document("april.pdf", "board"))
    assert store.get(trace_id, PAYROLL) is None
    assert store.get(trace_id, Caller(name="c", role="operator", groups=("board",))) is not None


def test_a_deleted_document_counts_with_the_groups_it_had(index: FakeIndex, store: TraceStore) -> None:
    trace_id = ask(index, store, PAYROLL).trace_id
    index.delete(doc_id("april.pdf"))
    assert store.get(trace_id, PAYROLL) is not None
    assert store.get(trace_id, FINANCE) is None


def test_a_trace_without_documents_needs_all_groups_of_who_asked(index: FakeIndex, store: TraceStore) -> None:
    nobody = Caller(name="hr-person", role="operator", groups=("hr",))
    trace_id = ask(index, store, nobody).trace_id
    assert store.get(trace_id, nobody) is not None
    assert store.get(trace_id, PAYROLL) is None
    assert store.get(trace_id, Caller(name="x", role="operator", groups=("hr", "payroll"))) is not None


def test_filters_of_the_list(index: FakeIndex, store: TraceStore) -> None:
    found = ask(index, store, PAYROLL, "How many rows have 100%?").trace_id
    lost = ask(index, store, Caller(name="z", role="operator", groups=("none",)), "Who?").trace_id

    def ids(**wanted: object) -> set[str]:
        return {t.trace_id for t in store.list(TraceFilter(**wanted))}  # type: ignore[arg-type]

    assert ids() == {found, lost}
    assert ids(not_found=True) == {lost}
    assert ids(not_found=False) == {found}
    assert ids(mark="rerank_timeout") == {found}
    assert ids(mark="serial_gap") == set()
    assert ids(doc_id=doc_id("april.pdf")) == {found}
    assert ids(drops=True) == {found}
    assert ids(mode="not_found") == {lost}
    assert ids(caller="z") == {lost}
    assert ids(text="100%?") == {found}
    assert ids(text="1__%") == set(), "wildcards of SQL are letters of the question"
    assert ids(until=1.0) == set()


def test_limit_and_offset_count_what_the_reader_sees(index: FakeIndex, store: TraceStore) -> None:
    mine = [ask(index, store, PAYROLL).trace_id]
    ask(index, store, FINANCE)
    mine.append(ask(index, store, PAYROLL).trace_id)
    pages = [store.list(TraceFilter(limit=1, offset=o), PAYROLL) for o in (0, 1, 2)]
    assert [[t.trace_id for t in page] for page in pages] == [[mine[1]], [mine[0]], []]


def test_one_verdict_for_each_person(index: FakeIndex, store: TraceStore) -> None:
    trace_id = ask(index, store, PAYROLL).trace_id
    assert store.add_feedback(trace_id, PAYROLL, "right")
    assert store.add_feedback(trace_id, PAYROLL, "wrong", "13 rows")
    assert not store.add_feedback(trace_id, FINANCE, "wrong")
    found = store.get(trace_id)
    assert found is not None
    assert [(f.caller, f.verdict, f.why) for f in found.feedback] == [("ann", "wrong", "13 rows")]


def test_retention_removes_old_traces_with_everything_of_theirs(index: FakeIndex, store: TraceStore) -> None:
    trace_id = ask(index, store, PAYROLL).trace_id
    created = store.list()[0].created_at
    assert store.prune(90, now=created + 89 * DAY) == 0
    assert store.prune(0, now=created + 9999 * DAY) == 0
    assert store.prune(90, now=created + 91 * DAY) == 1
    assert store.get(trace_id) is None
    with store.database.begin() as connection:
        for table in (database.trace_documents, database.trace_marks):
            assert connection.execute(sa.select(sa.func.count()).select_from(table)).scalar() == 0


def test_the_database_is_for_its_owner_only(tmp_path: Path) -> None:
    database.open_database(Settings(data_dir=tmp_path))
    assert stat.S_IMODE((tmp_path / "traces.sqlite").stat().st_mode) == 0o600


def test_migrations_make_exactly_the_declared_tables(tmp_path: Path) -> None:
    opened = database.open_database(Settings(data_dir=tmp_path))
    inspector = sa.inspect(opened.engine)
    for name, table in database.metadata.tables.items():
        assert [c["name"] for c in inspector.get_columns(name)] == [c.name for c in table.columns], name
        assert {i["name"] for i in inspector.get_indexes(name)} == {i.name for i in table.indexes}, name
    assert set(inspector.get_table_names()) == {*database.metadata.tables, "schema_version"}


def test_a_migration_runs_once_and_keeps_the_data(tmp_path: Path, index: FakeIndex) -> None:
    settings = Settings(data_dir=tmp_path)
    trace_id = ask(index, open_tracestore(settings, index), PAYROLL).trace_id  # type: ignore[arg-type]
    later = (*database.MIGRATIONS, ("ALTER TABLE traces ADD COLUMN extra TEXT",))
    opened = database.Database(database._engine(settings))
    opened.migrate(later)
    opened.migrate(later)
    with opened.begin() as connection:
        assert connection.execute(sa.text("SELECT trace_id, extra FROM traces")).all() == [(trace_id, None)]
    with pytest.raises(ConfigError, match="schema 2; this version knows 1"):
        open_tracestore(settings, index)  # type: ignore[arg-type]


def test_an_address_of_another_kind_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="not a SQLite or PostgreSQL address"):
        database.open_database(Settings(data_dir=tmp_path, database_url="mysql://user:secret@host/db"))

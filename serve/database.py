"""The operational database: traces, feedback, jobs and the audit log, on SQLite or PostgreSQL.

SQLite lives in the data folder and is readable by its owner only, because traces quote salaries.
The schema is versioned: each migration is a tuple of statements that both engines take, applied once, in order.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Column, Float, Index, Integer, MetaData, String, Table, Text

from contracts.errors import ConfigError
from contracts.settings import Settings

metadata = MetaData()

traces = Table(
    "traces",
    metadata,
    Column("trace_id", String, primary_key=True),
    Column("created_at", Float, nullable=False),
    Column("caller", String, nullable=False),
    Column("caller_role", String, nullable=False),
    Column("caller_groups", Text),
    Column("question", Text, nullable=False),
    Column("mode", String, nullable=False),
    Column("not_found", Integer, nullable=False),
    Column("survival_drops", Integer, nullable=False),
    Column("ms", Float, nullable=False),
    Column("answer", Text, nullable=False),
    Index("traces_created", "created_at"),
)
trace_documents = Table(
    "trace_documents",
    metadata,
    Column("trace_id", String, primary_key=True),
    Column("doc_id", String, primary_key=True),
    Column("doc_groups", Text, nullable=False),
    Index("trace_documents_doc", "doc_id"),
)
trace_marks = Table(
    "trace_marks",
    metadata,
    Column("trace_id", String, primary_key=True),
    Column("mark", String, primary_key=True),
)
feedback = Table(
    "feedback",
    metadata,
    Column("trace_id", String, primary_key=True),
    Column("caller", String, primary_key=True),
    Column("created_at", Float, nullable=False),
    Column("verdict", String, nullable=False),
    Column("why", Text, nullable=False),
)
jobs = Table(
    "jobs",
    metadata,
    Column("job_id", String, primary_key=True),
    Column("created_at", Float, nullable=False),
    Column("updated_at", Float, nullable=False),
    Column("state", String, nullable=False),
    Column("owner", String, nullable=False),
    Column("job_groups", Text, nullable=False),
    Column("body", Text, nullable=False),
    Index("jobs_created", "created_at"),
)
audit = Table(
    "audit",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("created_at", Float, nullable=False),
    Column("caller", String, nullable=False),
    Column("caller_role", String, nullable=False),
    Column("action", String, nullable=False),
    Column("detail", Text, nullable=False),
    Column("doc_ids", Text, nullable=False),
    Column("trace_id", String, nullable=False),
    Column("request_id", String, nullable=False),
    Index("audit_created", "created_at"),
)

_SERIAL = {"sqlite": "INTEGER PRIMARY KEY AUTOINCREMENT", "postgresql": "BIGSERIAL PRIMARY KEY"}

MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        "CREATE TABLE traces (trace_id TEXT PRIMARY KEY, created_at DOUBLE PRECISION NOT NULL, caller TEXT NOT NULL, "
        "caller_role TEXT NOT NULL, caller_groups TEXT, question TEXT NOT NULL, mode TEXT NOT NULL, "
        "not_found INTEGER NOT NULL, survival_drops INTEGER NOT NULL, ms DOUBLE PRECISION NOT NULL, "
        "answer TEXT NOT NULL)",
        "CREATE INDEX traces_created ON traces (created_at)",
        "CREATE TABLE trace_documents (trace_id TEXT NOT NULL, doc_id TEXT NOT NULL, doc_groups TEXT NOT NULL, "
        "PRIMARY KEY (trace_id, doc_id))",
        "CREATE INDEX trace_documents_doc ON trace_documents (doc_id)",
        "CREATE TABLE trace_marks (trace_id TEXT NOT NULL, mark TEXT NOT NULL, PRIMARY KEY (trace_id, mark))",
        "CREATE TABLE feedback (trace_id TEXT NOT NULL, caller TEXT NOT NULL, created_at DOUBLE PRECISION NOT NULL, "
        "verdict TEXT NOT NULL, why TEXT NOT NULL, PRIMARY KEY (trace_id, caller))",
        "CREATE TABLE jobs (job_id TEXT PRIMARY KEY, created_at DOUBLE PRECISION NOT NULL, "
        "updated_at DOUBLE PRECISION NOT NULL, state TEXT NOT NULL, owner TEXT NOT NULL, job_groups TEXT NOT NULL, "
        "body TEXT NOT NULL)",
        "CREATE INDEX jobs_created ON jobs (created_at)",
        "CREATE TABLE audit (id {serial}, created_at DOUBLE PRECISION NOT NULL, caller TEXT NOT NULL, "
        "caller_role TEXT NOT NULL, action TEXT NOT NULL, detail TEXT NOT NULL, doc_ids TEXT NOT NULL, "
        "trace_id TEXT NOT NULL, request_id TEXT NOT NULL)",
        "CREATE INDEX audit_created ON audit (created_at)",
    ),
)
"""Never edited once released: a change of the schema is a new entry."""


def open_database(settings: Settings) -> Database:
    """The database of the settings, migrated to the newest schema."""
    return Database(_engine(settings)).migrate()


class Database:
    """An engine with short transactions; safe to use from any thread."""

    def __init__(self, engine: sa.Engine) -> None:
        self.engine = engine

    @contextmanager
    def begin(self) -> Iterator[sa.Connection]:
        """A transaction that commits at the end of the block."""
        with self.engine.begin() as connection:
            yield connection

    def migrate(self, migrations: Sequence[Sequence[str]] = MIGRATIONS) -> Database:
        """Applies what is missing, in one transaction, also when two processes start at once.

        Raises:
            ConfigError: the database was written by a newer version.
        """
        with self.engine.begin() as connection:
            self._lock(connection)
            connection.execute(sa.text("CREATE TABLE IF NOT EXISTS schema_version (version INTEGER NOT NULL)"))
            current = connection.execute(sa.text("SELECT MAX(version) FROM schema_version")).scalar() or 0
            if current > len(migrations):
                raise ConfigError(
                    f"The trace database has schema {current}; this version knows {len(migrations)}.",
                    "Run the newer version, or set ALLROWS_DATABASE_URL to another database.",
                )
            for number, statements in enumerate(migrations[current:], start=current + 1):
                for statement in statements:
                    connection.execute(sa.text(statement.format(serial=_SERIAL[self.engine.dialect.name])))
                connection.execute(sa.text("INSERT INTO schema_version VALUES (:version)"), {"version": number})
        return self

    def _lock(self, connection: sa.Connection) -> None:
        if self.engine.dialect.name == "postgresql":
            connection.execute(sa.text("SELECT pg_advisory_xact_lock(4711)"))
        else:
            connection.execute(sa.text("BEGIN IMMEDIATE"))

    def close(self) -> None:
        self.engine.dispose()


def _engine(settings: Settings) -> sa.Engine:
    if settings.database_url:
        url = _driver(settings.database_url)
        try:
            return sa.create_engine(url, pool_pre_ping=True)
        except ModuleNotFoundError as error:
            raise ConfigError(
                f"ALLROWS_DATABASE_URL needs the package {error.name}.", 'Install it: pip install "allrows[postgres]"'
            ) from None
    path = settings.data_dir / "traces.sqlite"
    _private_file(path)
    engine = sa.create_engine(f"sqlite:///{path}", connect_args={"timeout": 30})
    sa.event.listen(engine, "connect", _sqlite_pragmas)
    return engine


def _driver(url: str) -> str:
    """`postgresql://` means psycopg 3, the driver that the `postgres` extra brings."""
    scheme, separator, rest = url.partition("://")
    if not separator or scheme.split("+")[0] not in {"postgresql", "postgres", "sqlite"}:
        raise ConfigError(
            "ALLROWS_DATABASE_URL is not a SQLite or PostgreSQL address.",
            "postgresql://USER:PASSWORD@HOST/NAME would work.",
        )
    return f"postgresql+psycopg://{rest}" if scheme in {"postgresql", "postgres"} else url


def _private_file(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))


def _sqlite_pragmas(connection: Any, _record: Any) -> None:
    """WAL: the command line reads while the server writes."""
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=NORMAL")
    cursor.close()

"""The command line: the only place that puts ingest and serve together.

Exit codes: 0 answered or done, 2 wrong usage or configuration, 3 not found, 4 some input files failed
(each named, the rest is done), 5 a dependency is unreachable.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer
from rich.console import Console

from contracts.errors import AllrowsError, UsageError
from contracts.questions import AskRequest
from contracts.settings import Settings, load_settings
from evaluation.cli import register as register_evaluation
from evaluation.parity_cli import register as register_parity
from ingest.cli import register as register_ingest
from serve.cli import opened
from serve.cli import register as register_service
from serve.keys_cli import register as register_keys
from store.cli import register as register_store

if TYPE_CHECKING:
    from serve.batch import Ask
    from serve.client import ServerClient
    from serve.jobs import IngestOptions, Ingestor
    from serve.services import Services

app = typer.Typer(
    help="Answers from payroll and finance documents, with proof that every row reached the prompt.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)
out = Console()
err = Console(stderr=True)

NOT_FOUND = 3
JsonOption = Annotated[bool, typer.Option("--json", help="One JSON object on standard output, nothing else.")]
DataOption = Annotated[Path | None, typer.Option("--data", help="Folder of the index; overrides ALLROWS_DATA_DIR.")]


def main() -> None:
    """Runs the command line; every known error becomes one clear line and an exit code."""
    try:
        app()
    except AllrowsError as error:
        err.print(f"[red]{type(error).__name__.rstrip('_')}[/red]: {error}", highlight=False, soft_wrap=True)
        raise SystemExit(error.exit_code) from None


def configured(**overrides: Any) -> Settings:
    given = {name: value for name, value in overrides.items() if value is not None}
    return load_settings(overrides=given)[0]


@contextmanager
def rebuilt(settings: Settings) -> Iterator[Services]:
    """Services over a new version of the index; readers get it when the block has ended well and it is whole."""
    from encode.bm25 import Bm25Encoder
    from encode.dense import load_dense
    from serve.services import fingerprints_of, open_services
    from store.rebuild import begin_rebuild

    made_with = fingerprints_of(load_dense(settings), Bm25Encoder())
    with begin_rebuild(settings, made_with) as rebuild:
        yield open_services(settings, index=rebuild.index)
        rebuild.publish()


def print_json(value: Any) -> None:
    sys.stdout.write(json.dumps(value, ensure_ascii=False) + "\n")


@app.command()
def ask(
    question: Annotated[str | None, typer.Argument(help="The question, in quotes.")] = None,
    batch: Annotated[
        Path | None, typer.Option(help='JSONL of {"id", "question", "filters"}; one Answer a line.')
    ] = None,
    filters: Annotated[list[str] | None, typer.Option("--filter", help="field=value; repeat for more.")] = None,
    strategy: Annotated[str | None, typer.Option(help="hybrid, dispatch, dense, bm25, rrf, umg, umgp.")] = None,
    trace: Annotated[bool, typer.Option("--trace", help="Show the stages.")] = False,
    explain: Annotated[bool, typer.Option("--explain", help="Show candidates, methods, roles and reasons.")] = False,
    xlsx: Annotated[Path | None, typer.Option(help="Write candidates, scores, roles and reasons to this file.")] = None,
    as_json: JsonOption = False,
    data: DataOption = None,
) -> None:
    """Answer a question with its rows, checks and citations."""
    settings = configured(data_dir=data, strategy=strategy)
    if batch is not None:
        _ask_batch(settings, strategy, batch)
        return
    if question is None:
        raise UsageError("There is no question.", 'Give one in quotes, or --batch FILE: allrows ask "How many …?"')
    from serve.render import render

    with _asker(settings, strategy) as asked:
        answer = asked(AskRequest(question=question, filters=parse_filters(filters or [])))
    if xlsx is not None:
        from serve.candidates_xlsx import write_candidates

        write_candidates(answer, xlsx)
        err.print(f"written: {xlsx}", highlight=False)
    if as_json:
        print_json(answer.model_dump(mode="json"))
    else:
        render(answer, out, trace=trace, explain=explain)
    if answer.not_found:
        raise typer.Exit(NOT_FOUND)


def parse_filters(pairs: list[str]) -> dict[str, tuple[str, ...]]:
    """`["doc_type=invoice", "doc_type=contract"]` → `{"doc_type": ("invoice", "contract")}`."""
    found: dict[str, tuple[str, ...]] = {}
    for pair in pairs:
        field, equals, value = pair.partition("=")
        if not equals or not field.strip() or not value.strip():
            raise UsageError(f"--filter {pair!r} is not field=value.", "For example --filter doc_type=invoice.")
        found[field.strip()] = (*found.get(field.strip(), ()), value.strip())
    return found


@contextmanager
def _asker(settings: Settings, strategy: str | None) -> Iterator[Ask]:
    """What answers: the graph in this process, or the server that holds this folder's index."""
    from serve.client import find_server

    server = find_server(settings)
    if server is not None:
        yield lambda request: server.ask(request.model_copy(update={"strategy": strategy}))
        return
    from serve.graph import ask as answer

    with opened(settings) as services:
        yield lambda request: answer(request, services)


def _ask_batch(settings: Settings, strategy: str | None, path: Path) -> None:
    from serve.batch import answer_lines

    with _asker(settings, strategy) as ask, path.open(encoding="utf-8") as lines:
        for answer in answer_lines(lines, ask):
            print_json(answer)


@app.command()
def ingest(
    paths: Annotated[list[Path], typer.Argument(help="Files and folders.")],
    workers: Annotated[int | None, typer.Option(help="Processes; default one for each core.")] = None,
    granularities: Annotated[str | None, typer.Option(help="Sentence windows, e.g. 2,4,8,16,32.")] = None,
    prune: Annotated[bool, typer.Option("--prune", help="Remove documents whose file is gone.")] = False,
    rebuild: Annotated[
        bool, typer.Option("--rebuild", help="Into a new version, live when whole; the old one is kept for rollback.")
    ] = False,
    target: Annotated[str | None, typer.Option(help="URL of a Qdrant server; overrides ALLROWS_QDRANT_URL.")] = None,
    ray: Annotated[
        bool, typer.Option("--ray", help="Process on the Ray cluster of RAY_ADDRESS, or a local one.")
    ] = False,
    as_json: JsonOption = False,
    data: DataOption = None,
) -> None:
    """Read files and folders into the index; unchanged files are skipped."""
    from ingest.pipeline import ingest as run
    from ingest.ray_pipeline import run_on_ray
    from ingest.render import progress, render_report
    from ingest.workers import run_in_processes
    from serve.client import find_server
    from serve.jobs import IngestOptions

    sizes = tuple(granularities.split(",")) if granularities else None
    settings = configured(data_dir=data, granularities=sizes, ingest_workers=workers, qdrant_url=target)
    server = find_server(settings)
    if server is not None:
        if rebuild or ray:
            raise UsageError(
                f"The server at {server.url} holds this index; --rebuild and --ray need it for themselves.",
                "Stop the server first, or leave them out.",
            )
        options = IngestOptions(workers=workers, granularities=settings.granularities if sizes else None, prune=prune)
        _ingest_there(server, paths, options, as_json)
    opening = rebuilt(settings) if rebuild else opened(settings, create=True)
    with opening as services, progress(err) as listener:
        report = run(
            paths,
            settings,
            services.index,
            dense=services.dense.get(),
            sparse=services.sparse,
            listener=listener,
            workers=workers,
            prune=prune,
            run=run_on_ray if ray else run_in_processes,
        )
    if as_json:
        print_json(report.model_dump(mode="json") | {"totals": report.totals.model_dump()})
    else:
        render_report(report, out)
    raise typer.Exit(report.exit_code)


def _ingest_there(server: ServerClient, paths: list[Path], options: IngestOptions, as_json: bool) -> NoReturn:
    """Hands the paths to the server that holds the index, and ends as this process would have."""
    from ingest.render import render_report
    from ingest.report import IngestReport

    def show(stage: str, done: int, total: int) -> None:
        err.print(f"{stage} {done} of {total}", highlight=False)

    outcome = server.ingest(paths, show, options)
    report = IngestReport.model_validate(outcome.detail)
    if as_json:
        print_json(report.model_dump(mode="json") | {"totals": report.totals.model_dump()})
    else:
        render_report(report, out)
    raise typer.Exit(report.exit_code)


@app.command()
def serve(
    host: Annotated[str | None, typer.Option(help="Address; others than loopback need keys.")] = None,
    port: Annotated[int | None, typer.Option(help="Port; 0 for any free one.")] = None,
    data: DataOption = None,
) -> None:
    """Serve the HTTP API, the console, /v1 for chat clients and /mcp, until a signal comes."""
    import logging

    from evaluation.live import evaluate_for_service
    from serve.server import check_before_opening
    from serve.server import serve as run

    settings = configured(data_dir=data, host=host, port=port)
    check_before_opening(settings)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s %(message)s", stream=sys.stderr)
    logging.getLogger("httpx").setLevel(logging.WARNING)
    with opened(settings, create=True) as services:
        run(
            services,
            _ingestor(services),
            evaluate_for_service,
            ready=lambda url: err.print(f"allrows listens on {url}", highlight=False),
        )


def _ingestor(services: Services) -> Ingestor:
    """Ingestion as the service needs it: it may not import `ingest` itself."""
    from ingest.manifest import Metadata
    from ingest.pipeline import ingest as run
    from ingest.report import IngestEvent
    from ingest.walk import InputFile
    from serve.jobs import IngestOutcome, Progress, UploadMeta

    def ingest_for_service(
        paths: Sequence[Path], meta: UploadMeta | None, options: IngestOptions, progress: Progress
    ) -> IngestOutcome:
        def described(path: Path) -> Path | InputFile:
            if meta is None:
                return path
            metadata = Metadata(doc_type=meta.doc_type, groups=meta.groups, period=meta.period)
            return InputFile(
                path=path, source=meta.source, name=path.name, metadata=metadata, size_bytes=path.stat().st_size
            )

        def listener(event: IngestEvent) -> None:
            progress(event.name or event.kind, event.done, event.total)

        changes = {"granularities": options.granularities} if options.granularities is not None else {}
        report = run(
            [described(p) for p in paths],
            services.settings.model_copy(update=changes),
            services.index,
            dense=services.dense.get(),
            sparse=services.sparse,
            listener=listener,
            workers=options.workers,
            prune=options.prune,
        )
        return IngestOutcome(
            documents=tuple(d.doc_id for d in report.documents if d.doc_id and d.status != "failed"),
            failed={d.name: d.detail for d in report.documents if d.status == "failed"},
            detail=report.model_dump(mode="json") if meta is None else {},
        )

    return ingest_for_service


for register in (
    register_ingest,
    register_service,
    register_keys,
    register_evaluation,
    register_parity,
    register_store,
):
    register(app)

if __name__ == "__main__":
    main()

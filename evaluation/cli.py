"""`allrows eval`, `survive`, `bench` and `demo`. `register` adds them to the command line; what they need is imported late."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from contracts.errors import UsageError
from contracts.settings import load_settings

if TYPE_CHECKING:
    from contracts.settings import Settings
    from evaluation.collect import Progress
    from evaluation.golden import GoldenSet
    from evaluation.report import EvalReport, Variant
    from serve.services import Services

REGRESSION = 1
out = Console()
err = Console(stderr=True)

GoldenArgument = Annotated[Path | None, typer.Argument(help="A golden set; the sample corpus' own by default.")]
JsonOption = Annotated[bool, typer.Option("--json", help="One JSON object on standard output, nothing else.")]
DataOption = Annotated[
    Path | None, typer.Option("--data", help="Folder of the index that a set without a corpus is asked of.")
]


def register(app: typer.Typer) -> None:
    app.command(name="eval")(evaluate)
    app.command()(survive)
    app.command()(bench)
    app.command()(demo)


def evaluate(
    golden: GoldenArgument = None,
    ablate: Annotated[bool, typer.Option("--ablate", help="Also with stages left out.")] = False,
    sweep: Annotated[list[str] | None, typer.Option(help="setting=value,value,…; repeat for more.")] = None,
    html: Annotated[
        Path | None, typer.Option(help="One self-contained page with plots and every wrong answer.")
    ] = None,
    junit: Annotated[Path | None, typer.Option(help="JUnit XML for CI.")] = None,
    baseline: Annotated[Path | None, typer.Option(help="Stored figures; GOLDEN.baseline.json by default.")] = None,
    save_baseline: Annotated[bool, typer.Option("--save-baseline", help="Store this run's figures.")] = False,
    documented: Annotated[Path | None, typer.Option(help="Settings that must be in force.")] = None,
    init: Annotated[Path | None, typer.Option(help="Draft a golden set from a folder of documents.")] = None,
    output: Annotated[Path | None, typer.Option(help="Where --init writes; FOLDER.golden.yaml by default.")] = None,
    as_json: JsonOption = False,
    data: DataOption = None,
) -> None:
    """Ask a golden set, measure harm and quality, and exit 1 on any regression."""
    from evaluation.baseline import baseline_path, load_baseline, make_baseline
    from evaluation.baseline import save_baseline as store
    from evaluation.corpus import GOLDEN

    if init is not None:
        _draft(init, output)
        return
    path = golden or GOLDEN
    stored = baseline or baseline_path(path)
    settings, _ = load_settings(overrides={"data_dir": data} if data is not None else None)
    report = _report(path, settings, stored, documented, ablate, tuple(sweep or ()))
    if html is not None:
        from evaluation.render_html import html_report

        html.write_text(html_report(report), encoding="utf-8")
    if junit is not None:
        from evaluation.render_junit import junit_xml

        junit.write_text(junit_xml(report), encoding="utf-8")
    if as_json:
        sys.stdout.write(report.model_dump_json() + "\n")
    else:
        from evaluation.render_terminal import render_report

        render_report(report, out)
    if save_baseline:
        right = [o.question.id for o in report.outcomes if o.judgement.correct]
        store(make_baseline(report.golden, report.metrics, right), stored)
        err.print(f"stored: {stored}")
    elif load_baseline(stored) is None:
        err.print(f"no baseline at {stored}: only the hard gates were checked (--save-baseline stores one)")
    if not report.passed:
        raise typer.Exit(REGRESSION)


def _draft(folder: Path, output: Path | None) -> None:
    from evaluation.draft import draft, draft_text

    if not folder.is_dir():
        raise UsageError(f"--init: {folder} is no folder.", "Give the folder that holds the documents.")
    golden, problems = draft(folder)
    path = output or Path(f"{folder.resolve().name}.golden.yaml")
    if path.exists():
        raise UsageError(f"{path} exists.", "Choose another name with --output.")
    path.write_text(draft_text(golden), encoding="utf-8")
    for problem in problems:
        err.print(problem, highlight=False)
    err.print(f"{len(golden.questions)} questions drafted: {path}. Check the expected values before you trust them.")


def _report(
    path: Path, settings: Settings, stored: Path, documented: Path | None, ablate: bool, sweeps: tuple[str, ...]
) -> EvalReport:
    from evaluation.baseline import load_baseline
    from evaluation.configured import DOCUMENTED, load_documented
    from evaluation.corpus import corpus_services
    from evaluation.golden import load_golden
    from evaluation.live import Wanted, evaluate, evaluate_there, holder

    golden = load_golden(path)
    if sweeps and golden.corpus is None:
        raise UsageError("--sweep needs a golden set that names its corpus.", "Add `corpus: FOLDER` to it.")
    expected = load_documented(documented or DOCUMENTED)
    wanted = Wanted(golden=golden, baseline=load_baseline(stored), documented=expected, ablations=ablate)
    server = holder(golden, settings)
    if server is not None:
        with _progress() as progress:
            return evaluate_there(server, wanted, progress)
    with corpus_services(golden, path, settings) as services, _progress() as progress:
        report = evaluate(services, wanted, progress)
        swept = [variant for text in sweeps for variant in _sweep(text, golden, path, services)]
    return report.model_copy(update={"variants": (*report.variants, *swept)})


def _sweep(text: str, golden: GoldenSet, path: Path, services: Services) -> tuple[Variant, ...]:
    from evaluation.ablation import reopened, sweep

    name, equals, values = text.partition("=")
    if not equals or not values:
        raise UsageError(f"--sweep {text!r} is not setting=value,value.", "For example --sweep weight_dense=0.5,0.65.")
    assert golden.corpus is not None
    files, cache = [path.parent / golden.corpus], services.settings.data_dir / "sweep"
    return sweep(golden, services, name, values.split(","), lambda s: reopened(files, s, services, cache))


@contextmanager
def _progress() -> Iterator[Progress]:
    from rich.progress import Progress as Bar

    with Bar(console=err, transient=True) as bar:
        task = bar.add_task("questions", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def survive(
    golden: GoldenArgument = None,
    plot: Annotated[
        Path | None, typer.Option(help="Draw identifiers × stages of every question into this SVG.")
    ] = None,
    as_json: JsonOption = False,
    data: DataOption = None,
) -> None:
    """Follow every identifier of a golden set from extraction to the prompt; exit 1 when one is lost."""
    from evaluation.corpus import GOLDEN
    from evaluation.survival import follow_identifiers, losses, render_survival, survival_json, survival_svg

    settings, _ = load_settings(overrides={"data_dir": data} if data is not None else None)
    with _progress() as progress:
        outcomes = follow_identifiers(golden or GOLDEN, settings, progress)
    if plot is not None:
        plot.write_text(survival_svg(outcomes), encoding="utf-8")
    if as_json:
        sys.stdout.write(survival_json(outcomes) + "\n")
    else:
        render_survival(outcomes, out)
    if losses(outcomes):
        raise typer.Exit(REGRESSION)


def bench(
    rounds: Annotated[int, typer.Option(help="Times each golden question is asked.")] = 3,
    cold: Annotated[int, typer.Option(help="Fresh processes timed.")] = 3,
    against: Annotated[Path | None, typer.Option(help="A stored result; exit 1 when something got slower.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Time answers stage by stage on the sample corpus, warm and cold."""
    from evaluation.bench import load_bench, render_bench, slower, summarise
    from evaluation.bench_ask import measure

    before = load_bench(against) if against is not None else None
    result = summarise(measure(rounds, cold))
    if as_json:
        sys.stdout.write(result.model_dump_json() + "\n")
    else:
        render_bench(result, before, out)
    regressions = slower(result, before) if before is not None else ()
    for line in regressions:
        err.print(line, highlight=False)
    if regressions:
        raise typer.Exit(REGRESSION)


def demo(
    data: Annotated[
        Path | None, typer.Option("--data", help="Folder of the demo's index; a temporary one by default.")
    ] = None,
) -> None:
    """Ingest the sample documents and answer three questions with their proof."""
    from evaluation.demo import run_demo

    settings, _ = load_settings()
    if data is not None:
        run_demo(settings, data, out)
        return
    with tempfile.TemporaryDirectory(prefix="allrows-demo-") as folder:
        run_demo(settings, Path(folder), out)

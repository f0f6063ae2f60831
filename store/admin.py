"""What `allrows doctor`, `doctor --fix` and `rollback` do to the index."""

from __future__ import annotations

from dataclasses import dataclass

from contracts.errors import IndexError_
from contracts.settings import Settings
from store.engine import Catalogue, Engine
from store.findings import Problem, content_problems, schema_problems
from store.open import catalogue_of
from store.publish import Publisher
from store.rebuild import building, previous, roll_back
from store.schema import INDEXED, SCHEMA_VERSION
from store.view import View, read_view

MENDED = ("index", "engine", "half", "orphan", "incomplete", "alias", "leftover")


@dataclass(frozen=True, slots=True)
class Finding:
    """`fixable`: `doctor --fix` takes care of it."""

    text: str
    remedy: str
    fixable: bool


def diagnose(settings: Settings) -> list[Finding]:
    """Everything wrong with aliases, versions, schema and points. Changes nothing.

    Raises:
        StoreUnavailable, IndexLocked: the store cannot be looked at.
    """
    catalogue = catalogue_of(settings)
    try:
        return [_finding(p) for p in problems_of(catalogue, settings.collection)]
    finally:
        catalogue.close()


def mend(settings: Settings) -> list[str]:
    """Repairs what can be repaired without the files; says what it did, one line each.

    Not while an ingestion runs on the same server: its half-published documents would be undone.
    """
    catalogue = catalogue_of(settings)
    try:
        return mend_on(catalogue, settings.collection)
    finally:
        catalogue.close()


def rollback(settings: Settings) -> str:
    """Makes the previous version live again; the present one becomes the previous. Returns what was done."""
    catalogue = catalogue_of(settings)
    try:
        now, before = roll_back(catalogue, settings.collection)
        return f"`{settings.collection}` is now {now}; {before} is kept as the previous version."
    finally:
        catalogue.close()


def remove(settings: Settings) -> None:
    """Drops the index of `settings.collection` with its previous and half-built versions."""
    catalogue = catalogue_of(settings)
    try:
        live = settings.collection
        catalogue.assign(dict.fromkeys((live, previous(live), building(live))))
        for name in catalogue.names():
            if name.startswith(f"{live}--"):
                catalogue.drop(name)
    finally:
        catalogue.close()


def problems_of(catalogue: Catalogue, live: str) -> list[Problem]:
    found = _alias_problems(catalogue, live)
    engine = _live_engine(catalogue, live)
    if engine is None:
        return found
    view = _view(engine)
    if view is None:
        return [*found, Problem("schema", "state", f"{engine.collection} has no state: it was never complete")]
    if view.schema != SCHEMA_VERSION:
        found.append(Problem("schema", "version", f"schema version is {view.schema}, not {SCHEMA_VERSION}"))
    schema = schema_problems(engine.facts())
    blocked = any(p.subject == "limits" for p in schema)  # the points cannot be counted before that is mended
    return [*found, *schema, *([] if blocked else content_problems(engine, view))]


def mend_on(catalogue: Catalogue, live: str) -> list[str]:
    done = _mend_aliases(catalogue, live)
    engine = _live_engine(catalogue, live)
    view = _view(engine) if engine is not None else None
    if engine is None or view is None:
        return done
    for problem in schema_problems(engine.facts()):
        if problem.trouble == "index":
            engine.create_indexes({problem.subject: INDEXED[problem.subject]})
            done.append(f"created the payload index on `{problem.subject}`")
        elif problem.subject in ("strict", "limits"):
            engine.harden()
            done.append(f"set strict mode as declared: {problem.text}")
    publisher = Publisher(engine)
    done += publisher.repair()
    for problem in content_problems(engine, read_view(engine)):
        if problem.trouble == "orphan":
            publisher.purge(problem.subject)
            done.append(f"removed what belongs to no document: {problem.text}")
        elif problem.trouble == "incomplete":
            publisher.delete(problem.subject)
            done.append(f"removed an incomplete document, ingest it again: {problem.text}")
    return done


def _alias_problems(catalogue: Catalogue, live: str) -> list[Problem]:
    names, aliases = set(catalogue.names()), catalogue.aliases()
    found = []
    for alias in (live, previous(live), building(live)):
        target = aliases.get(alias)
        if target is not None and target not in names:
            found.append(Problem("alias", alias, f"alias `{alias}` points to {target}, which is not there"))
    if aliases.get(building(live)) in names:
        text = f"a rebuild was not finished ({aliases[building(live)]})"
        found.append(Problem("unfinished", building(live), text))
    for name in _leftovers(catalogue, live):
        found.append(Problem("leftover", name, f"collection {name} belongs to no alias"))
    return found


def _mend_aliases(catalogue: Catalogue, live: str) -> list[str]:
    """A live alias without its collection goes to the previous version, else to the newest whole one."""
    done = []
    names, aliases = set(catalogue.names()), catalogue.aliases()
    if aliases.get(live) not in names:
        candidates = [aliases.get(previous(live)), *sorted(_leftovers(catalogue, live), reverse=True)]
        whole = next((c for c in candidates if c in names and c is not None and _whole(catalogue, c)), None)
        if whole is not None:
            catalogue.assign({live: whole, previous(live): None})
            done.append(f"pointed `{live}` to {whole}")
        elif live in aliases:
            catalogue.assign({live: None})
            done.append(f"removed the alias `{live}`, which pointed nowhere; ingest again")
    for alias in (previous(live), building(live)):
        if catalogue.aliases().get(alias, live) not in {*names, live}:
            catalogue.assign({alias: None})
            done.append(f"removed the alias `{alias}`, which pointed nowhere")
    for name in _leftovers(catalogue, live):
        catalogue.drop(name)
        done.append(f"dropped {name}, which belonged to no alias")
    return done


def _leftovers(catalogue: Catalogue, live: str) -> list[str]:
    used = set(catalogue.aliases().values())
    return [n for n in catalogue.names() if n.startswith(f"{live}--") and n not in used]


def _whole(catalogue: Catalogue, name: str) -> bool:
    engine = catalogue.open(name)
    view = _view(engine)
    return view is not None and not content_problems(engine, view)


def _live_engine(catalogue: Catalogue, live: str) -> Engine | None:
    target = catalogue.aliases().get(live)
    return catalogue.open(target) if target in catalogue.names() and target is not None else None


def _view(engine: Engine) -> View | None:
    try:
        return read_view(engine)
    except IndexError_:
        return None


def _finding(problem: Problem) -> Finding:
    if problem.trouble in MENDED:
        return Finding(problem.text, "`allrows doctor --fix` repairs it.", True)
    if problem.trouble == "unfinished":
        return Finding(problem.text, "`allrows ingest --rebuild` goes on with it.", False)
    return Finding(problem.text, "`allrows ingest --rebuild` makes a new index.", False)

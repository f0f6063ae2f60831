"""What the question asks, which documents it can be about, which methods run."""

from __future__ import annotations

from contracts.errors import UsageError
from contracts.filters import Match, Scope
from contracts.marks import Mark
from contracts.questions import Question
from serve.detect import has_outline
from serve.run import Run


def analyse(run: Run) -> Run:
    from serve.analyse import analyse as understand

    text = run.request.question.strip()
    limit = run.services.settings.max_question_chars
    if not text:
        raise UsageError("The question is empty.", "Ask something, e.g. how many employees a register lists.")
    if len(text) > limit:
        raise UsageError(f"The question has {len(text)} characters, more than {limit}.", "Shorten it.")
    index = run.services.index
    permitted = _permitted(run)
    with run.recorder.stage("analyse", 1) as stage:
        version = index.version
        documents = index.documents(permitted)
        question = understand(text, run.services.lexicon, documents)
        stage.out(1)
        stage.note(documents_in_scope=len(documents), question=question.model_dump(mode="json", exclude={"text"}))
    return run.having(question=question, permitted=permitted, documents=documents, index_version=version)


def _permitted(run: Run) -> Scope:
    scope = run.request.caller.scope()
    return scope.and_(*(Match(field=f, any_of=tuple(v)) for f, v in run.request.filters.items()))


def narrow(run: Run) -> Run:
    from serve.narrow import narrow as narrow_scope

    services = run.services
    with run.recorder.stage("narrow", len(run.documents)) as stage:
        narrowed = narrow_scope(run.question, run.documents, run.permitted, services.index, services.sparse)
        stage.out(len(narrowed.documents))
        stage.note(reasons=list(narrowed.reasons), missing=list(narrowed.missing))
        kept = {d.doc_id for d in narrowed.documents}
        for document in run.documents:
            if document.doc_id not in kept:
                stage.drop(document.name, "does not agree with what the question names")
        if narrowed.relaxed:
            run.recorder.mark(Mark.SCOPE_RELAXED)
    return run.having(narrowed=narrowed, question=_with_inner(run.question, narrowed.inner))


def dispatch(run: Run) -> Run:
    from serve.dispatch import dispatch as choose

    strategy = run.request.strategy or run.services.settings.strategy
    with run.recorder.stage("dispatch", 1) as stage:
        question = _with_divergence(run) if strategy == "dispatch" else run.question
        chosen = choose(question, strategy, has_outline=has_outline(run))
        stage.out(len(chosen.run))
        stage.note(strategy=chosen.strategy, run=list(chosen.run), reasons=chosen.reasons)
    return run.having(question=question, dispatch=chosen)


def _with_divergence(run: Run) -> Question:
    """Only the strategy that may leave embeddings out has to know, before anything is retrieved."""
    from serve.keyword_detector import absent_terms, diverges

    chunks = run.scope.and_(Match(field="granularity", any_of=(0,)))
    absent = absent_terms(run.question, run.services.index, chunks, run.services.sparse)
    return run.question.model_copy(update={"diverges": run.question.diverges or diverges(run.question, absent)})


def _with_inner(question: Question, inner: tuple[str, ...]) -> Question:
    """The question, and its halves, with those of their names that say no document."""
    own = tuple(n for n in question.names if n in inner)
    parts = tuple(_with_inner(part, inner) for part in question.parts)
    return question.model_copy(update={"inner": own, "parts": parts}) if inner else question

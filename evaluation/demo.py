"""Three questions on the sample documents: one counted, one looked up, one that has no answer."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console
from rich.rule import Rule

from contracts.questions import AskRequest
from contracts.settings import Settings
from evaluation.corpus import SAMPLES, ingested
from serve.graph import ask
from serve.render import render

QUESTIONS = (
    "How many employees are in the April 2025 salary register?",
    "What is the total of invoice STL/2025-26/003?",
    "What does the leave and travel policy say about data breaches?",
)


def run_demo(settings: Settings, data: Path, console: Console) -> None:
    """Reads the samples into an index in `data` and shows the answers."""
    console.print(f"Sample documents: {SAMPLES}")
    with ingested([SAMPLES], settings, data) as services:
        state = services.index.state()
        console.print(f"Read: {state.documents} documents, {state.tables} tables, {state.chunks} chunks\n")
        for question in QUESTIONS:
            console.print(Rule(question, align="left"))
            render(ask(AskRequest(question=question), services), console, trace=True)
            console.print()

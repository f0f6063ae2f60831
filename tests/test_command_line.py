"""The command line as its users type it: real files, real engine, real models, exit codes of the design."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import pytest
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.pdfgen.canvas import Canvas

import allrows

SAMPLES = Path(__file__).parents[1] / "evaluation" / "samples"
APRIL = "How many employees are in the April 2025 salary register?"


@pytest.fixture
def run(capsys, monkeypatch):
    """`run("ask", …)` → (exit code, standard output, standard error)."""

    def call(*arguments: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["allrows", *map(str, arguments)])
        monkeypatch.setenv("COLUMNS", "200")
        capsys.readouterr()
        try:
            allrows.main()
            code = 0
        except SystemExit as stop:
            code = int(stop.code or 0)
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return call


@pytest.fixture(scope="module")
def data(tmp_path_factory) -> Path:
    """An index of the sample corpus."""
    folder = tmp_path_factory.mktemp("data")
    sys.argv, old = ["allrows", "ingest", str(SAMPLES), "--data", str(folder)], sys.argv
    with pytest.raises(SystemExit) as stop:
        allrows.main()
    sys.argv = old
    assert not stop.value.code
    return folder


def test_the_twelve_employees_stay_twelve(run, data):
    code, out, _ = run("ask", APRIL, "--data", data, "--trace")
    assert code == 0
    assert "12 employees" in out
    assert "12 of 12" in out
    assert "Salary_Register_April_2025.pdf, page 1" in out
    for stage in ("analyse", "retrieve", "fuse", "compute", "rerank", "arbitrate", "compress", "prompt"):
        assert stage in out


def test_json_is_one_object_and_carries_the_proof(run, data):
    code, out, _ = run("ask", APRIL, "--data", data, "--json")
    assert code == 0
    answer = json.loads(out)
    assert answer["computed"]["value"] in ("12", 12)
    assert answer["coverage"]["rows_used"] == 12
    assert answer["coverage"]["complete"] is True
    survival = answer["pipeline"]["survival"]
    assert len(survival["identifiers"]) == 12
    assert set(survival["stages"]) == {"extraction", "chunks", "retrieval", "rerank", "compression", "prompt"}
    assert all(len(present) == 12 for present in survival["stages"].values())
    assert {c["name"] for c in answer["coverage"]["checks"]} >= {"footing", "orphans", "provenance"}


def test_not_found_has_its_exit_code_and_says_what_was_searched(run, data):
    code, out, _ = run("ask", "How many employees are in the June 2025 salary register?", "--data", data, "--json")
    answer = json.loads(out)
    assert code == 3
    assert answer["not_found"] is True
    assert answer["not_found_reason"] == "no_documents"
    assert answer["searched"]


def test_a_filter_narrows_and_a_wrong_one_is_refused(run, data):
    code, out, _ = run("ask", "What is the liability cap?", "--filter", "doc_type=policy", "--data", data, "--json")
    assert code == 3, out
    code, _, err = run("ask", "What is the liability cap?", "--filter", "colour=red", "--data", data)
    assert code == 2
    assert "colour" in err
    code, _, err = run("ask", "What?", "--filter", "doc_type", "--data", data)
    assert code == 2
    assert "field=value" in err


@pytest.mark.parametrize(
    ("question", "code"), [("", 2), ("   ", 2), ("x" * 10_001, 2), ("salary", None), ("salary " * 1_400, None)]
)
def test_odd_questions(run, data, question, code):
    found, out, err = run("ask", question, "--data", data)
    assert found in ((0, 3) if code is None else (code,)), err
    assert out if code is None else "question" in err.lower()


def test_batch_keeps_order_and_a_bad_line_does_not_stop_it(run, data, tmp_path):
    lines = [
        {"id": "a", "question": APRIL},
        "not json",
        {"id": "c", "question": "What is the liability cap?", "filters": {"doc_type": "contract"}},
        {"id": "d", "question": ""},
    ]
    batch = tmp_path / "questions.jsonl"
    batch.write_text("\n".join(x if isinstance(x, str) else json.dumps(x) for x in lines))
    code, out, _ = run("ask", "--batch", batch, "--data", data)
    answers = [json.loads(line) for line in out.splitlines()]
    assert code == 0
    assert [a["id"] for a in answers] == ["a", None, "c", "d"]
    assert "12" in answers[0]["answer"]
    assert "line 2" in answers[1]["error"]
    assert "50,00,000" in answers[2]["answer"]
    assert "empty" in answers[3]["error"]


def test_asking_without_an_index_says_how_to_make_one(run, tmp_path):
    code, _, err = run("ask", APRIL, "--data", tmp_path / "nothing")
    assert code == 2
    assert "allrows ingest" in err
    assert not (tmp_path / "nothing" / "index").exists()


def test_ingesting_twice_changes_nothing_and_a_change_replaces_its_own_chunks(run, tmp_path):
    files, data = tmp_path / "payroll", tmp_path / "data"
    shutil.copytree(SAMPLES / "payroll", files)
    register = files / "Salary_Register_April_2025.pdf"
    _, out, _ = run("ingest", files, "--data", data, "--json")
    first = json.loads(out)
    _, out, _ = run("ingest", files, "--data", data, "--json")
    second = json.loads(out)
    assert {d["status"] for d in first["documents"]} == {"added"}
    assert {d["status"] for d in second["documents"]} == {"unchanged"}
    shutil.copy(SAMPLES / "invoices" / "INV2025001.pdf", register)
    _, out, _ = run("ingest", files, "--data", data, "--json")
    assert sorted(d["status"] for d in json.loads(out)["documents"]) == ["changed", "unchanged"]
    _, out, _ = run("ask", "What is the net pay of ST007?", "--data", data, "--json")
    assert {c["doc_name"] for c in json.loads(out)["citations"]} == {"Salary_Register_March_2025.pdf"}


@pytest.fixture
def mixed_folder(tmp_path) -> Path:
    """One good register among files that cannot be used."""
    folder = tmp_path / "mixed"
    folder.mkdir()
    good = SAMPLES / "payroll" / "Salary_Register_April_2025.pdf"
    shutil.copy(good, folder)
    (folder / "zero.pdf").write_bytes(b"")
    (folder / "truncated.pdf").write_bytes(good.read_bytes()[:900])
    (folder / "renamed.pdf").write_text("Name,Pay\nAnn,100\n")
    locked = Canvas(str(folder / "locked.pdf"), encrypt=StandardEncryption("secret", canPrint=0))
    locked.drawString(72, 700, "hidden")
    locked.save()
    image = Canvas(str(folder / "scan.pdf"))
    image.rect(72, 72, 200, 200, fill=1)
    image.save()
    return folder


def test_bad_files_are_named_with_a_remedy_and_the_rest_goes_on(run, mixed_folder, tmp_path):
    data = tmp_path / "data"
    code, out, _ = run("ingest", mixed_folder, "--data", data, "--json")
    report = json.loads(out)
    status = {d["name"]: (d["status"], d["detail"]) for d in report["documents"]}
    assert code == 4
    assert status["Salary_Register_April_2025.pdf"][0] == "added"
    for name, says in (
        ("zero.pdf", "empty"),
        ("truncated.pdf", "cut off"),
        ("renamed.pdf", "not a PDF"),
        ("locked.pdf", "password"),
        ("scan.pdf", "OCR"),
    ):
        assert status[name][0] == "failed"
        assert says.lower() in status[name][1].lower(), status[name]
        assert name in status[name][1]
    code, out, _ = run("ask", APRIL, "--data", data)
    assert code == 0
    assert "12 of 12" in out


@pytest.mark.parametrize("names", [["Salary_Register_April_2025.pdf"], None])
def test_corpora_of_one_and_two_documents(run, tmp_path, names):
    files = tmp_path / "payroll"
    files.mkdir()
    for path in (SAMPLES / "payroll").glob("*.pdf"):
        if names is None or path.name in names:
            shutil.copy(path, files)
    run("ingest", files, "--data", tmp_path / "data")
    code, out, _ = run("ask", APRIL, "--data", tmp_path / "data", "--json")
    answer = json.loads(out)
    assert code == 0
    assert answer["computed"]["value"] in ("12", 12)
    bm25 = [c["scores"]["bm25"]["raw"] for c in answer["pipeline"]["candidates"] if "bm25" in c["scores"]]
    assert max(bm25) > 0


def test_extract_prints_the_shape_of_the_design(run):
    code, out, _ = run("extract", SAMPLES / "payroll" / "Salary_Register_April_2025.pdf", "--json")
    parsed = json.loads(out)
    assert code == 0
    assert {"doc_id", "name", "pages", "lines", "outline", "tables", "warnings"} <= set(parsed)
    table = parsed["tables"][0]
    assert {"table_id", "columns", "pages", "source", "warnings", "rows"} <= set(table)
    assert {"index", "page", "cells", "role", "line_start", "line_end", "bbox"} <= set(table["rows"][0])
    assert [r["cells"][0] for r in table["rows"] if r["role"] == "body"] == [f"ST{n:03}" for n in range(1, 13)]
    code, _, err = run("extract", "no-such.pdf")
    assert code == 4
    assert "no-such.pdf" in err


def test_doctor_shows_settings_models_and_the_index(run, data, monkeypatch):
    monkeypatch.setenv("ALLROWS_CHUNK_OVERLAP", "150")
    code, out, _ = run("doctor", "--data", data, "--json")
    diagnosis = json.loads(out)
    origin = {s["name"]: s["origin"] for s in diagnosis["settings"]}
    assert code == 0, diagnosis["problems"]
    assert origin["chunk_overlap"] == "environment ALLROWS_CHUNK_OVERLAP"
    assert origin["chunk_size"] == "default"
    assert all(m["ok"] and len(m["sha256"]) == 64 for m in diagnosis["models"])
    assert diagnosis["index"]["documents"] == 8


def test_a_wrong_setting_stops_with_its_name_and_a_value_that_works(run, data, monkeypatch):
    monkeypatch.setenv("ALLROWS_WEIGHT_DENSE", "0.9")
    code, _, err = run("ask", APRIL, "--data", data)
    assert code == 2
    assert "WEIGHT_BM25=0.1 would work" in err


def test_replay_gives_the_same_answer_and_says_what_differs(run, data, monkeypatch):
    _, out, _ = run("ask", APRIL, "--data", data, "--json")
    trace = json.loads(out)["trace_id"]
    for way in ([], ["--generation-only"]):
        code, out, _ = run("replay", trace, "--data", data, "--json", *way)
        report = json.loads(out)
        assert code == 0
        assert report["same"] is True
        assert report["before"] == report["after"]
        assert report["differences"] == []
    monkeypatch.setenv("ALLROWS_RERANK", "false")
    code, out, _ = run("replay", trace, "--data", data, "--json")
    report = json.loads(out)
    assert any(d["after"] == "rerank=False" for d in report["differences"])
    code, _, err = run("replay", "no-such-trace", "--data", data)
    assert code == 2
    assert "no-such-trace" in err


def test_traces_lists_what_was_asked(run, data):
    run("ask", "What is the liability cap?", "--data", data)
    _, out, _ = run("traces", "--limit", 1, "--data", data, "--json")
    assert [t["question"] for t in json.loads(out)] == ["What is the liability cap?"]


def test_candidates_as_a_worksheet(run, data, tmp_path):
    from openpyxl import load_workbook

    target = tmp_path / "out.xlsx"
    run("ask", "What is the liability cap?", "--data", data, "--xlsx", target)
    sheet = load_workbook(target)["Candidates"]
    header = [cell.value for cell in sheet[1]]
    roles = [row[header.index("role")].value for row in sheet.iter_rows(min_row=2)]
    assert {"reason", "fused", "rerank score", "dense raw"} <= set(header)
    assert "primary" in roles
    assert all(roles)

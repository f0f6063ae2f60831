"""The compose file as Docker would read it: what it starts, and that it ships no secret."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from contracts.settings import Settings

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docker-compose.yml").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def services() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(TEXT)["services"]
    return found


def in_profile(services: dict[str, Any], profile: str) -> set[str]:
    return {name for name, s in services.items() if profile in s["profiles"]}


def test_what_each_profile_starts(services: dict[str, Any]) -> None:
    assert in_profile(services, "single") == {"qdrant", "allrows"}
    assert in_profile(services, "cluster") == {"qdrant-1", "qdrant-2", "qdrant-3", "allrows-replicas"}
    assert services["allrows-replicas"]["deploy"]["replicas"] == 2
    assert services["allrows-replicas"]["environment"]["ALLROWS_QDRANT_REPLICATION"] == "2"


def test_no_secret_has_a_default(services: dict[str, Any]) -> None:
    for variable in re.findall(r"\$\{(\w*(?:KEY|PASSWORD|SECRET|TOKEN)\w*)(:?[-?][^}]*)\}", TEXT):
        assert variable[1].startswith(":?") or variable[1] == ":-", variable
    for service in services.values():
        for name, value in service["environment"].items():
            if "KEY" in name:
                assert value.startswith("${")


def test_every_qdrant_is_watched_and_keeps_its_data(services: dict[str, Any]) -> None:
    volumes = set(yaml.safe_load(TEXT)["volumes"])
    for name, service in services.items():
        (mount,) = service["volumes"]
        assert mount.split(":")[0] in volumes
        if name.startswith("qdrant"):
            assert "readyz" in service["healthcheck"]["test"][-1] and "ports" not in service
        else:
            assert all(v == {"condition": "service_healthy"} for v in service["depends_on"].values())
            assert all(port.startswith("127.0.0.1:") for port in service["ports"])
    assert "HEALTHCHECK" in (ROOT / "Dockerfile").read_text(encoding="utf-8")


def compose() -> list[str] | None:
    """The command of Compose on this machine: a program of its own, or Docker's plugin."""
    if shutil.which("docker-compose"):
        return ["docker-compose"]
    if shutil.which("docker") and subprocess.run(["docker", "compose", "version"], capture_output=True).returncode == 0:
        return ["docker", "compose"]
    return None


@pytest.mark.skipif(compose() is None, reason="needs Docker Compose, e.g. Debian's package docker-compose")
@pytest.mark.parametrize("profile", ["single", "cluster"])
def test_compose_itself_reads_it(services: dict[str, Any], profile: str) -> None:
    command = [*(compose() or ()), "--project-directory", str(ROOT), "-f", str(ROOT / "docker-compose.yml")]
    command += ["--profile", profile, "config"]
    environment = {"PATH": os.environ["PATH"], "HOME": os.environ.get("HOME", "/")}
    done = subprocess.run(command, capture_output=True, text=True, env={**environment, "QDRANT_API_KEY": "a key"})
    assert done.returncode == 0, done.stderr
    read = yaml.safe_load(done.stdout)["services"]
    assert in_profile(services, profile) <= set(read)
    assert all(read[n]["environment"] for n in in_profile(services, profile))
    refused = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert refused.returncode != 0 and "set QDRANT_API_KEY" in refused.stderr


def test_every_setting_in_it_exists(services: dict[str, Any]) -> None:
    set_here = {n for s in services.values() for n in s["environment"] if n.startswith(("ALLROWS_", "OPENAI_"))}
    set_here |= set(re.findall(r"(ALLROWS_\w+)=", (ROOT / "Dockerfile").read_text(encoding="utf-8")))
    assert {n.removeprefix("ALLROWS_").lower() for n in set_here} <= set(Settings.model_fields)

"""`allrows keys`. `register` adds the group to the command line; what it needs is imported late."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from contracts.errors import UsageError
from contracts.settings import load_settings

if TYPE_CHECKING:
    from serve.keys import KeyStore

out = Console()
err = Console(stderr=True)
JsonOption = Annotated[bool, typer.Option("--json", help="One JSON object on standard output, nothing else.")]
DataOption = Annotated[Path | None, typer.Option("--data", help="Folder of the index; overrides ALLROWS_DATA_DIR.")]
keys = typer.Typer(help="Keys of the service: who may call it, in which role, for which groups' documents.")


def register(app: typer.Typer) -> None:
    app.add_typer(keys, name="keys")


def _key_store(data: Path | None) -> KeyStore:
    from serve.keys import KeyStore

    settings, _ = load_settings(overrides={"data_dir": data} if data is not None else None)
    return KeyStore(settings.data_dir / "keys.json")


@keys.command("add")
def keys_add(
    name: Annotated[str, typer.Argument(help="Who or what uses it, for the audit log.")],
    role: Annotated[str, typer.Option(help="reader, operator or admin.")] = "reader",
    groups: Annotated[str, typer.Option(help="Whose documents it sees, separated by commas.")] = "",
    data: DataOption = None,
) -> None:
    """Make a key and print it once; only its hash is kept."""
    key = _key_store(data).add(name, role, [g.strip() for g in groups.split(",") if g.strip()])
    err.print("Keep it: it cannot be shown again.")
    sys.stdout.write(f"{key}\n")


@keys.command("list")
def keys_list(as_json: JsonOption = False, data: DataOption = None) -> None:
    """Show names, roles and groups."""
    found = _key_store(data).list()
    if as_json:
        shown = [k.model_dump(mode="json", exclude={"sha256"}) for k in found]
        sys.stdout.write(json.dumps(shown, ensure_ascii=False) + "\n")
        return
    for key in found:
        out.print(f"{key.name}  {key.role}  {', '.join(key.groups or ('every group',))}", highlight=False)


@keys.command("remove")
def keys_remove(name: str, data: DataOption = None) -> None:
    """Remove a key; it stops working at once, also in a running server."""
    if not _key_store(data).remove(name):
        raise UsageError(f"There is no key named {name}.", "`allrows keys list` shows them.")

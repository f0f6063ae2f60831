"""Installed size of a package with everything it pulls in, read from the metadata of this environment."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.metadata import Distribution, PackageNotFoundError, distribution

from packaging.requirements import Requirement


def closure(names: Iterable[str]) -> dict[str, Distribution]:
    """The packages and their dependencies that apply here, without extras that nobody asked for."""
    found: dict[str, Distribution] = {}
    todo = [Requirement(name) for name in names]
    while todo:
        wanted = todo.pop()
        key = wanted.name.lower().replace("_", "-")
        if key in found:
            continue
        try:
            package = distribution(wanted.name)
        except PackageNotFoundError:
            continue  # not for this platform
        found[key] = package
        todo += [r for r in map(Requirement, package.requires or ()) if _applies(r, wanted.extras)]
    return found


def _applies(requirement: Requirement, extras: set[str]) -> bool:
    if requirement.marker is None:
        return True
    return any(requirement.marker.evaluate({"extra": extra}) for extra in extras or {""})


def installed_mb(names: Iterable[str]) -> float:
    """Megabytes (10^6 bytes) on disk of the files that the packages list."""
    total = 0
    for package in closure(names).values():
        for file in package.files or ():
            path = package.locate_file(file)
            total += path.stat().st_size if hasattr(path, "stat") and path.is_file() else 0  # type: ignore[attr-defined]
    return round(total / 1e6, 1)

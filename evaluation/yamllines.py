"""YAML with the line of every value, so that an error can say where it is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import yaml


def parse_with_lines(text: str) -> tuple[Any, yaml.Node]:
    """The data and its node tree.

    Raises:
        yaml.YAMLError: the text is not YAML, or is empty.
    """
    root = yaml.compose(text, Loader=yaml.SafeLoader)
    if root is None:
        raise yaml.YAMLError("the file is empty")
    return yaml.safe_load(text), root


def line_of(root: yaml.Node, path: Sequence[str | int]) -> int:
    """1-based line of the deepest part of `path` that exists; parts that are no key are passed over."""
    node = root
    for part in path:
        node = _child(node, part) or node
    return int(node.start_mark.line) + 1


def _child(node: yaml.Node, part: str | int) -> yaml.Node | None:
    if isinstance(node, yaml.MappingNode):
        return next((value for key, value in node.value if key.value == str(part)), None)
    if isinstance(node, yaml.SequenceNode) and isinstance(part, int) and part < len(node.value):
        child: yaml.Node = node.value[part]
        return child
    return None

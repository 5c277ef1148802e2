"""YAML as package files use it: the plain JSON-like core, with the line of every key.

Owns the reading of YAML text into plain data plus line numbers. It never builds objects: only
mappings, lists, strings, numbers, booleans and null exist. The scalars are those of YAML 1.2's core
schema, so ``no`` is a word, ``1e-9`` a number and ``2025-09-01`` a string. Anchors and aliases are
refused (an alias can blow a small text up without bound), and so are keys given twice.
"""

import re
from dataclasses import dataclass
from typing import Any

import yaml
from yaml.composer import Composer

from judge.domain.texts import text_flaw
from judge.errors import Finding, PackageInvalid

MAX_YAML_BYTES = 256 * 1024
_MAX_DEPTH = 20
_TAG = "tag:yaml.org,2002:"
Location = tuple[str | int, ...]


@dataclass(frozen=True)
class YamlText:
    """Parsed YAML: plain data, and for every location in it the 1-based line of its key."""

    path: str
    data: Any
    lines: dict[Location, int]

    def where(self, location: Location) -> str:
        """``path:line`` of the deepest known part of a location."""
        return f"{self.path}:{self.lines.get(self.known(location), 1)}"

    def known(self, location: Location) -> Location:
        """The parts of a location that are keys of the text, one below the other."""
        known: Location = ()
        for part in location:
            if (*known, part) in self.lines:
                known = (*known, part)
        return known


class _CoreComposer(Composer, yaml.CSafeLoader):
    """Composes nodes only; scalars resolve by the core schema, aliases are refused.

    libyaml parses (ten times faster than PyYAML's own parser), PyYAML's composer builds the nodes,
    because only that one can be told about anchors.
    """

    yaml_implicit_resolvers = {}  # noqa: RUF012 - PyYAML reads it from the class

    def __init__(self, text: str) -> None:
        yaml.CSafeLoader.__init__(self, text)
        Composer.__init__(self)

    def compose_node(self, parent: Any, index: Any) -> Any:
        event: Any = self.peek_event()
        if getattr(event, "anchor", None) is not None:
            raise yaml.MarkedYAMLError(
                problem="anchors and aliases are not allowed", problem_mark=event.start_mark
            )
        return super().compose_node(parent, index)


for _name, _pattern, _first in (
    ("null", r"~|null|Null|NULL|", ["~", "n", "N", ""]),
    ("bool", r"true|True|TRUE|false|False|FALSE", list("tTfF")),
    ("int", r"[-+]?[0-9]+|0x[0-9a-fA-F]+", list("-+0123456789")),
    (
        "float",
        r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|[-+]?\.inf|\.nan",
        list("-+.0123456789"),
    ),
):
    _CoreComposer.add_implicit_resolver(_TAG + _name, re.compile(rf"(?:{_pattern})\Z"), _first)


def parse_yaml(path: str, content: bytes) -> YamlText:
    """Read one YAML file of a package.

    Raises:
        PackageInvalid: with the line of what cannot be read.
    """
    if len(content) > MAX_YAML_BYTES:
        raise _invalid(path, None, f"is larger than {MAX_YAML_BYTES} bytes")
    try:
        composer = _CoreComposer(content.decode("utf-8-sig"))
        node = composer.get_single_node()
    except UnicodeDecodeError as error:
        raise _invalid(path, None, "is not UTF-8") from error
    except yaml.MarkedYAMLError as error:
        raise _invalid(path, error.problem_mark, error.problem or "cannot be parsed") from error
    except yaml.YAMLError as error:
        raise _invalid(path, None, f"cannot be parsed: {error}") from error
    except RecursionError as error:
        raise _invalid(path, None, "is nested too deeply") from error
    if node is None:
        return YamlText(path, None, {})
    lines: dict[Location, int] = {}
    return YamlText(path, _plain(path, node, (), lines), lines)


def _plain(path: str, node: yaml.Node, location: Location, lines: dict[Location, int]) -> Any:
    lines.setdefault(location, node.start_mark.line + 1)
    if len(location) > _MAX_DEPTH:
        raise _invalid(path, node.start_mark, "is nested too deeply")
    if isinstance(node, yaml.ScalarNode):
        return _scalar(path, node)
    if isinstance(node, yaml.SequenceNode) and node.tag == _TAG + "seq":
        items = enumerate(node.value)
        return [_plain(path, item, (*location, index), lines) for index, item in items]
    if isinstance(node, yaml.MappingNode) and node.tag == _TAG + "map":
        return _mapping(path, node, location, lines)
    raise _invalid(path, node.start_mark, f"tag {node.tag} is not allowed")


def _mapping(
    path: str, node: yaml.MappingNode, location: Location, lines: dict[Location, int]
) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for key_node, value_node in node.value:
        if not isinstance(key_node, yaml.ScalarNode):
            raise _invalid(path, key_node.start_mark, "a key must be a plain word")
        # Keys are words whatever they look like: `1: ...` has the key "1".
        key = _text(path, key_node)
        if key in result:
            raise _invalid(path, key_node.start_mark, f"key {key!r} is given twice")
        lines[(*location, key)] = key_node.start_mark.line + 1
        result[key] = _plain(path, value_node, (*location, key), lines)
    return result


def _text(path: str, node: yaml.ScalarNode) -> str:
    """The characters of a scalar; an escape can make some that nobody can keep."""
    text = str(node.value)
    if text_flaw("", text) is not None:
        raise _invalid(path, node.start_mark, "holds a NUL or half a character")
    return text


def _scalar(path: str, node: yaml.ScalarNode) -> Any:
    text = _text(path, node)
    match node.tag.removeprefix(_TAG):
        case "str":
            return text
        case "null":
            return None
        case "bool":
            return text.lower() == "true"
        case "int" | "float" as kind if len(text) <= 40:
            try:
                return _number(kind, text)
            except ValueError:
                raise _invalid(path, node.start_mark, f"{text!r} is no {kind}") from None
        case _:
            raise _invalid(path, node.start_mark, f"tag {node.tag} is not allowed here")


def _number(kind: str, text: str) -> int | float:
    if kind == "float":
        return float(text.replace(".inf", "inf").replace(".nan", "nan"))
    return int(text, 16) if text.startswith("0x") else int(text)


def _invalid(path: str, mark: yaml.Mark | None, message: str) -> PackageInvalid:
    where = path if mark is None else f"{path}:{mark.line + 1}"
    return PackageInvalid((Finding("bad-yaml", where, message),))

"""YAML files that an import or export writes: keys in the order given, long texts on one line."""

from typing import Any

import yaml


class _Dumper(yaml.SafeDumper):
    """Writes what stands twice twice: a package's YAML has no aliases."""

    def ignore_aliases(self, data: Any) -> bool:  # noqa: ARG002 - the parent names it
        return True


def dump(data: Any) -> bytes:
    """The text of one file."""
    text: str = yaml.dump(data, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=1000)
    return text.encode()

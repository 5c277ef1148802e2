"""Every relative link in a document leads somewhere."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = sorted(
    path.relative_to(ROOT).as_posix()
    for pattern in ("*.md", "docs/**/*.md", "problems/README.md", "submissions_sandbox/*.md")
    for path in ROOT.glob(pattern)
)
_LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")


@pytest.mark.parametrize("name", DOCUMENTS)
def test_links_lead_somewhere(name: str) -> None:
    document = ROOT / name
    targets = _LINK.findall(document.read_text(encoding="utf-8"))
    local = [t.partition("#")[0] for t in targets if not re.match(r"[a-z]+:|#", t)]
    assert [target for target in local if not (document.parent / target).exists()] == []


def test_decisions_are_numbered_without_a_gap() -> None:
    numbers = [int(path.name[:4]) for path in sorted((ROOT / "docs/decisions").glob("[0-9]*.md"))]
    assert numbers == list(range(1, len(numbers) + 1))

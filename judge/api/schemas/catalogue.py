"""The map of problems as readers see it."""

from typing import Any, Literal

from pydantic import Field

from judge.api.schemas.base import AnswerModel
from judge.api.schemas.choices import StandingName


class GraphNode(AnswerModel):
    """A problem, or a concept that problems require and that has none of its own.

    ``status`` is the caller's (new, tried, solved), None for concepts and for who is not signed in.
    """

    id: str
    kind: Literal["problem", "concept"]
    title: str | None
    topics: list[str]
    status: StandingName | None


class GraphEdge(AnswerModel):
    """What comes before what, by the nodes' ids."""

    before: str = Field(serialization_alias="from")
    after: str = Field(serialization_alias="to")


class GraphAnswer(AnswerModel):
    """All nodes, problems in the course's order and then concepts by name, and all edges."""

    nodes: list[GraphNode]
    edges: list[GraphEdge]


GRAPH_EXAMPLE: dict[str, Any] = {
    "nodes": [
        {
            "id": "verify_draft_sequence",
            "kind": "problem",
            "title": "Verifying a drafted sequence",
            "topics": ["decoding"],
            "status": "tried",
        },
        {
            "id": "next-token-probability-distribution",
            "kind": "concept",
            "title": None,
            "topics": [],
            "status": None,
        },
    ],
    "edges": [{"from": "next-token-probability-distribution", "to": "verify_draft_sequence"}],
}

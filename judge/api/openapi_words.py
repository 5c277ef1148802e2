"""What the OpenAPI document says in words that belong to no single operation."""

from typing import Any

DESCRIPTION = """\
An online judge: problems, submissions, verdicts, scores, classes.

A program sends a token as `Authorization: Bearer jt_…`; a requirement of `token` lists the \
scopes that it must have. Errors are problem documents (RFC 9457), told apart by their `code`. \
What people read comes in Vietnamese, Japanese or English, as `locale` asks on any operation.

The answers of version 1 only grow. A client must ignore members that it does not know, and take a \
word that its enum does not list as one that says nothing: sets of words may grow as well.
"""
_TAGS = {
    "auth": "Signing in and out, registering, and one-time links.",
    "me": "The account that calls: its profile, tokens, sessions, notices, progress and data.",
    "problems": "The catalogue, statements, hints, solutions and revisions.",
    "drafts": "Sources that are kept while they are written.",
    "runs": "Trying a source on samples or own input, for no score.",
    "submissions": "Handing in sources, and what the judge says of them.",
    "scores": "Best scores by account and problem, as JSON or tables.",
    "languages": "Programming languages, and what the workers offer of them now.",
    "feedback": "Threads between learners and staff about problems.",
    "classes": "Classes, their members, assignments and gradebooks.",
    "admin": "Accounts, packages, rejudges and the audit log, for staff.",
    "health": "Probes for whoever runs the judge.",
}
# Of each media type that is no JSON: what stands in it.
_TEXTS = {
    "application/x-ndjson": "One object a line, each as an item of the answer in JSON.",
    "application/zip": "A zip archive.",
    "text/csv": "A table with a header, in UTF-8.",
    "text/csv;profile=canvas": "A table that Canvas imports.",
    "text/csv;profile=moodle": "A table that Moodle imports.",
    "text/event-stream": "Server-sent events; `data` of each is an object in JSON.",
    "text/plain": "A text in UTF-8.",
}


def add_words(document: dict[str, Any]) -> None:
    """Describe the whole, its tags and its texts, in place."""
    document["info"]["description"] = DESCRIPTION
    document["tags"] = [{"name": name, "description": said} for name, said in _TAGS.items()]
    for methods in document["paths"].values():
        for operation in methods.values():
            for answer in operation["responses"].values():
                for media_type, content in answer.get("content", {}).items():
                    if media_type in _TEXTS:
                        _add_schema(content, media_type)
    _unquote(document)


def _add_schema(content: dict[str, Any], media_type: str) -> None:
    schema = {"type": "string", "description": _TEXTS[media_type]}
    if media_type == "application/zip":
        schema["format"] = "binary"
    content["schema"] = schema


def _unquote(node: Any) -> None:
    """Docstrings mark code with two backticks, Markdown with one."""
    if isinstance(node, list):
        for inner in node:
            _unquote(inner)
    if not isinstance(node, dict):
        return
    for key, inner in node.items():
        if key == "description" and isinstance(inner, str):
            node[key] = inner.replace("``", "`")
        else:
            _unquote(inner)

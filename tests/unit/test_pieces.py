"""Texts are taken apart into words and code."""

import pytest

from judge.web.pieces import Piece, read_paragraphs, read_template


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ()),
        ("plain", ((Piece("plain"),),)),
        ("a\nb\n\n  c", ((Piece("a b"),), (Piece("c"),))),
        ("``x`` and `y`", ((Piece("x", True), Piece(" and "), Piece("y", True)),)),
        ("one ` alone", ((Piece("one ` alone"),),)),
        ("`*` is `a\nb`", ((Piece("*", True), Piece(" is "), Piece("a b", True)),)),
    ],
)
def test_paragraphs_are_parted_by_blank_lines(text: str, expected: tuple[object, ...]) -> None:
    assert read_paragraphs(text) == expected


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ("At most {most}.", (Piece("At most "), Piece("{most}", True), Piece("."))),
        ("{a}{b}", (Piece("{a}", True), Piece("{b}", True))),
        ("a {{b", (Piece("a {"), Piece("b"))),
        ("`lint` of {problem}", (Piece("lint", True), Piece(" of "), Piece("{problem}", True))),
    ],
)
def test_placeholders_are_shown_as_such(template: str, expected: tuple[object, ...]) -> None:
    assert read_template(template) == expected

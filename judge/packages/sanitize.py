"""The HTML that may leave the judge for a reader: an allow-list, applied last.

Owns the list of elements and attributes. Markdown and formulas are already escaped when they get
here; this is the second wall, and the one that a new Markdown plugin cannot climb.
"""

import re

import nh3

_TEXT_TAGS = {
    "a",
    "blockquote",
    "br",
    "code",
    "em",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "hr",
    "li",
    "ol",
    "p",
    "pre",
    "strong",
    "table",
    "tbody",
    "td",
    "th",
    "thead",
    "tr",
    "ul",
}
_MATH_TAGS = {
    "math",
    "menclose",
    "mfrac",
    "mi",
    "mn",
    "mo",
    "mover",
    "mpadded",
    "mphantom",
    "mroot",
    "mrow",
    "mspace",
    "msqrt",
    "mstyle",
    "msub",
    "msubsup",
    "msup",
    "mtable",
    "mtd",
    "mtext",
    "mtr",
    "munder",
    "munderover",
}
_ATTRIBUTES: dict[str, set[str]] = {
    "a": {"href", "title"},
    "code": {"class"},
    "ol": {"start"},
    "math": {"alttext", "display", "xmlns"},
    "mfrac": {"linethickness"},
    "mi": {"mathvariant"},
    "mn": {"mathvariant"},
    "mo": {
        "accent",
        "fence",
        "form",
        "largeop",
        "lspace",
        "mathvariant",
        "maxsize",
        "minsize",
        "movablelimits",
        "rspace",
        "separator",
        "stretchy",
    },
    "mover": {"accent"},
    "munder": {"accentunder"},
    "munderover": {"accent", "accentunder"},
    "mpadded": {"depth", "height", "lspace", "voffset", "width"},
    "mspace": {"linebreak", "width"},
    "menclose": {"notation"},
    "mstyle": {"displaystyle", "scriptlevel"},
    "mtable": {"columnalign", "columnspacing", "displaystyle", "rowspacing"},
    "mtd": {"columnalign"},
    "mtext": {"mathvariant"},
}
_URL_SCHEMES = {"http", "https", "mailto"}
_LANGUAGE_CLASS = re.compile(r"language-[a-z0-9]{1,20}")


def sanitize(html: str) -> str:
    """Keep allowed elements and attributes only; text of other elements stays."""
    return nh3.clean(
        html,
        tags=_TEXT_TAGS | _MATH_TAGS,
        attributes=_ATTRIBUTES,
        attribute_filter=_filter_attribute,
        set_tag_attribute_values={"pre": {"translate": "no"}},
        url_schemes=_URL_SCHEMES,
        url_relative="deny",
    )


def _filter_attribute(tag: str, name: str, value: str) -> str | None:
    if tag == "code" and name == "class":
        return value if _LANGUAGE_CLASS.fullmatch(value) else None
    return value

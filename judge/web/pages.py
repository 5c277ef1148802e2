"""What all pages have in common: templates, the frame, the headers, and who reads them.

Everything that is put into a template is escaped there. A page needs neither script nor anything
of another site, and its Content-Security-Policy allows the style sheet alone; that of all other
answers (judge.api.safe_headers) stays as strict as it is.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from fastapi import Request, Response
from fastapi.responses import HTMLResponse
from jinja2 import Environment, PackageLoader, StrictUndefined

from judge.i18n import LOCALES, text

STYLE_ADDRESS = "/docs/style.css"
# Each in its own words, whichever locale the page speaks.
LOCALE_NAMES = {"vi": "Tiếng Việt", "ja": "日本語", "en": "English"}
_STYLE = Path(__file__).parent / "assets" / "docs.css"
_POLICY = (
    "default-src 'none'; style-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
# Kept, but never shown without asking: the locale of an account may have changed.
_CACHE = {"Cache-Control": "no-cache", "Vary": "Accept-Language, Authorization, Cookie"}

FindLocale = Callable[[Request], str]
# Request, body, headers, media type: the body with its ETag, or 304 where the client has it.
AnswerUnlessKnown = Callable[[Request, bytes, Mapping[str, str], str], Response]


@dataclass(frozen=True)
class Reader:
    """For whom a page is made; ``is_asked`` where the address names the locale."""

    locale: str
    is_asked: bool

    def say(self, key: str) -> str:
        """A text of the frame."""
        return text(f"docs.{key}", self.locale)

    def link(self, path: str) -> str:
        """The address of another page, which keeps the locale that was asked for."""
        return f"{path}?locale={self.locale}" if self.is_asked else path


class Pages:
    """Makes answers of templates. A page that never changes is made once for each locale."""

    def __init__(self, find_locale: FindLocale, answer_unless_known: AnswerUnlessKnown) -> None:
        self._find_locale = find_locale
        self._answer_unless_known = answer_unless_known
        self._templates = Environment(
            loader=PackageLoader("judge.web"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            auto_reload=False,
        )
        self._style = _STYLE.read_bytes()
        self._made: dict[tuple[str, Reader], bytes] = {}

    def reader(self, request: Request) -> Reader:
        """Who reads."""
        return Reader(self._find_locale(request), request.query_params.get("locale") in LOCALES)

    def show_lasting(
        self, request: Request, template: str, path: str, content: Callable[[Reader], object]
    ) -> Response:
        """A page that is the same as long as the server runs.

        ``path`` must be one of a known number of addresses, for each is kept.
        """
        reader = self.reader(request)
        body = self._made.get((path, reader))
        if body is None:
            body = self._made[path, reader] = self._render(template, reader, content(reader))
        headers = {**_CACHE, **_headers(reader)}
        return self._answer_unless_known(request, body, headers, "text/html")

    def show_missing(self, request: Request, template: str, content: object) -> Response:
        """A page that says what is not there."""
        reader = self.reader(request)
        body = self._render(template, reader, content)
        return HTMLResponse(body, 404, {**_CACHE, **_headers(reader)})

    def show_style(self, request: Request) -> Response:
        """The style sheet of all pages."""
        return self._answer_unless_known(request, self._style, _CACHE, "text/css")

    def _render(self, template: str, reader: Reader, content: object) -> bytes:
        return (
            self._templates.get_template(template)
            .render(reader=reader, content=content, locales=LOCALE_NAMES, style=STYLE_ADDRESS)
            .encode()
        )


def _headers(reader: Reader) -> Mapping[str, str]:
    return {"Content-Language": reader.locale, "Content-Security-Policy": _POLICY}

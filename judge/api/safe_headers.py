"""Headers that keep a browser from doing more with an answer than showing it.

What is set here for answers of the API is the strictest there is; an answer that sets one of these
headers itself keeps its own (pages need styles and scripts).
"""

from starlette.datastructures import MutableHeaders
from starlette.types import Scope

_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), display-capture=(), geolocation=(), microphone=()",
    "Referrer-Policy": "same-origin",
}
_HSTS = "max-age=31536000"


def add_safe_headers(headers: MutableHeaders, scope: Scope, public_url: str) -> None:
    """Complete the headers of an answer.

    Args:
        headers: of the answer.
        scope: of the request.
        public_url: where people reach the judge, if that is known.
    """
    headers["X-Content-Type-Options"] = "nosniff"
    for name, value in _HEADERS.items():
        headers.setdefault(name, value)
    is_tls = public_url.startswith("https://") if public_url else scope["scheme"] == "https"
    if is_tls:
        headers.setdefault("Strict-Transport-Security", _HSTS)

"""One wish of an Accept header: a name and how much it is wanted (RFC 9110, section 12.4.2)."""


def read_wish(part: str) -> tuple[str, float]:
    """Name and quality of one element; without a quality 1, with an unreadable one 0."""
    name, *parameters = (piece.strip().lower() for piece in part.split(";"))
    quality = 1.0
    for parameter in parameters:
        key, _, value = parameter.partition("=")
        if key.strip() == "q":
            try:
                quality = float(value)
            except ValueError:
                quality = 0.0
    return name, quality

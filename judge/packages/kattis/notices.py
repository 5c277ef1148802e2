"""What an import says besides its package: refusals, and what is not taken over as it was."""

from typing import NoReturn

from judge.errors import Finding, PackageInvalid


def refuse(where: str, message: str) -> NoReturn:
    """End the import: the package needs what the judge does not offer.

    Raises:
        PackageInvalid: always.
    """
    raise PackageInvalid((Finding("not-offered", where, message),))


def dropped(where: str, message: str) -> Finding:
    """Something of the package that is left out."""
    return Finding("import-dropped", where, message, "warning")


def assumed(where: str, message: str) -> Finding:
    """Something that the package does not state and that the import decides."""
    return Finding("import-assumed", where, message, "warning")

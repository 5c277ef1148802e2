"""What a command of the service does first: read the settings, make the data folder."""

import os

from judge.errors import Misconfigured
from judge.settings import Settings, read_settings


def open_settings() -> Settings:
    """The settings, with a data folder that is there and can be written.

    A new folder is for its owner alone: sources and results of everybody lie in it.

    Raises:
        Misconfigured: a setting is not valid, or the folder cannot be used.
    """
    settings = read_settings()
    folder = settings.data_dir
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise Misconfigured(f"cannot make the data folder {folder}: {error.strerror}") from None
    if not os.access(folder, os.W_OK | os.X_OK):
        raise Misconfigured(f"cannot write into the data folder {folder}")
    return settings

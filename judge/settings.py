"""Settings of the service: environment variables with the prefix ``JUDGE_``.

Built once by a command of judge.cli and handed on; nothing below the web side and the workers
reads it, and nothing reads the environment besides it.
"""

import ipaddress
import re
from pathlib import Path
from typing import Literal

from pydantic import Field, ValidationError, field_validator, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from judge.errors import Misconfigured

_ORIGIN = re.compile(r"https?://[a-z0-9.-]+(:[0-9]{1,5})?|https?://\[[0-9a-f:]+\](:[0-9]{1,5})?")


class Settings(BaseSettings):
    """All settings.

    Attributes:
        data_dir: where the database file and the sockets of the bell live.
        database_url: SQLite or PostgreSQL; by default ``judge.db`` in data_dir.
        registration: ``open``: anybody may register while every judge worker has tier A of the
            sandbox; ``open-in-any-tier``: also where it is weaker, so that strangers may run code
            under tier B; ``invitation``: who has a link from an admin or a teacher; ``closed``:
            only an admin creates accounts.
        public_url: the address that people use, if a proxy stands before the server. It decides
            which pages may send requests with a cookie and whether cookies need TLS.
        trusted_proxies: addresses whose X-Forwarded-For and -Proto are believed, with commas.
        log_level: of the server and the workers.
        max_waiting: how many requests may wait for a verdict at once; further ones are answered
            at once.
        max_uploads_per_hour: how many packages one account may upload within an hour.
        chores: whether this server does what has to be done from time to time (exports, erasure,
            deleting what is over); without it ``judge chores run`` must be called for that.
        max_open_verifications: how many verifications of one account may wait or run at once.
        cors_origins: sites whose pages may call the API from a browser, with commas.
        reads_per_minute: how often an account, or an address without one, may read.
        submits_per_minute: how often an account may submit.
        runs_per_minute: how often an account may run samples or own input.
        changes_per_minute: how often an account may do anything else that changes something.
        sign_ins_per_minute: how often one address may register, sign in and use links.
    """

    model_config = SettingsConfigDict(
        env_prefix="JUDGE_", env_ignore_empty=True, frozen=True, extra="ignore"
    )

    data_dir: Path = Path(".data")
    database_url: str = ""
    registration: Literal["open", "open-in-any-tier", "invitation", "closed"] = "open"
    public_url: str = ""
    trusted_proxies: str = ""
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    max_waiting: int = Field(default=500, ge=0)
    max_uploads_per_hour: int = Field(default=30, ge=1)
    chores: bool = True
    max_open_verifications: int = Field(default=3, ge=1)
    cors_origins: str = ""
    reads_per_minute: int = Field(default=600, ge=1)
    submits_per_minute: int = Field(default=20, ge=1)
    runs_per_minute: int = Field(default=60, ge=1)
    changes_per_minute: int = Field(default=120, ge=1)
    sign_ins_per_minute: int = Field(default=120, ge=1)

    @field_validator("public_url")
    @classmethod
    def _origin(cls, value: str) -> str:
        origin = value.rstrip("/")
        if origin and not _ORIGIN.fullmatch(origin.lower()):
            raise ValueError(f"{value!r} is no address such as https://judge.example.org; no path")
        return origin

    @field_validator("trusted_proxies")
    @classmethod
    def _addresses(cls, value: str) -> str:
        for address in _split(value):
            try:
                ipaddress.ip_network(address, strict=False)
            except ValueError:
                raise ValueError(f"{address!r} is no address or network of a proxy") from None
        return value

    @field_validator("cors_origins")
    @classmethod
    def _origins(cls, value: str) -> str:
        for origin in _split(value):
            if not _ORIGIN.fullmatch(origin):
                raise ValueError(
                    f"{origin!r} is no origin such as https://example.org, without a path"
                )
        return value

    @property
    def origins(self) -> frozenset[str]:
        """Each of ``cors_origins``."""
        return frozenset(_split(self.cors_origins))

    @model_validator(mode="before")
    @classmethod
    def _default_folder(cls, data: dict[str, object]) -> dict[str, object]:
        """Both absolute: sandboxes do not share our working directory."""
        folder = Path(str(data.get("data_dir") or ".data")).resolve()
        url = data.get("database_url") or f"sqlite:///{folder / 'judge.db'}"
        return {**data, "data_dir": folder, "database_url": url}


def _split(value: str) -> list[str]:
    return [part.strip() for part in value.split(",") if part.strip()]


def read_settings() -> Settings:
    """The settings of this process.

    Raises:
        Misconfigured: names every variable that is not valid, in one line.
    """
    try:
        return Settings()
    except ValidationError as error:
        found = "; ".join(
            f"JUDGE_{'_'.join(map(str, one['loc'])).upper()}: "
            f"{one['msg'].removeprefix('Value error, ')}"
            for one in error.errors()
        )
        raise Misconfigured(found) from None

"""The learner's file as bytes, made into text or refused with a compile error."""

from judge.domain.limits import MAX_SOURCE_BYTES
from judge.domain.submission import CompileResult
from judge.domain.verdicts import Reason

_BYTE_ORDER_MARK = "\ufeff"


def read_source(source: bytes, file_name: str) -> str | CompileResult:
    """Decode UTF-8, drop a byte order mark, make every line end LF; line numbers stay.

    A file that is too large, is no UTF-8 or holds a NUL byte is the learner's compile error.
    """
    if len(source) > MAX_SOURCE_BYTES:
        limit_kib = MAX_SOURCE_BYTES // 1024
        return _refuse(f"{file_name}: {len(source)} bytes; a source may have {limit_kib} KiB")
    try:
        text = source.decode()
    except UnicodeDecodeError as error:
        line = source.count(b"\n", 0, error.start) + 1
        byte = source[error.start]
        return _refuse(f"{file_name}:{line}: byte 0x{byte:02x} is no UTF-8; save the file as UTF-8")
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        return _refuse(f"{file_name}:{line}: the file holds a NUL byte")
    return text.removeprefix(_BYTE_ORDER_MARK).replace("\r\n", "\n").replace("\r", "\n")


def _refuse(message: str) -> CompileResult:
    return CompileResult(ok=False, log=message, reason=Reason.SOURCE)

"""Equality bit for bit."""

import math
import struct
from typing import Any

import numpy as np


def plain(value: Any) -> Any:
    """A form in which two values are equal only bit for bit; all NaNs are one."""
    if isinstance(value, np.ndarray):
        return ("array", str(value.dtype), value.shape, plain(value.ravel().tolist()))
    if isinstance(value, float):
        return ("float", "nan" if math.isnan(value) else struct.pack("<d", value))
    if isinstance(value, list | tuple):
        return (type(value).__name__, [plain(part) for part in value])
    if isinstance(value, dict):
        return ("dict", [(key, plain(part)) for key, part in value.items()])
    return (type(value).__name__, value)

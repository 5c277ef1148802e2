"""When is a float right? One rule for every checker that compares typed values.

Equal floats are right, and so -0.0 for 0.0. NaN is right only for NaN and under ``nan_equal``. An
infinity equals only the same infinity. Beyond that a finite float is right where
``|returned - expected| <= abs`` or ``<= rel * |expected|`` (either is enough, as at the ICPC).
"""

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from judge.domain.problem import CheckerSpec
from judge.domain.verdicts import Reason


def float_reason(spec: CheckerSpec, expected: float, returned: float) -> Reason:
    """Why a float is wrong; ``Reason.NONE`` where it is right."""
    if expected == returned:
        return Reason.NONE
    if math.isnan(returned):
        right = spec.nan_equal and math.isnan(expected)
        return Reason.NONE if right else Reason.NAN
    if spec.kind == "exact":
        return Reason.WRONG_VALUE
    if not (math.isfinite(expected) and math.isfinite(returned)):
        return Reason.WRONG_VALUE
    distance = abs(returned - expected)
    near = distance <= spec.abs_tolerance or distance <= spec.rel_tolerance * abs(expected)
    return Reason.NONE if near else Reason.OFF_TOLERANCE


def floats_right(
    spec: CheckerSpec, expected: npt.NDArray[Any], returned: npt.NDArray[Any]
) -> npt.NDArray[np.bool_]:
    """The same rule elementwise, for arrays of doubles that broadcast."""
    right: npt.NDArray[np.bool_] = expected == returned
    if spec.nan_equal:
        right |= np.isnan(expected) & np.isnan(returned)
    if spec.kind != "exact":
        finite = np.isfinite(expected) & np.isfinite(returned)
        with np.errstate(invalid="ignore", over="ignore"):
            distance = np.abs(returned - expected)
            near = distance <= spec.abs_tolerance
            near |= distance <= spec.rel_tolerance * np.abs(expected)
        right |= finite & near
    return right

"""Target distributions and the distributions of samplers that learners get wrong, as exact pmfs.

No sampler runs here: what a wrong sampler draws from follows from its mistake, so its pmf is
computed and the counts of its draws are simulated.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Pmf = npt.NDArray[np.float64]
_LOGITS = np.array([2.1, 1.9, 1.4, 1.1, 0.7, 0.2, -0.1, -0.4, -0.9, -1.5, -2.0, -3.0])
_FLAT_LOGITS = np.linspace(2.0, -2.0, 48)
_STEEP_LOGITS = -1.35 * np.log(np.arange(1, 49))
_P = np.array([0.10, 0.20, 0.30, 0.25, 0.15])
_Q = np.array([0.30, 0.30, 0.10, 0.20, 0.10])


@dataclass(frozen=True)
class Sampler:
    """What should be drawn from, and what is."""

    target: Pmf
    drawn: Pmf

    def draws(self) -> int:
        """The rule for how many draws there are: more for a bias of less than 0.05."""
        total_variation = np.abs(self.target - self.drawn).sum() / 2
        return 5000 if total_variation >= 0.05 else 20_000


def softmax(logits: Pmf, temperature: float) -> Pmf:
    weights = np.exp((logits - logits.max()) / temperature)
    return weights / weights.sum()


def normalised(weights: Pmf) -> Pmf:
    return weights / weights.sum()


def nucleus(pmf: Pmf, mass: float, shift: int = 0) -> Pmf:
    """The likeliest tokens up to the one that crosses ``mass``, and ``shift`` more."""
    order = np.argsort(-pmf, kind="stable")
    kept = int(np.searchsorted(np.cumsum(pmf[order]), mass)) + 1 + shift
    chosen = np.zeros_like(pmf)
    chosen[order[:kept]] = pmf[order[:kept]]
    return chosen


def targets() -> dict[str, Pmf]:
    """What right samplers draw from."""
    return {
        "a nucleus": normalised(nucleus(softmax(_LOGITS, 0.8), 0.9)),
        "48 tokens": softmax(_FLAT_LOGITS, 0.9),
        "speculative decoding": _P,
        "a rare token": np.array([0.9995, 0.0004, 0.0001, 0.0]),
    }


def biased() -> dict[str, Sampler]:
    """The samplers of package-format, section 6."""
    return _biased_truncation() | _biased_speculation()


def _biased_truncation() -> dict[str, Sampler]:
    full = softmax(_LOGITS, 0.8)
    kept = nucleus(full, 0.9)
    target = normalised(kept)
    unnormalised = kept.copy()
    unnormalised[np.flatnonzero(kept)[-1]] += 1 - kept.sum()
    before = nucleus(softmax(_LOGITS, 1.0), 0.9) > 0
    wrong = {
        "crossing token dropped": normalised(nucleus(full, 0.9, -1)),
        "uniform over the kept tokens": normalised((kept > 0).astype(float)),
        "one token too many": normalised(nucleus(full, 0.9, 1)),
        "kept tokens not normalised": unnormalised,
        "temperature multiplied": normalised(np.where(kept > 0, softmax(_LOGITS, 1 / 0.8), 0)),
        "nucleus before temperature": normalised(np.where(before, full, 0)),
    }
    samplers = {name: Sampler(target, drawn) for name, drawn in wrong.items()}
    for name, logits in (("steep", _STEEP_LOGITS), ("flat", _FLAT_LOGITS)):
        ignored = Sampler(softmax(logits, 0.9), softmax(logits, 1.0))
        samplers[f"temperature 0.9 ignored, 48 {name} logits"] = ignored
    return samplers


def _biased_speculation() -> dict[str, Sampler]:
    accepted = np.minimum(_P, _Q)
    rejected = 1 - accepted.sum()
    residual = np.maximum(_P - _Q, 0)
    best = np.eye(5)[np.argmax(residual)]
    last = np.eye(5)[-1]
    at_least = np.where(_P >= _Q, _Q, 0)
    greedy = np.eye(5)[np.argmax(_Q)]
    chance = _P[np.argmax(_Q)] / _Q[np.argmax(_Q)]
    wrong = {
        "residual replaced by p": accepted + rejected * _P,
        "argmax of the residual": accepted + rejected * best,
        "residual of |p - q|": accepted + rejected * normalised(np.abs(_P - _Q)),
        "residual not normalised": accepted + rejected * (residual + (1 - residual.sum()) * last),
        "accepted where p >= q": at_least + (1 - at_least.sum()) * normalised(residual),
        "greedy draft with raw q": chance * greedy + (1 - chance) * normalised(residual),
    }
    return {name: Sampler(_P, drawn) for name, drawn in wrong.items()}

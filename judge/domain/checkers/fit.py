"""Does a checker fit the signature that it is to judge?

Asked once, when a package is read: grading takes the fit for granted.
"""

from dataclasses import replace

from judge.domain.checkers.keys import key_type
from judge.domain.checkers.unordered import item_type
from judge.domain.problem import CheckerSpec, Mode
from judge.domain.signatures import ListOf, Scalar, Signature, TupleOf, ValueType

UNORDERED_KINDS = ("set", "multiset", "permutation")
STDIO_KINDS = ("tokens", "custom")
PMF_NAME = "pmf"
_PMF = ListOf(Scalar("float"))


def misfit(spec: CheckerSpec, mode: Mode, signature: Signature) -> str:
    """Why a checker cannot judge this function, as a sentence; empty where it can."""
    if mode is Mode.STDIO:
        fits = spec.kind in STDIO_KINDS
        return "" if fits else "a stdio problem is checked by tokens or custom"
    if spec.kind == "tokens":
        return "tokens compares what a program prints: it is for stdio problems only"
    if spec.kind in UNORDERED_KINDS:
        return _unordered_misfit(spec, signature)
    if spec.kind == "distribution":
        return _distribution_misfit(spec, signature)
    return ""


def answer_type(spec: CheckerSpec, signature: Signature) -> ValueType:
    """The type of a case's expected value: what is returned, or the pmf of a distribution."""
    return _PMF if spec.kind == "distribution" else signature.returns


def case_signature(spec: CheckerSpec, signature: Signature) -> Signature:
    """What a case's files hold: the function's arguments, and the answer in place of its value."""
    return replace(signature, returns=answer_type(spec, signature))


def reference_signature(spec: CheckerSpec, signature: Signature) -> Signature:
    """The function of reference.py that answers a case.

    Of a distribution it is ``pmf``, which takes what the function takes but the random numbers.
    """
    if spec.kind != "distribution":
        return signature
    kept = tuple(one for one in signature.parameters if one.name != spec.uniforms)
    return Signature(PMF_NAME, kept, _PMF)


def _unordered_misfit(spec: CheckerSpec, signature: Signature) -> str:
    item = item_type(signature.returns)
    if item is None:
        return (
            f"{spec.kind} compares the items of a list or of an array of one dimension; "
            f"the function returns {signature.returns}"
        )
    if not spec.key or key_type(spec.key, signature, item) is not None:
        return ""
    if isinstance(item, TupleOf):
        return f"key {spec.key!r} is neither name nor number (from 0) of a part of {item}"
    if item != Scalar("int"):
        return f"a key needs items that are tuples or indices (int); they are {item}"
    return f"key {spec.key!r} is no parameter of list or array type"


def _distribution_misfit(spec: CheckerSpec, signature: Signature) -> str:
    if signature.returns != Scalar("int"):
        return f"a distribution is one of tokens (int); the function returns {signature.returns}"
    for parameter in signature.parameters:
        if parameter.name == spec.uniforms and parameter.type == _PMF:
            return ""
    return f"uniforms: {spec.uniforms!r} is no parameter of type {_PMF}"

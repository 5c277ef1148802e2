"""Rules on numbers and names in the manifests: limits, slug."""

from collections.abc import Iterator

from judge.errors import Finding
from judge.packages.package import Package

CPU_S = (0.1, 60.0)
MEMORY_MIB = (32, 4096)
STDOUT_KIB = (1, 1024)
RESULT_MIB = (1, 64)
TIME_FACTOR = (1.0, 10.0)
# Limits of Kattis' format that the judge keeps for others: only what no system could mean.
OTHER_LIMITS = {
    "time_resolution": (0.001, 60.0),
    "output": (1, 1024),
    "code": (1, 4096),
    "compilation_time": (1, 600),
    "compilation_memory": (32, 16_384),
    "validation_time": (1, 600),
    "validation_memory": (32, 16_384),
    "validation_output": (1, 1024),
}
MULTIPLIER = (1.0, 100.0)


def limits_in_range(package: Package) -> Iterator[Finding]:
    """Limits that a judge worker can enforce and a learner can meet."""
    kattis, ours = package.problem_yaml.limits, package.judge_yaml.limits
    text = package.problem_yaml_text
    yield from _range(text.where(("limits", "time_limit")), "time_limit", kattis.time_limit, CPU_S)
    yield from _range(text.where(("limits", "memory")), "memory", kattis.memory, MEMORY_MIB)
    for name, allowed in OTHER_LIMITS.items():
        value = getattr(kattis, name)
        if value is not None:
            yield from _range(text.where(("limits", name)), name, value, allowed)
    for name, value in kattis.time_multipliers:
        where = text.where(("limits", "time_multipliers", name))
        yield from _range(where, name, value, MULTIPLIER)
    text = package.judge_yaml_text
    where = text.where(("limits", "stdout_kib"))
    yield from _range(where, "stdout_kib", ours.stdout_kib, STDOUT_KIB)
    where = text.where(("limits", "result_mib"))
    yield from _range(where, "result_mib", ours.result_mib, RESULT_MIB)
    for language, factor in package.problem.time_factors.items():
        where = text.where(("limits", "per_language", language))
        yield from _range(where, f"time_factor of {language}", factor, TIME_FACTOR)


def slug_is_folder(package: Package) -> Iterator[Finding]:
    """The folder has the name of the function, so that both are found by one word."""
    # What comes as an archive over the network has no folder.
    if package.source_name and package.source_name != package.slug:
        where = package.judge_yaml_text.where(("signature", "name"))
        message = f"the function is {package.slug}, the package {package.source_name}"
        yield Finding("slug-differs", where, message, "warning")


def _range(where: str, name: str, value: float, allowed: tuple[float, float]) -> Iterator[Finding]:
    low, high = allowed
    if not low <= value <= high:
        message = f"{name} is {value:g}, allowed are {low:g} to {high:g}"
        yield Finding("limit-out-of-range", where, message)

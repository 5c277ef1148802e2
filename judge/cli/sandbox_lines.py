"""What a command that starts workers says of the sandbox they have."""

from collections.abc import Sequence


def sandbox_lines(tier: str, layers: Sequence[str], fix: str) -> list[str]:
    """The tier with its layers, and below tier A what would lead there."""
    lines = [f"sandbox: tier {tier}: {', '.join(layers)}"]
    if fix:
        lines.append(f"sandbox: for tier A: {fix}")
    return lines

"""How strongly a box is isolated.

Tier A has namespaces: a box sees nothing that it was not given. Tier B is for machines where none
can be had, such as a container under a stock seccomp profile: Landlock, the system call filter and
resource limits hold a program that can still see that other things exist. Below that nothing runs.
"""

from enum import StrEnum


class Tier(StrEnum):
    """The strength of the isolation, strongest first."""

    A = "A"
    B = "B"


ALL_TIERS = (Tier.A, Tier.B)

"""How long property tests search: a little always, long when asked for.

``scripts/test --hypothesis-profile=thorough`` tries a thousand examples where 40 are tried else.
No example has a deadline: a busy machine is no finding.
"""

from hypothesis import settings

settings.register_profile("always", max_examples=40, deadline=None)
settings.register_profile("thorough", max_examples=1000, deadline=None)
settings.load_profile("always")

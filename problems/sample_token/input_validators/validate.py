"""Input validator for sample_token: constraints and the limits that keep cases fair."""

import math

MAX_TOKENS = 1000
MAX_LOGIT = 100.0
MIN_TEMPERATURE = 1e-3
MAX_TEMPERATURE = 100.0
# No case may depend on a token that is less likely than this: exp() may underflow there.
MIN_PROBABILITY = 1e-9
# Where the last kept token may be reached through the fallback, it needs this much
# probability, so that single precision does not stop at an earlier token.
MIN_LAST_PROBABILITY = 3e-5
MEMBERS = {"logits", "temperature", "k", "random_value"}


def validate(case: dict) -> None:
    """Raise ValueError if the case breaks a constraint."""
    if set(case) != MEMBERS:
        raise ValueError(f"expected the members {sorted(MEMBERS)}, got {sorted(case)}")
    logits, temperature = case["logits"], case["temperature"]
    k, random_value = case["k"], case["random_value"]
    check_logits(logits)
    check_temperature(temperature)
    if isinstance(k, bool) or not isinstance(k, int):
        raise ValueError(f"k: expected an integer, got {k!r}")
    if not 1 <= k <= len(logits):
        raise ValueError(f"k: expected 1 <= k <= {len(logits)} (number of logits), got {k}")
    check_number("random_value", random_value)
    if not 0.0 <= random_value < 1.0:
        raise ValueError(f"random_value: expected 0 <= random_value < 1, got {random_value!r}")
    check_underflow(logits, temperature, k, random_value)


def check_number(name: str, value: object) -> None:
    """Refuse everything but finite numbers, and the negative zero."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise ValueError(f"{name}: expected a number, got {value!r}")
    if not math.isfinite(value):
        raise ValueError(f"{name}: expected a finite number, got {value!r}")
    if value == 0 and math.copysign(1.0, value) < 0:
        raise ValueError(f"{name}: -0.0 is not allowed, write 0.0")


def check_logits(logits: object) -> None:
    """Check the number of logits and the range of each of them."""
    if not isinstance(logits, list):
        raise ValueError(f"logits: expected a list, got {type(logits).__name__}")
    if not 1 <= len(logits) <= MAX_TOKENS:
        raise ValueError(f"logits: expected 1 to {MAX_TOKENS} values, got {len(logits)}")
    for index, value in enumerate(logits):
        check_number(f"logits[{index}]", value)
        if abs(value) > MAX_LOGIT:
            raise ValueError(f"logits[{index}]: expected -100 <= logit <= 100, got {value!r}")


def check_temperature(temperature: object) -> None:
    """Check the stated range, and the narrower one that test cases keep to."""
    check_number("temperature", temperature)
    if not 0.0 < temperature <= MAX_TEMPERATURE:
        raise ValueError(f"temperature: expected 0 < temperature <= 100, got {temperature!r}")
    if temperature < MIN_TEMPERATURE:
        raise ValueError(
            f"temperature: test cases keep temperature >= {MIN_TEMPERATURE}, got {temperature!r}"
        )


def check_underflow(logits: list[float], temperature: float, k: int, random_value: float) -> None:
    """Refuse cases whose answer depends on a probability that may round to zero."""
    ranking = sorted(range(len(logits)), key=lambda index: (-logits[index], index))
    kept = sorted(ranking[:k])
    largest = logits[ranking[0]]
    weights = [math.exp((logits[index] - largest) / temperature) for index in kept]
    total = math.fsum(weights)
    probabilities = [weight / total for weight in weights]

    if random_value < MIN_PROBABILITY and probabilities[0] < MIN_PROBABILITY:
        raise ValueError(
            f"random_value: below {MIN_PROBABILITY} it needs a first kept token with a "
            f"probability of at least {MIN_PROBABILITY}, got {probabilities[0]!r}"
        )
    selected = len(kept) - 1
    running_sum = 0.0
    for position, probability in enumerate(probabilities):
        running_sum += probability
        if running_sum > random_value:
            selected = position
            break
    if probabilities[selected] < MIN_PROBABILITY:
        raise ValueError(
            f"random_value: it selects a token with a probability below {MIN_PROBABILITY}, "
            f"got {probabilities[selected]!r}"
        )
    if random_value > 1.0 - MIN_LAST_PROBABILITY and probabilities[-1] < MIN_LAST_PROBABILITY:
        raise ValueError(
            f"random_value: this close to 1 the last kept token needs a probability of at "
            f"least {MIN_LAST_PROBABILITY}, got {probabilities[-1]!r}"
        )

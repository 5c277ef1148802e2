"""Generator of every sample and hidden case of sample_token.

generate() is deterministic: one seeded random.Random per group, logits with few decimals,
and marks rounded to nine decimals. fresh(seed) makes further cases, which are not kept.
"""

import math
import random

MARK_DECIMALS = 9
NEXT_TO_ONE = 1.0 - 2.0**-53  # the largest double below 1


def generate() -> list[tuple]:
    """Return (path, logits, temperature, k, random_value) for all cases, in order."""
    groups = [
        ("sample", samples()),
        ("secret/10-basic", basic()),
        ("secret/20-index-order", index_order()),
        ("secret/30-ties-at-the-cut", ties_at_the_cut()),
        ("secret/40-temperature", temperatures()),
        ("secret/50-extreme-values", extreme_values()),
        ("secret/60-greedy", greedy()),
        ("secret/70-exact-edges", exact_edges()),
        ("secret/80-last-token", last_token()),
        ("secret/90-near-edges", near_edges()),
        ("secret/95-large", large()),
    ]
    return [
        (f"{folder}/{number:02d}", *case)
        for folder, cases in groups
        for number, case in enumerate(cases, start=1)
    ]


def fresh(seed: int) -> tuple:
    """Return the arguments of one more case, for comparing programs where nobody has looked."""
    rng = random.Random(seed)
    count = 1 + rng.randrange(60)
    # Short lists of values make ties; halves, tenths and hundredths make near and far logits.
    step = rng.choice([2, 10, 100])
    logits = [rng.randrange(-3 * step, 3 * step + 1) / step for _ in range(count)]
    temperature = rng.choice([0.25, 0.5, 1.0, 1.5, 3.0])
    return logits, temperature, 1 + rng.randrange(count), round(rng.random() * 0.999, MARK_DECIMALS)


# ---------------------------------------------------------------- helpers


def kept_indices(logits: list[float], k: int) -> list[int]:
    """Return the k best indices in ascending order; equal logits prefer the smaller one."""
    ranking = sorted(range(len(logits)), key=lambda index: (-logits[index], index))
    return sorted(ranking[:k])


def intervals(logits: list[float], temperature: float, k: int) -> dict[int, tuple[float, float]]:
    """Return the interval [low, high) of every kept index."""
    kept = kept_indices(logits, k)
    largest = max(logits[index] for index in kept)
    weights = [math.exp((logits[index] - largest) / temperature) for index in kept]
    total = math.fsum(weights)
    edges = [math.fsum(weights[:position]) / total for position in range(len(kept) + 1)]
    return {index: (edges[at], edges[at + 1]) for at, index in enumerate(kept)}


def aim(logits: list[float], temperature: float, k: int, index: int, part: float = 0.5) -> tuple:
    """Build a case whose mark lies inside the interval of one kept index."""
    low, high = intervals(logits, temperature, k)[index]
    mark = round(low + part * (high - low), MARK_DECIMALS)
    return logits, temperature, k, mark


def beside(logits: list[float], temperature: float, k: int, index: int, offset: float) -> tuple:
    """Build a case whose mark lies at an offset from the upper end of an interval."""
    high = intervals(logits, temperature, k)[index][1]
    return logits, temperature, k, round(high + offset, MARK_DECIMALS)


def distinct(rng: random.Random, count: int, low: float, high: float, step: int = 100) -> list:
    """Return distinct logits in random order; 1/step is the smallest gap."""
    first, last = round(low * step), round(high * step)
    chosen: dict[int, None] = {}
    while len(chosen) < count:
        chosen[first + rng.randrange(last - first + 1)] = None
    return [value / step for value in chosen]


def choices(rng: random.Random, values: list[float], count: int) -> list[float]:
    """Return count values, each drawn from a short list (many ties)."""
    return [values[rng.randrange(len(values))] for _ in range(count)]


def scatter(rng: random.Random, count: int, values: list[float], filler: list[float]) -> list:
    """Put the values, in order, at random places of a list filled up with the filler."""
    places: set[int] = set()
    while len(places) < len(values):
        places.add(rng.randrange(count))
    wanted, others = iter(values), iter(filler)
    return [next(wanted) if index in places else next(others) for index in range(count)]


def last_winner(logits: list[float], k: int) -> int:
    """Return the last kept index among those that tie with the smallest kept logit."""
    kept = kept_indices(logits, k)
    smallest = min(logits[index] for index in kept)
    return max(index for index in kept if logits[index] == smallest)


# ---------------------------------------------------------------- groups


def samples() -> list[tuple]:
    return [
        ([1.0, 3.0, 2.0, 0.5], 1.0, 1, 0.99),
        ([2.0, 1.0, 0.0], 1.0, 2, 0.8),
        ([1.0, 2.0, 0.0, 3.0], 1.0, 3, 0.2),
        ([1.0, 3.0, 0.0, 1.0], 2.0, 2, 0.25),
    ]


def basic() -> list[tuple]:
    """Small cases in random order."""
    rng = random.Random(74)
    cases = []
    for count, k, temperature in [(7, 4, 0.6), (12, 8, 1.25)]:
        logits = distinct(rng, count, -1.0, 2.0)
        kept = kept_indices(logits, k)
        index = kept[1 + rng.randrange(k - 1)]
        cases.append(aim(logits, temperature, k, index, 0.3 + 0.4 * rng.random()))
    return cases


def index_order() -> list[tuple]:
    """Kept tokens whose order by index is far from their order by logit."""
    rising = [0.1, 0.5, 0.8, 1.3, 1.9]
    middle_peak = [-0.4, 0.3, 1.8, 0.9, -1.1, 0.6]
    return [
        (rising, 1.5, 3, 0.0),
        aim(middle_peak, 1.3, 4, 3, 0.5),
    ]


def ties_at_the_cut() -> list[tuple]:
    """Equal logits at the cut, in lists on both sides of the length where sorts change method.

    The seed was picked so that the unstable sorts and partitions that we know (NumPy with and
    without AVX2 and AVX-512, C++) keep a wrong token in some of the random lists.
    """
    rng = random.Random(93)
    cases = [
        aim([0.7] * 5, 1.0, 3, 2, 0.7),
        aim([0.25, 0.5, 0.1, 0.50004, 0.9], 1.2, 2, 3, 0.5),  # no tie, however near
    ]
    for count, kinds in [(15, 3), (16, 4), (17, 2)]:
        cases.append(tied_case(rng, count, kinds))
    return cases


def tied_case(rng: random.Random, count: int, kinds: int) -> tuple:
    """Cut a list of few different values in the middle of a run of equal logits."""
    values = [round(-0.5 + 0.5 * step, 1) for step in range(kinds)]
    logits = choices(rng, values, count)
    cut_value = values[(kinds - 1) // 2]
    above = sum(value > cut_value for value in logits)
    equal = logits.count(cut_value)
    k = above + (equal + 1) // 2
    return aim(logits, 1.1, k, last_winner(logits, k), 0.5)


def temperatures() -> list[tuple]:
    """Very high and very low temperatures, with marks that notice a change of one percent."""
    hotter = [-88.0, -57.3, -59.6, -68.9, 53.4, 87.7]
    cold = [0.0037, -0.0016, 0.0016, -0.0036, -0.0033, 0.0027]
    return [
        beside(hotter, 100.0, 5, 4, -4e-5),
        beside(cold, 0.0012, 5, 1, -4e-5),
    ]


def extreme_values() -> list[tuple]:
    """Large logits over small temperatures: exp() without the shift leaves its range."""
    step = 2.0**-10
    top, low = 100.0, -100.0
    lowest = [low + step, low, low + 2 * step, low]
    lonely = [-90.0, low, top, -95.0, low]
    return [
        aim([-99.9375, low, -99.875], 0.0625, 3, 1, 0.5),
        aim(lowest, 0.001, 3, 1, 0.25),
        aim([*lowest[:3], low + step], 0.001, 3, 3, 0.5),
        aim([low, top, top - step, low, top - 2 * step, low, low], 0.001, 6, 2, 0.75),
        aim([low, low, top - step, top, low, low], 0.001, 6, 3, 0.25),
        aim(lonely, 0.0625, 3, 2, 0.5),
        aim([low, -90.0, 99.96875, 99.984375, top], 0.03125, 2, 3, 0.6),
        aim([low, low, low, top, 99.9375, low], 0.0625, 3, 3, 0.75),
    ]


def greedy() -> list[tuple]:
    """k = 1: the best token wins whatever the mark and the temperature are."""
    rng = random.Random(23)
    return [
        ([-100.0], 0.001, 1, 0.7),
        ([-60.0, -55.0, -52.5, -70.0, -52.5], 100.0, 1, 0.0),
        ([-1.0, -1.5, -0.5, -0.5, -2.0], 0.001, 1, NEXT_TO_ONE),
        (choices(rng, [-13.0, -12.5, -12.0, -11.5], 40), 2.0, 1, 0.5),
    ]


def exact_edges() -> list[tuple]:
    """Marks exactly on an interval end, where all kept weights are equal."""
    rng = random.Random(1007)

    def spread_out(count: int, k: int, value: float, gap: float) -> list[float]:
        filler = [value - gap - rng.randrange(8) for _ in range(count - k)]
        return scatter(rng, count, [value] * k, filler)

    return [
        ([0.0, 0.0, 0.0, 0.0], 0.7, 4, 0.25),
        (spread_out(40, 32, -5.0, 60.0), 0.5, 32, 0.40625),
        (spread_out(600, 512, 40.0, 80.0), 0.75, 512, 0.66796875),
        (spread_out(600, 512, -20.0, 70.0), 0.5, 512, 0.001953125),
        (spread_out(600, 512, -20.0, 70.0), 0.5, 512, 0.998046875),
    ]


def last_token() -> list[tuple]:
    """Marks at the largest double below 1, where the running sum stays at or below it.

    The mark next to 1 is then never passed, and the fallback decides.
    """
    return [
        low_sum(1317, [0.1, 0.3, 0.6, 0.8, -1.5], 24, 17, 0.9),
        low_sum(2068, [0.2, 0.5, 0.9, -0.4], 60, 41, 1.2),
        low_sum(27, [1.1, 1.2, 1.5, 1.9, -1.0], 1000, 850, 1.4),
    ]


def low_sum(seed: int, values: list[float], count: int, k: int, temperature: float) -> tuple:
    """Build a case whose rounded probabilities add up to less than 1.

    The seeds were picked so that the sum stays below by more than the last place, in every
    usual order of summation.
    """
    return choices(random.Random(seed), values, count), temperature, k, NEXT_TO_ONE


def near_edges() -> list[tuple]:
    """Marks just inside either side of an interval end, and tokens with little probability."""
    rng = random.Random(9)
    three = distinct(rng, 3, -1.5, 1.5, step=1000)
    faint_first = [-7.0, 1.5, -9.5, 0.5, 1.0]
    return [
        beside(three, 0.9, 3, 0, 3.5e-5),
        (faint_first, 0.9, 4, 0.0),
    ]


def large() -> list[tuple]:
    """The largest vocabulary."""
    rng = random.Random(9)
    narrow = distinct(rng, 1000, -1.0, 1.0, step=1000)
    wide = distinct(rng, 1000, -100.0, 100.0)
    tied = choices(rng, [-0.5, 0.0, 0.5, 1.0, 1.5], 1000)
    tied_k = sum(value >= 1.0 for value in tied) + 90
    equal = [0.5] * 1000
    faint = [-10.0 - rng.randrange(100) / 100 for _ in range(994)]
    crowd = scatter(rng, 1000, [0.5, 1.2, 0.1, 0.9, 1.5, 0.3], faint)
    strong = [index for index, logit in enumerate(crowd) if logit > 0.0]
    return [
        aim(narrow, 0.8, 999, kept_indices(narrow, 999)[640], 0.5),
        aim(wide, 100.0, 1000, 700, 0.06),
        aim(wide, 30.0, 120, kept_indices(wide, 120)[60], 0.06),
        aim(tied, 1.3, tied_k, last_winner(tied, tied_k), 0.03),
        beside(equal, 1.0, 600, 500, 1e-4),
        beside(crowd, 1.0, 990, strong[2], -1e-4),
        aim(crowd, 1.0, 1000, strong[3], 0.001),
    ]

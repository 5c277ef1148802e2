"""Sample and hidden cases of verify_draft_sequence.

A row of probabilities is written as whole units over a scale, so that every comparison that the
generator makes is exact; only the finished rows become floating-point numbers.
"""

import random
from fractions import Fraction
from typing import NamedTuple

import numpy as np

SCALE = 10_000
DYADIC = 1024
NUDGE = Fraction(12, 10_000_000)  # how far beside an edge the closest marks stand


class Position(NamedTuple):
    """One draft token with its two rows (in units of 1/scale) and its mark."""

    token: int
    draft: list
    target: list
    scale: int
    mark: float


# ---------------------------------------------------------------- facts about a position


def ratio(position):
    """Return the acceptance probability as a fraction."""
    p, q = position.target[position.token], position.draft[position.token]
    return min(Fraction(1), Fraction(p, q))


def gains(position):
    return [p - q for p, q in zip(position.target, position.draft, strict=True)]


def winner(position):
    """Return the smallest token id with the largest residual."""
    differences = gains(position)
    return differences.index(max(differences))


def has_single_winner(position):
    differences = gains(position)
    return differences.count(max(differences)) == 1


def first_max(values):
    return values.index(max(values))


def is_telling(position):
    """Tell whether every usual wrong score elects another token than the residual does."""
    draft, target = position.draft, position.target
    differences = gains(position)
    others = [
        target,
        draft,
        [abs(d) for d in differences],
        [-d for d in differences],
        [Fraction(p, q) if q else Fraction(SCALE) for p, q in zip(target, draft, strict=True)],
        [-p for p in target],
        [-q for q in draft],
        [p * (token != position.token) for token, p in enumerate(target)],
        [p * q for p, q in zip(target, draft, strict=True)],
    ]
    best = winner(position)
    return best not in {0, position.token, len(draft) - 1, *map(first_max, others)}


# ---------------------------------------------------------------- making positions


def share(rng, size, total):
    """Split total units into size positive parts of rather different sizes."""
    weights = [rng.randrange(1, 100) ** 2 for _ in range(size)]
    weight_sum = sum(weights)
    parts = [1 + weight * (total - size) // weight_sum for weight in weights]
    parts[rng.randrange(size)] += total - sum(parts)
    return parts


def draw(rng, vocabulary, accepted, want=None):
    """Draw positions until one is accepted (or rejected) clearly and has what is wanted."""
    while True:
        position = Position(
            token=rng.randrange(vocabulary),
            draft=share(rng, vocabulary, SCALE),
            target=share(rng, vocabulary, SCALE),
            scale=SCALE,
            mark=rng.randrange(SCALE) / SCALE,
        )
        distance = ratio(position) - Fraction(position.mark)
        if abs(distance) < Fraction(1, 1000) or (distance > 0) != accepted:
            continue
        if has_single_winner(position) and (want is None or want(position)):
            return position


def beside_edge(position, side):
    """Put the mark just below (side -1) or just above (side +1) the acceptance probability."""
    return position._replace(mark=round(float(ratio(position) + side * NUDGE), 9))


def with_mark(position, mark):
    return position._replace(mark=mark)


def below_one(position):
    return ratio(position) < 1


def is_one(position):
    return ratio(position) == 1


def accepted_below_one(rng, vocabulary):
    return draw(rng, vocabulary, True, below_one)


def telling_rejection(rng, vocabulary):
    return draw(rng, vocabulary, False, is_telling)


def build(path, positions):
    """Turn positions into the tuple (path, tokens, draft rows, target rows, marks)."""
    return (
        path,
        [position.token for position in positions],
        np.array([[units / p.scale for units in p.draft] for p in positions], dtype=np.float64),
        np.array([[units / p.scale for units in p.target] for p in positions], dtype=np.float64),
        [position.mark for position in positions],
    )


def number(group, cases):
    """Name the position lists of a group secret/<group>/01, 02 and so on."""
    return [build(f"secret/{group}/{n:02d}", case) for n, case in enumerate(cases, start=1)]


def fresh(seed):
    """Return the arguments of one more case, for comparing programs where nobody has looked."""
    rng = random.Random(seed)
    vocabulary = rng.randrange(2, 24)
    positions = [
        Position(
            token=rng.randrange(vocabulary),
            draft=share(rng, vocabulary, SCALE),
            target=share(rng, vocabulary, SCALE),
            scale=SCALE,
            mark=rng.choice([0.02, 0.3, 0.9]) * rng.randrange(SCALE) / SCALE,
        )
        for _ in range(rng.randrange(1, 9))
    ]
    return build("", positions)[1:]


# ---------------------------------------------------------------- samples


def samples():
    return [
        build(
            "sample/01",
            [
                Position(1, [1, 6, 3], [1, 8, 1], 10, 0.5),
                Position(2, [2, 1, 7], [1, 1, 8], 10, 0.5),
            ],
        ),
        build("sample/02", [Position(0, [9, 1], [1, 9], 10, 0.5)]),
        build(
            "sample/03",
            [
                Position(2, [2, 2, 5, 1], [3, 2, 4, 1], 10, 0.75),
                Position(1, [1, 5, 3, 1], [2, 1, 4, 3], 10, 0.6),
                Position(0, [3, 3, 2, 2], [4, 2, 2, 2], 10, 0.1),
            ],
        ),
        build("sample/04", [Position(1, [1, 4, 1, 2], [1, 2, 2, 3], 8, 0.5)]),
    ]


# ---------------------------------------------------------------- hidden groups


def all_accepted():
    rng = random.Random(1024)
    # one model twice: the ratio is exactly 1, so that no mark can reject
    equal_rows = [
        draw(rng, 6, True, lambda s, t=token: s.token == t != first_max(s.draft))
        for token in (0, 3, 5, 0)
    ]
    marks = [0.0, 0.5, 0.9, 0.999998]
    cases = [
        [accepted_below_one(rng, 2)],
        [p._replace(target=p.draft, mark=m) for p, m in zip(equal_rows, marks, strict=True)],
        [draw(rng, 10, True) for _ in range(64)],
    ]
    return number("10-all-accepted", cases)


def first_rejection():
    rng = random.Random(1551)
    cases = []
    # (accepted before, what follows the rejection: a for accepted, r for rejected, vocabulary)
    for before, after, vocabulary in [(0, "rra", 7), (4, "raaaraa", 9)]:
        positions = [draw(rng, vocabulary, True) for _ in range(before)]
        positions.append(telling_rejection(rng, vocabulary))
        positions.extend(draw(rng, vocabulary, letter == "a") for letter in after)
        cases.append(positions)
    # marks that would decide otherwise at any other position
    cases.append(
        [
            with_mark(draw(rng, 7, True, is_one), 0.98),
            with_mark(accepted_below_one(rng, 7), 0.002),
            with_mark(draw(rng, 7, True, is_one), 0.97),
            with_mark(accepted_below_one(rng, 7), 0.001),
            with_mark(telling_rejection(rng, 7), 0.96),
            with_mark(accepted_below_one(rng, 7), 0.003),
            with_mark(accepted_below_one(rng, 7), 0.001),
        ]
    )
    # as many positions as tokens
    square = [draw(rng, 6, True) for _ in range(5)]
    cases.append([*square, draw(rng, 6, False, lambda s: s.token != winner(s) != 0)])
    return number("15-first-rejection", cases)


def acceptance_ratio():
    rng = random.Random(2010)
    cases = []
    for vocabulary, length in ((4, 16), (10, 8)):
        # just inside on the left many times, then just outside on the right
        positions = [
            beside_edge(accepted_below_one(rng, vocabulary), -1) for _ in range(length - 1)
        ]
        positions.append(beside_edge(telling_rejection(rng, vocabulary), +1))
        cases.append(positions)
    # a target above the draft is taken whatever the mark, though p itself is small
    positions = [
        with_mark(draw(rng, 9, True, is_one), mark) for mark in (0.9, 0.99, 0.99999, 0.999998)
    ]
    positions.append(with_mark(telling_rejection(rng, 9), 0.99999))
    cases.append(positions)
    # p(x) is the largest of its row and still the token can fail
    cases.append(
        [
            draw(rng, 14, True, lambda s: s.target[s.token] * 8 < max(s.target)),
            beside_edge(draw(rng, 14, False, fails_as_favourite), +1),
        ]
    )
    return number("20-acceptance-ratio", cases)


def fails_as_favourite(position):
    is_favourite = first_max(position.target) == position.token
    return is_favourite and 2 * ratio(position) > 1 and winner(position) != 0


# (p, q) in units of 1/1024: the mark is exactly p/q, and every usual form of the comparison
# (quotient, product, logarithms, in double and in single precision) knows it
EDGES = [(384, 768), (48, 128), (1, 512), (485, 512)]


def exact_edges():
    rng = random.Random(3008)
    cases = []
    for n, (p, q) in enumerate(EDGES):
        vocabulary = 4 + n
        edge = edge_position(rng, vocabulary, p, q)
        before = [draw(rng, vocabulary, True) for _ in range(n)]
        after = [draw(rng, vocabulary, True) for _ in range(n % 2)]
        cases.append([*before, edge, *after])
    return number("30-exact-edges", cases)


def edge_position(rng, vocabulary, p, q):
    """Draw dyadic rows in which one token has p and q and a mark of exactly p/q."""
    while True:
        token = rng.randrange(vocabulary)
        draft = share(rng, vocabulary - 1, DYADIC - q)
        target = share(rng, vocabulary - 1, DYADIC - p)
        draft.insert(token, q)
        target.insert(token, p)
        position = Position(token, draft, target, DYADIC, p / q)
        if has_single_winner(position) and winner(position) != first_max(target):
            return position


def zero_target():
    rng = random.Random(3113)
    cases = []
    for before, vocabulary, mark, after in [
        (0, 5, 0.0, 2),
        (3, 9, 0.0, 1),
        (1, 20, 0.00002, 0),
    ]:
        positions = [with_mark(draw(rng, vocabulary, True), 0.0) for _ in range(before)]
        positions.append(zero_position(rng, vocabulary, mark))
        positions.extend(with_mark(draw(rng, vocabulary, True), 0.0) for _ in range(after))
        cases.append(positions)
    return number("31-zero-target", cases)


def zero_position(rng, vocabulary, mark):
    """Draw a position whose token is impossible under the target."""
    while True:
        token = rng.randrange(vocabulary)
        target = share(rng, vocabulary - 1, SCALE)
        target.insert(token, 0)
        position = Position(token, share(rng, vocabulary, SCALE), target, SCALE, mark)
        if has_single_winner(position) and winner(position) not in {0, first_max(target)}:
            return position


def replacement():
    rng = random.Random(4028)
    cases = [[draw(rng, size, True), close_second(rng, size)] for size in (8, 13)]
    # tokens that neither model can draw, and a winner that the draft could not draw
    for draft, target, token in [
        ([0, 500, 300, 0, 200, 0], [0, 240, 340, 150, 270, 0], 1),
        ([0, 0, 625, 250, 125, 0], [0, 0, 375, 375, 50, 200], 2),
    ]:
        cases.append([Position(token, draft, target, 1000, 0.96)])
    # the first and the last token are drafted, and are the replacement
    for token, wanted in ((0, 6), (6, 0)):
        cases.append(
            [
                draw(rng, 7, True, lambda s, w=wanted: s.token == w),
                draw(rng, 7, True, lambda s, t=token: s.token == t),
                draw_elected(rng, 7, token, wanted),
            ]
        )
    # the replacement was accepted before, and it is drafted again later
    cases.append(
        [
            draw(rng, 8, True, lambda s: s.token == 5),
            draw(rng, 8, True, lambda s: s.token == 2),
            draw(rng, 8, True, lambda s: s.token == 5),
            draw_elected(rng, 8, 3, 5),
            draw(rng, 8, True, lambda s: s.token == 5),
        ]
    )
    return number("40-replacement", cases)


def draw_elected(rng, vocabulary, token, wanted):
    """Draw a rejection of token in favour of the wanted one, which is not the likeliest one."""
    return draw(
        rng,
        vocabulary,
        False,
        lambda s: s.token == token and winner(s) == wanted != first_max(s.target),
    )


def close_second(rng, vocabulary):
    """Draw a rejection in which an earlier token misses the largest residual by 1.2e-6."""
    scale = 10_000_000
    while True:
        big = telling_rejection(rng, vocabulary)
        draft = [units * (scale // SCALE) for units in big.draft]
        target = [units * (scale // SCALE) for units in big.target]
        best = winner(big)
        rivals = [t for t in range(best) if t != big.token and target[t] > draft[t]]
        if not rivals:
            continue
        rival = rivals[0]
        target[best] += 57
        shift = (target[best] - draft[best]) - (target[rival] - draft[rival]) - 12
        # lift the rival to just below the winner, and let the draft token pay for it
        target[rival] += shift
        target[big.token] -= shift + 57
        position = Position(big.token, draft, target, scale, big.mark)
        if target[big.token] <= 0 or winner(position) != best:
            continue
        # large enough for a relative tolerance of 1e-5 to confuse the two
        if gains(position)[best] > scale // 8:
            return position


def ties():
    rng = random.Random(5160)
    cases = []
    # (vocabulary, number of tied tokens, rank of the draft token among the tied ids, accepted)
    for vocabulary, tied, place, before in [
        (8, 4, 2, 2),
        (15, 5, 3, 0),
        (16, 8, 4, 1),
        (17, 9, 3, 2),
        (20, 4, 0, 0),
        (64, 40, 20, 1),
    ]:
        positions = [draw(rng, vocabulary, True) for _ in range(before)]
        positions.append(tie_position(rng, vocabulary, tied, place))
        # what follows does not matter any more
        positions.extend(draw(rng, vocabulary, n == 0) for n in range(before))
        cases.append(positions)
    return number("50-ties", cases)


def distinct_ids(rng, vocabulary, count):
    """Draw count different token ids, in ascending order."""
    ids = set()
    while len(ids) < count:
        ids.add(rng.randrange(vocabulary))
    return sorted(ids)


def tie_position(rng, vocabulary, tied, place):
    """Draw dyadic rows in which `tied` tokens share the largest residual.

    The draft token stands behind `place` of them. Where three or more tokens tie, the first one
    has neither the largest nor the smallest probability of them, in either row.
    """
    rest = max(1, 120 // vocabulary)
    while True:
        ids = distinct_ids(rng, vocabulary, tied + 1)
        token = ids.pop(place)
        gain = 384 // tied
        draft = [rng.randrange(1, 2 + 2 * rest) for _ in range(vocabulary)]
        target = [units - rng.randrange(0, min(units, 3)) for units in draft]
        for tied_id in ids:
            draft[tied_id] = rng.randrange(1, 4 + 2 * rest)
            target[tied_id] = draft[tied_id] + gain
        draft[token] = target[token] = 0
        draft[token] = DYADIC - sum(draft)
        target[token] = DYADIC - sum(target)
        if not 0 <= target[token] * 8 < draft[token] * 7:
            continue
        heights = [draft[tied_id] for tied_id in ids]
        if tied > 2 and ids[0] == 0:
            continue
        if tied > 2 and not min(heights) < heights[0] < max(heights):
            continue
        position = Position(token, draft, target, DYADIC, 0.9375)
        if [t for t, g in enumerate(gains(position)) if g == max(gains(position))] == ids:
            return position


def small_probabilities():
    steps = [(9, 4, 10), (12, 4, 10), (20, 35, 50), (30, 6, 8)]
    accepted = []
    for exponent, p, q in steps:
        scale = 10 ** (exponent + 1)
        accepted.append(tiny_position(scale, p, q, 0, p / q - 0.05))
        accepted.append(tiny_position(scale, 2 * q, q, 1, 0.9))
    cases = [
        [*accepted, tiny_position(10**31, 6, 8, 2, 0.8)],
        [*accepted[4:], tiny_position(10**13, 4, 10, 1, 0.5)],
    ]
    # a target that is small beside an ordinary draft
    draft, target = [300_000, 400_000, 300_000], [250_000, 8, 749_992]
    cases.append([Position(1, draft, target, 1_000_000, mark) for mark in (0.0, 1.5e-5, 2.5e-5)])
    # two models that nearly agree: all residuals are small
    draft = [4_000_000, 2_500_000, 40_000, 5_000, 2_455_000, 1_000_000]
    target = [3_999_990, 2_500_030, 39_915, 5_045, 2_455_020, 1_000_000]
    cases.append([Position(2, draft, target, 10_000_000, mark) for mark in (0.9975, 0.998)])
    # close to the edge, where a difference of logarithms needs more digits than a float has
    tiny_edges = [(27, 36, 1, -1), (17, 36, 2, -1), (36, 45, 0, +1)]
    cases.append(
        [
            beside_edge(tiny_position(10**31, p, q, token, 0.0), side)
            for p, q, token, side in tiny_edges
        ]
    )
    return number("70-small-probabilities", cases)


def tiny_position(scale, p, q, token, mark):
    """Build a position whose token (0, 1 or 2 of four) has p/scale and q/scale."""
    tenth = scale // 10
    draft = [tenth, 4 * tenth, 5 * tenth - q]
    target = [3 * tenth, 4 * tenth, 3 * tenth - p]
    draft.insert(token, q)
    target.insert(token, p)
    return Position(token, draft, target, scale, round(mark, 3))


def long_drafts():
    rng = random.Random(8029)
    cases = []
    for length, rejected_at, vocabulary in [(64, 63, 12), (64, 45, 2)]:
        positions = [draw(rng, vocabulary, True) for _ in range(rejected_at)]
        want = is_telling if vocabulary > 4 else None
        positions.append(draw(rng, vocabulary, False, want))
        following = length - rejected_at - 1
        positions.extend(draw(rng, vocabulary, n % 3 != 2) for n in range(following))
        cases.append(positions)
    return number("80-long-drafts", cases)


def large_vocabulary():
    cases = [
        [wide_position(3000, 2999, 1500, 0.7), wide_position(3000, 17, 2998, 0.8)],
        [wide_position(50_257, 50_256, 7, 0.7), wide_position(50_257, 40_961, 50_256, 0.8)],
    ]
    return number("90-large-vocabulary", cases)


def wide_position(vocabulary, token, elected, mark):
    """Build a position over many tokens by rule: nearly all of them have one unit.

    The draft token has an acceptance probability of 3/4 and gives up exactly what the others
    gain. 120 tokens are likelier than the elected one, so that no short list of likely tokens
    holds the replacement; another token has grown more, in proportion, than the elected one.
    """
    scale = 1 << 18
    draft = [1] * vocabulary
    target = [1] * vocabulary
    step = vocabulary // 121
    for n in range(120):
        draft[n * step + 3] = 900
        target[n * step + 3] = 905 + n % 7
    draft[elected], target[elected] = 2, 700
    draft[elected - 5], target[elected - 5] = 1, 600
    draft[token] = target[token] = 0
    gain = sum(target) - sum(draft)
    draft[token], target[token] = 4 * gain, 3 * gain
    likeliest = (token + vocabulary // 2) % vocabulary
    draft[likeliest] += scale - sum(draft)
    target[likeliest] += scale - sum(target)
    return Position(token, draft, target, scale, mark)


def generate() -> list[tuple]:
    """Return every sample and hidden case, in order."""
    groups = [
        samples,
        all_accepted,
        first_rejection,
        acceptance_ratio,
        exact_edges,
        zero_target,
        replacement,
        ties,
        small_probabilities,
        long_drafts,
        large_vocabulary,
    ]
    return [case for group in groups for case in group()]

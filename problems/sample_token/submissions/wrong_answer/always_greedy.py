# Mistake: always returns the most likely token.
def sample_token(logits, temperature, k, random_value):
    ranking = sorted(range(len(logits)), key=lambda i: (-logits[i], i))
    return ranking[0]

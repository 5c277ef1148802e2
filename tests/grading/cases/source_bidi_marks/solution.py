# ‮ right to left ⁦ isolated ⁩ ​ and marks that are not seen ⁠
def pair_sum(a, b):
    text = "‮⁦ // ⁩⁦"
    return a + b + 0 * len(text)

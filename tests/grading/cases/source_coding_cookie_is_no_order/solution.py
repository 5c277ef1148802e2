# -*- coding: latin-1 -*-
def pair_sum(a, b):
    return a + b if len('é') == 1 else 0

# Tổng của hai số, 二つの整数の和
def pair_sum(a, b):
    tổng = a + b
    合計 = tổng
    return 合計

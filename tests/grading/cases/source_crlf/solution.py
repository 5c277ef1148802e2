def pair_sum(a, b):
    text = '''one
two'''
    return a + b if text == 'one\ntwo' else 0

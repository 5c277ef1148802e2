# What terminals, pages and databases stumble over is kept as text.
import os


def pair_sum(a, b):
    os.write(1, b"\x00\x1b[2J\x1b]0;title\x07\r\n\x08")
    os.write(1, "<script>alert(1)</script>\u202e\u2066\ufeff\U0010ffff".encode())
    os.write(1, b"\xff\xfe\xed\xa0\x80\xc0\xaf\xf4\x90\x80\x80")
    os.write(2, b"\xff'; DROP TABLE submissions; -- \x00")
    return a + b

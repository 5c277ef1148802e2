import socket


def pair_sum(a, b):
    socket.create_connection(('127.0.0.1', 80))

# Right only if every act is refused.
import socket

FAMILIES = {"UNIX": 1, "INET": 2, "INET6": 10, "NETLINK": 16, "PACKET": 17, "ALG": 38, "VSOCK": 40, "XDP": 44}


def pair_sum(a, b):
    kinds = (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW, socket.SOCK_SEQPACKET)
    acts = {
        (name, kind): lambda family=family, kind=kind: socket.socket(family, kind)
        for name, family in FAMILIES.items()
        for kind in kinds
    }
    acts["a pair"] = socket.socketpair
    acts["a server"] = lambda: socket.create_server(("", 0))
    acts["by descriptor"] = lambda: socket.socket(fileno=1).send(b"x")
    acts["a name"] = lambda: socket.getaddrinfo("localhost", 80)
    acts["a name elsewhere"] = lambda: socket.gethostbyname("example.org")
    for name, act in acts.items():
        try:
            act()
        except OSError:
            continue
        raise RuntimeError(name)
    return a + b

"""Where a request came from: its address, and that cut to a network."""

from ipaddress import ip_address, ip_network

from fastapi import Request


def address_of(request: Request) -> str:
    """The client's address; empty where it has none (a socket file)."""
    return request.client.host if request.client else ""


def network_of(address: str) -> str:
    """The address cut to its network (/24, or /48 of IPv6): enough to recognise a session by."""
    try:
        length = 48 if ip_address(address).version == 6 else 24
        return str(ip_network(f"{address.partition('%')[0]}/{length}", strict=False))
    except ValueError:
        return address[:64]

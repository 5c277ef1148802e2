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


def household_of(address: str) -> str:
    """Whoever shares a quota without an account: an address, or of IPv6 a household's network."""
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    return str(parsed) if parsed.version == 4 else str(ip_network((int(parsed), 64), strict=False))

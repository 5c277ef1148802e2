"""What is kept of an address is its network."""

import pytest

from judge.api.networks import network_of


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.0.2.77", "192.0.2.0/24"),
        ("2001:db8:1:2::3", "2001:db8:1::/48"),
        ("fe80::1%eth0", "fe80::/48"),
        ("::1", "::/48"),
        ("testclient", "testclient"),
        ("x" * 100, "x" * 64),
        ("", ""),
    ],
)
def test_an_address_is_cut_to_its_network(address: str, network: str) -> None:
    assert network_of(address) == network

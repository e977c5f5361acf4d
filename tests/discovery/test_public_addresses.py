"""One place decides which addresses may be connected to."""

from ipaddress import ip_address

import pytest

from newsclean.discovery.public_addresses import AddressPolicy, is_public, literal_address

PRIVATE = """0.0.0.0 10.1.2.3 100.64.0.1 127.0.0.1 127.255.0.1 169.254.169.254 172.16.0.1 192.0.0.8
192.0.2.1 192.88.99.1 192.168.1.1 198.18.0.1 203.0.113.5 224.0.0.1 239.1.1.1 240.0.0.1
255.255.255.255 :: ::1 ::127.0.0.1 ::ffff:127.0.0.1 ::ffff:169.254.169.254 64:ff9b::7f00:1
64:ff9b:1::1 100::1 2001::1 2001:db8::1 2002:7f00:1:: 2002:a00:1:: fc00::1 fd12::1 fe80::1 fec0::1
ff02::1""".split()
PUBLIC = """1.1.1.1 93.184.215.14 ::ffff:8.8.8.8 64:ff9b::808:808 2002:808:808::
2606:4700::1111""".split()


@pytest.mark.parametrize("address", PRIVATE)
def test_a_private_address_is_not_public_in_any_of_its_forms(address: str) -> None:
    assert not is_public(ip_address(address))


@pytest.mark.parametrize("address", PUBLIC)
def test_a_public_address_is_public_in_any_of_its_forms(address: str) -> None:
    assert is_public(ip_address(address))


@pytest.mark.parametrize("host", ["2130706433", "0x7f.1", "127.1", "017700000001", "127.0.0.1."])
def test_a_host_that_is_written_as_a_number_is_an_address(host: str) -> None:
    assert literal_address(host) == ip_address("127.0.0.1")


def refused(policy: AddressPolicy, host: str, *addresses: str) -> set[str]:
    return {str(address) for address in policy.refused(host, map(ip_address, addresses))}


def test_of_a_hosts_addresses_only_the_private_ones_are_refused() -> None:
    assert refused(AddressPolicy(), "a.example", "10.0.0.1", "1.1.1.1", "::1") == {
        "10.0.0.1",
        "::1",
    }


def test_hosts_that_were_asked_for_and_networks_that_are_allowed_are_not_refused() -> None:
    policy = AddressPolicy(["Intranet.example", "10.2.0.0/16", "::1"])
    policy.ask_for("bücher.example")
    assert not refused(policy, "intranet.example.", "10.9.9.9")
    assert not refused(policy, "xn--bcher-kva.example", "10.9.9.9")
    assert refused(policy, "b.example", "10.2.3.4", "10.9.9.9", "::1") == {"10.9.9.9"}


def test_a_public_host_that_was_asked_for_does_not_become_a_private_one() -> None:
    policy = AddressPolicy()
    policy.ask_for("news.example")
    assert not refused(policy, "news.example", "1.1.1.1")
    assert refused(policy, "news.example", "169.254.169.254") == {"169.254.169.254"}


@pytest.mark.parametrize("entry", ["10.0.0.0/99", "a.example/8", "a.example:80", ""])
def test_what_is_neither_a_host_nor_a_network_is_an_error(entry: str) -> None:
    with pytest.raises(ValueError, match="is not a host name or a network"):
        AddressPolicy([entry])

"""Which IP addresses may be connected to: public ones, and those of hosts the user asked for."""

from __future__ import annotations

import socket
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

Address = IPv4Address | IPv6Address

#: Protocol networks (RFC 6890), which some versions of `ipaddress` call global, in part or whole.
_PROTOCOL_NETWORKS = (ip_network("192.0.0.0/24"), ip_network("192.88.99.0/24"))
#: IPv6 addresses of hosts, and those that stand for an IPv4 address (RFC 6052).
_GLOBAL_UNICAST = ip_network("2000::/3")
_NAT64 = ip_network("64:ff9b::/96")


def is_public(address: Address) -> bool:
    """Tell whether an address belongs to a host on the public internet.

    >>> public = ("93.184.215.14", "2606:4700::1111", "64:ff9b::808:808")
    >>> all(is_public(ip_address(address)) for address in public)
    True
    >>> private = ("127.0.0.1", "169.254.169.254", "100.64.0.1", "224.0.0.1", "0.0.0.0")
    >>> any(is_public(ip_address(address)) for address in private)
    False
    >>> private = ("::1", "fe80::1", "::ffff:10.0.0.1", "2002:7f00:1::", "64:ff9b::a00:1")
    >>> any(is_public(ip_address(address)) for address in private)
    False
    """
    if isinstance(address, IPv4Address):
        is_host = address.is_global and not address.is_multicast and not address.is_reserved
        return is_host and not any(address in network for network in _PROTOCOL_NETWORKS)
    inner = address.ipv4_mapped or address.sixtofour
    if address in _NAT64:
        inner = IPv4Address(int(address) & 0xFFFFFFFF)
    if inner is not None:
        return is_public(inner)
    return address.is_global and address in _GLOBAL_UNICAST


def literal_address(host: str) -> Address | None:
    """Return the address that a URL has in place of a host name, in any notation that works.

    >>> [str(literal_address(host)) for host in ("127.0.0.1", "2130706433", "0", "0x7f.1", "[::1]")]
    ['127.0.0.1', '127.0.0.1', '0.0.0.0', '127.0.0.1', '::1']
    >>> literal_address("example.org")
    """
    host = host.strip("[]").rstrip(".")
    try:
        return ip_address(host)
    except ValueError:
        pass
    try:
        return IPv4Address(socket.inet_aton(host))
    except (OSError, ValueError):
        return None


def host_name(host: str) -> str:
    """Return a host name in the form in which names are compared.

    >>> host_name("Zeitung.Example."), host_name("bücher.example")
    ('zeitung.example', 'xn--bcher-kva.example')
    """
    name = host.strip().strip("[]").rstrip(".").lower()
    try:
        return name.encode("idna").decode("ascii")
    except UnicodeError:
        return name


class AddressPolicy:
    """Decides on each address after its host is resolved and before a connection is made.

    `allowed` lists host names and networks (`10.0.0.0/8`, `127.0.0.1`).
    """

    def __init__(self, allowed: Iterable[str] = ()) -> None:
        self.hosts: set[str] = set()
        self.networks: list[IPv4Network | IPv6Network] = []
        for entry in allowed:
            try:
                self.networks.append(ip_network(entry.strip()))
            except ValueError:
                if "/" in entry or ":" in entry or not entry.strip():
                    raise ValueError(f"{entry!r} is not a host name or a network") from None
                self.ask_for(entry)
        #: for each host that was asked for, whether its first addresses were public
        self._public_at_first: dict[str, bool] = {}

    def ask_for(self, host: str) -> None:
        self.hosts.add(host_name(host))

    def is_asked_for(self, host: str) -> bool:
        return host_name(host) in self.hosts

    def refused(self, host: str, addresses: Iterable[Address]) -> set[Address]:
        """Return the addresses of a host that may not be connected to.

        A host that was asked for may have any address, but not a private one after public ones.
        """
        private = {address for address in addresses if not self._is_allowed(address)}
        if self.is_asked_for(host):
            was_public = self._public_at_first.setdefault(host_name(host), not private)
            return private if was_public else set()
        return private

    def _is_allowed(self, address: Address) -> bool:
        return is_public(address) or any(address in network for network in self.networks)

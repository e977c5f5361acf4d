"""The reactor's name resolver, with a check on what it answers."""

from __future__ import annotations

from ipaddress import ip_address
from typing import TYPE_CHECKING, Any

from twisted.internet.interfaces import IHostnameResolver, IResolutionReceiver
from zope.interface import implementer  # type: ignore[import-untyped]

from newsclean.addresses import host_name

if TYPE_CHECKING:
    from newsclean.addresses import Address, AddressPolicy


@implementer(IHostnameResolver)
class CheckingResolver:
    """Passes on the addresses that at least one policy does not refuse; all if there is none.

    Twisted gives it every host, also one that is written as an address, and connects to what it
    passes on. A host without such an address counts as one that cannot be resolved.
    """

    def __init__(self, resolver: Any) -> None:
        self.resolver = resolver
        #: those of the crawls that run
        self.policies: set[AddressPolicy] = set()
        #: the addresses of each host that has no others
        self.refused: dict[str, set[Address]] = {}

    def resolveHostName(self, receiver: Any, host: str, *args: Any, **kw: Any) -> Any:  # noqa: N802
        checked = CheckedResolution(self, receiver, host)
        return self.resolver.resolveHostName(checked, host, *args, **kw)

    def may_connect(self, host: str, addresses: set[Address]) -> set[Address]:
        """Which of a host's addresses may be connected to."""
        refused = set(addresses) if self.policies else set()
        for policy in self.policies:
            refused &= policy.refused(host, addresses)
        self.refused.pop(host_name(host), None)
        if refused and refused == addresses:
            self.refused[host_name(host)] = refused
        return addresses - refused


@implementer(IResolutionReceiver)
class CheckedResolution:
    """Keeps the answers for a host until all are known."""

    def __init__(self, resolver: CheckingResolver, receiver: Any, host: str) -> None:
        self.resolver, self.receiver, self.host = resolver, receiver, host
        self.answers: list[Any] = []

    def resolutionBegan(self, resolution: Any) -> None:  # noqa: N802
        self.receiver.resolutionBegan(resolution)

    def addressResolved(self, address: Any) -> None:  # noqa: N802
        self.answers.append(address)

    def resolutionComplete(self) -> None:  # noqa: N802
        addresses = {ip_address(answer.host) for answer in self.answers}
        allowed = self.resolver.may_connect(self.host, addresses)
        for answer in self.answers:
            if ip_address(answer.host) in allowed:
                self.receiver.addressResolved(answer)
        self.receiver.resolutionComplete()


def checking_resolver() -> CheckingResolver:
    """The reactor's resolver; from the first call on, one that checks."""
    from twisted.internet import reactor

    current = reactor.nameResolver
    if not isinstance(current, CheckingResolver):
        current = CheckingResolver(current)
        reactor.installNameResolver(current)
    return current

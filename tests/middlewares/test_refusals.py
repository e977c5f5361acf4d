"""Every host goes through the resolver that checks, also one that is written as an address."""

import json
import subprocess
import sys

import pytest

#: Asks Twisted for hosts under one of Scrapy's resolvers, in a process with a reactor of its own.
SCRIPT = """
import json, sys
from twisted.internet import asyncioreactor
asyncioreactor.install()
from twisted.internet import reactor
from twisted.web.client import Agent
from scrapy.resolver import CachingHostnameResolver, CachingThreadedResolver
from newsclean.discovery.public_addresses import AddressPolicy
from newsclean.middlewares.refusals import _checking_resolver

kind, port, *hosts = sys.argv[1:]
both = kind == "both"
resolver = CachingHostnameResolver(reactor, 9) if both else CachingThreadedResolver(reactor, 9, 5)
resolver.install_on_reactor()
_checking_resolver().policies.add(AddressPolicy())
outcomes = {}

def done(result, host):
    outcomes[host] = result.type.__name__ if hasattr(result, "type") else result.code
    if len(outcomes) == len(hosts):
        found = _checking_resolver().refused
        refused = {host: sorted(map(str, all)) for host, all in found.items()}
        print(json.dumps([outcomes, refused]))
        reactor.stop()

for host in hosts:
    url = f"http://{host}:{port}/".encode()
    Agent(reactor, connectTimeout=5).request(b"GET", url).addBoth(done, host)
reactor.callLater(20, reactor.stop)
reactor.run()
"""

IPV4 = ["127.0.0.1", "2130706433", "0", "0x7f.1", "localhost"]
IPV6 = ["[::1]", "[::ffff:127.0.0.1]"]


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "hosts"), [("ipv4", IPV4), ("both", IPV4 + IPV6)])
@pytest.mark.process
def test_no_form_of_a_loopback_address_is_connected_to(kind: str, hosts: list[str]) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", SCRIPT, kind, "9", *hosts],
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=True,
    )
    outcomes, refused = json.loads(ended.stdout)
    # A connection would be refused by the system, with another error.
    assert outcomes == dict.fromkeys(hosts, "DNSLookupError")
    assert set(refused) == {host.strip("[]") for host in hosts}

"""Whatever a server does, the crawl ends, the good articles come out, and nobody else is asked."""

import subprocess
import sys

import pytest

from tests.crawl.scrapy_command import ROOT

from .conftest import Hold
from .faults import CATALOGUE
from .server import run

PROBE = """
import socket, sys
from tests.attack.instruments import Witness
sys.addaudithook(Witness(None))
for host in ("169.254.169.254", "10.255.255.1", "192.0.2.1", "::ffff:192.0.2.1"):
    kind = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(kind) as probe:
        try:
            probe.connect((host, 80))
        except ConnectionRefusedError as error:
            assert "refused by the attack" in str(error), error
        else:
            sys.exit(f"connected to {host}")
try:
    socket.getaddrinfo("example.org", 80)
except socket.gaierror as error:
    assert "refused by the attack" in str(error), error
else:
    sys.exit("asked a name server")
"""


@pytest.mark.process
def test_the_attack_itself_sends_nothing_beyond_this_machine() -> None:
    # An audit hook lasts as long as its process.
    ended = subprocess.run([sys.executable, "-c", PROBE], cwd=ROOT, capture_output=True, text=True)
    assert (ended.returncode, ended.stderr) == (0, "")


def test_every_fault_of_the_catalogue_has_a_name_of_its_own() -> None:
    names = {fault.name for fault in CATALOGUE}
    assert len(names) == len(CATALOGUE) >= 45


@pytest.mark.slow
@pytest.mark.process
def test_a_crawl_survives_every_fault_of_the_catalogue(hold: Hold) -> None:
    hold(run(len(CATALOGUE), seed=1))

"""The catalogue of what a server may do to a crawler."""

from tests.attack.faults.bodies import BODIES
from tests.attack.faults.fault import Fault
from tests.attack.faults.redirects import REDIRECTS
from tests.attack.faults.robots import ROBOTS
from tests.attack.faults.statuses import STATUSES
from tests.attack.faults.transport import TRANSPORT
from tests.attack.faults.traps import TRAPS

CATALOGUE: tuple[Fault, ...] = (*TRANSPORT, *STATUSES, *REDIRECTS, *BODIES, *TRAPS, *ROBOTS)

__all__ = ["CATALOGUE", "Fault"]

"""The names that a behaviour may use: the result codes, brands and operations of the catalogue."""

from scenarios.known import KnownNames
from simulator.catalogue.brands import BRANDS
from simulator.catalogue.operations.endpoints import OPERATIONS
from simulator.catalogue.results import RESULTS

KNOWN = KnownNames(RESULTS, BRANDS, OPERATIONS)

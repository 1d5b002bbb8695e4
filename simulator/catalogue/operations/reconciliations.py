"""Reports of settlement: what each endpoint accepts.

The specification names the fields of a record in the API and shows no path. Source:
Reconciliation record. Choices: D-392, D-393.
"""

from simulator.catalogue.fields.basic import AUTHENTICATION, TEST_MODES
from simulator.catalogue.fields.reconciliation import RECORD_TYPE
from simulator.catalogue.operations.payments import ENTITY_RELATIONS
from simulator.catalogue.operations.reports import PAGE_NUMBER
from simulator.grammar.formats import choice_of, currency, date
from simulator.grammar.operations import Operation
from simulator.grammar.parameters import OPTIONAL, REQUIRED, Param, table

PAGE = 100
SORTED_BY = choice_of("SettlementTxDate")
SORT_ORDER = choice_of("ASC", "DESC", "asc", "desc")

# fmt: off
SETTLED = table("Report of settlements", (
    Param("date.from",          date(),      REQUIRED, "first settlement date", origin="D-392"),
    Param("date.to",            date(),      REQUIRED, "last settlement date", origin="D-392"),
    Param("currency",           currency(),  OPTIONAL,
          "only what is settled in this currency", origin="D-392"),
))
SORTED = table("Records of a settlement", (
    Param("sortValue",          SORTED_BY,   OPTIONAL, "the only order there is", origin="D-393"),
    Param("sortOrder",          SORT_ORDER,  OPTIONAL, "ASC by default", origin="D-393"),
))
PAGED = table("Records of a settlement in pages", (
    Param("pageNo",             PAGE_NUMBER, OPTIONAL, "from 1", origin="D-393"),
    Param("reconciliationType", RECORD_TYPE, OPTIONAL, "only records of this type",
          origin="D-393"),
))

QUERY_SETTLEMENTS = Operation(
    "query_settlements", "GET", "/reports/v1/reconciliations/aggregations",
    (TEST_MODES, AUTHENTICATION, SETTLED),
    ENTITY_RELATIONS,
)
QUERY_SETTLEMENT = Operation(
    "query_settlement", "GET", "/reports/v1/reconciliations/aggregations/{id}",
    (TEST_MODES, AUTHENTICATION, SORTED),
    ENTITY_RELATIONS,
)
QUERY_SETTLEMENT_PAGES = Operation(
    "query_settlement_pages", "GET", "/reports/v2/reconciliations/aggregations/{id}",
    (TEST_MODES, AUTHENTICATION, SORTED, PAGED),
    ENTITY_RELATIONS,
)
# fmt: on

ROWS = (QUERY_SETTLEMENTS, QUERY_SETTLEMENT, QUERY_SETTLEMENT_PAGES)

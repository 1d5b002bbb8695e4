"""Stored payment details: registration, recurring payments, migration, card on file."""

from collections.abc import Mapping

from simulator.catalogue.payment_types import REGISTRATION_TYPES, SPECIFIED_PAYMENT_TYPES
from simulator.grammar.formats import (
    amount,
    boolean,
    choice_of,
    date,
    digits,
    text,
    zoned_timestamp,
)
from simulator.grammar.parameters import CONDITIONAL, OPTIONAL, REQUIRED, Param, table
from simulator.grammar.relations import required_if_any, value_with

RECURRING_TYPE = choice_of("INITIAL", "REPEATED", notation="A20")
MIGRATED_TYPE = choice_of(*SPECIFIED_PAYMENT_TYPES, notation="A2")
TYPE = choice_of("UNSCHEDULED", "INSTALLMENT", "RECURRING")
MODE = choice_of("INITIAL", "REPEATED")
SOURCE = choice_of("CIT", "MIT")
PRACTICE = choice_of(
    "INCREMENTAL_AUTH", "RESUBMISSION", "REAUTHORIZATION", "DELAYED_CHARGES", "NO_SHOW"
)

# AN or N, as the acquirer has it; no limit is given. Choice: D-53.
ACQUIRER_REFERENCE = text(255, notation="AN or N; format depends on the acquirer")

# fmt: off
TOKENIZATION = table("Tokenization and registration", (
    Param("createRegistration", boolean(), OPTIONAL,
          "when true, payment details are stored. The response carries the registration id "
          "(registrationId) for later use"),
    Param("overrideHolder",     boolean(), OPTIONAL,
          "lets card.holder or bankAccount.holder fill an empty holder of the registration, "
          "for that payment only"),
))

RECURRING = table("Recurring", (
    Param("recurringType",                  RECURRING_TYPE, OPTIONAL),
    Param("recurring.numberOfInstallments", digits(1, 3),   OPTIONAL),
), echo=True)

MIGRATION = table("Recurring migration", (
    Param("recurringMigration.paymentType",      MIGRATED_TYPE,     REQUIRED),
    Param("recurringMigration.amount",           amount(8),         OPTIONAL),
    Param("recurringMigration.requestTimestamp", zoned_timestamp(), CONDITIONAL),
    Param("recurringMigration.connectorTxId1",   text(128),         CONDITIONAL,
          "initial payment response details from the acquirer"),
    Param("recurringMigration.connectorTxId2",   text(128),         CONDITIONAL,
          "initial payment response details from the acquirer"),
    Param("recurringMigration.connectorTxId3",   text(128),         CONDITIONAL,
          "initial payment response details from the acquirer"),
), echo=True)

CARD_ON_FILE = table("Card on file", (
    Param("standingInstruction.type",                 TYPE,               OPTIONAL,
          "category of the transaction"),
    Param("standingInstruction.mode",                 MODE,               OPTIONAL,
          "mode of the subsequent payment"),
    Param("standingInstruction.source",               SOURCE,             OPTIONAL,
          "cardholder-initiated or merchant-initiated"),
    Param("standingInstruction.initialTransactionId", ACQUIRER_REFERENCE, OPTIONAL,
          "received in the acquirer response of a CIT-flagged transaction", origin="D-53"),
    Param("standingInstruction.industryPractice",     PRACTICE,           OPTIONAL,
          "merchant-initiated follow-up types"),
    Param("standingInstruction.expiry",               date(),             OPTIONAL,
          "date after which no further authorizations are made. Mandatory for 3D Secure on "
          "recurring or installment transactions"),
    Param("standingInstruction.frequency",            digits(1, 4),       OPTIONAL,
          "minimum days between authorizations. Mandatory for 3D Secure on recurring or "
          "installment transactions"),
    Param("standingInstruction.numberOfInstallments", digits(1, 3),       OPTIONAL,
          "maximum authorizations for installments. Mandatory for 3D Secure on installment "
          "transactions"),
), echo=True)

MIGRATION_RELATIONS = (
    required_if_any("MIG-01", "recurringMigration.", "recurringMigration.paymentType"),
    value_with("MIG-01", "paymentType", REGISTRATION_TYPES, "recurringMigration."),
)
CARD_ON_FILE_RELATIONS = (
    value_with(
        "COF-01", "standingInstruction.source", ("MIT",), "standingInstruction.industryPractice",
    ),
)

# What a payment that runs with 3-D Secure must say of its series, by standingInstruction.type.
# Source: Card on file. Choice: D-124 says when a payment runs with it.
THREE_D_SECURE_DUTIES: Mapping[str, tuple[str, ...]] = {
    "RECURRING":   ("standingInstruction.expiry", "standingInstruction.frequency"),
    "INSTALLMENT": ("standingInstruction.expiry", "standingInstruction.frequency",
                    "standingInstruction.numberOfInstallments"),
}
# fmt: on

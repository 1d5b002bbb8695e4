"""Mutants of bank accounts, direct debits, transfers and virtual accounts."""

from features.mutants.changes import (
    accept_parameters,
    change_at,
    claim_success,
    claim_success_for,
    refuse_parameters,
    replace_at,
)
from features.mutants.mutant import mutant
from features.mutants.proxy import OriginalGateway, ProxiedRequest
from simulator.client import Answer


@mutant("BANK-07", killed_by=("Contradicting bank account data are refused",))
def takes_any_iban(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """The check digits of an IBAN are not verified."""
    return claim_success_for(
        original.forward(request), "100.100.101", when="bankAccount.iban" in request.parameters
    )


@mutant("BANK-07", killed_by=("Malformed bank account data is refused",))
def takes_ibans_of_any_form(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """An IBAN may begin with digits."""
    return accept_parameters(
        original.forward(request), "bankAccount.iban", when="bankAccount.iban" in request.parameters
    )


@mutant("SVC-05", killed_by=("A direct debit by a national account number succeeds",))
def knows_no_national_accounts(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """An account without an IBAN is refused."""
    national = "bankAccount.number" in request.parameters and request.is_payment
    return refuse_parameters(original.forward(request), "bankAccount.iban", when=national)


@mutant("BANK-01", killed_by=("A bank account requires a number or an IBAN",))
def debits_an_account_without_a_number(
    request: ProxiedRequest, original: OriginalGateway
) -> Answer:
    """An account needs neither a number nor an IBAN."""
    return accept_parameters(original.forward(request), "bankAccount.number")


@mutant("BANK-02", killed_by=("A bank account number requires a bank code or a BIC",))
def debits_an_account_without_a_bank(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """An account by number needs no bank."""
    return accept_parameters(original.forward(request), "bankAccount.bankCode")


@mutant("BANK-06", killed_by=("A bank account requires a holder",))
def debits_without_a_holder(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """An account needs no holder."""
    lacks = "bankAccount.holder" not in request.parameters
    return accept_parameters(original.forward(request), "bankAccount.holder", when=lacks)


@mutant("SVC-06", "BANK-03", killed_by=("A SEPA direct debit with a mandate succeeds",))
def loses_the_mandate(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A direct debit does not show its mandate."""
    answer = original.forward(request)
    has_mandate = answer.at("bankAccount.mandate") is not None
    return replace_at(answer, "bankAccount.mandate", None) if has_mandate else answer


@mutant("BANK-03", killed_by=("Malformed bank account data is refused",))
def takes_mandates_of_any_length(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A mandate may have any id and any reference."""
    return accept_parameters(original.forward(request), "bankAccount.mandate.")


@mutant("BANK-04", killed_by=("The mandate does not change the risk score",))
def scores_the_mandate(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A mandate changes the risk score."""
    mandated = "bankAccount.mandate.id" in request.parameters
    return change_at(
        original.forward(request), "risk.score", lambda score: "99" if mandated else score
    )


@mutant("BANK-05", killed_by=("A due date in the past is refused",))
def debits_on_days_that_have_passed(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A direct debit may be due in the past."""
    return claim_success_for(original.forward(request), "100.500.301")


@mutant("BANK-05", killed_by=("A direct debit is collected on its due date",))
def collects_at_once(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A direct debit is collected before its due date."""
    return claim_success_for(original.forward(request), "800.400.501")


@mutant("SVC-07", killed_by=("A bank transfer cannot be debited",))
def collects_transfers(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A bank transfer, which the shopper initiates, is collected."""
    return claim_success_for(original.forward(request), "600.200.310")


@mutant("SVC-07", killed_by=("A receipt may not exceed the requested amount",))
def books_more_than_was_asked_for(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A receipt over the requested amount is accepted."""
    receives = request.parameters.get("paymentType") == "RC"
    return claim_success_for(original.forward(request), "700.400.100", when=receives)


@mutant("SVC-06", killed_by=("A direct debit is refunded",))
def refunds_no_debits(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A direct debit cannot be refunded."""
    if request.is_payment and "bankAccount.iban" in request.parameters:
        answer = original.forward(request)
        original.memory[answer.id] = True
        return answer
    of_account = request.path.rpartition("/")[2] in original.memory
    stays = of_account and request.parameters.get("paymentType") == "RF"
    return refuse_parameters(original.forward(request), "paymentType", when=stays)


@mutant("VIRT-01", killed_by=("A virtual account payment requires an account id",))
def knows_no_virtual_accounts(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A virtual account without an id is charged."""
    answer = original.forward(request)
    return claim_success(answer) if answer.code == "100.210.101" else answer

"""Faults of bank accounts: whose they are, which of their data is looked at, and when."""

from features.mutants.changes import as_success, changing, forgiving, naming, taking, with_at
from features.mutants.mutant import fault
from features.mutants.proxy import Asked, Sound
from simulator.client import Answer


@fault("BANK-07", caught_by=("Bank account data that contradict themselves are refused",))
def takes_any_iban(asked: Asked, sound: Sound) -> Answer:
    """Check digits of an IBAN are not looked at."""
    return taking(sound.answer(asked), "100.100.101", when="bankAccount.iban" in asked.sent)


@fault("BANK-07", caught_by=("Bank account data of another form is refused",))
def takes_ibans_of_any_form(asked: Asked, sound: Sound) -> Answer:
    """An IBAN may begin with digits."""
    return forgiving(sound.answer(asked), "bankAccount.iban", when="bankAccount.iban" in asked.sent)


@fault("SVC-05", caught_by=("A direct debit by a national account is processed",))
def knows_no_national_accounts(asked: Asked, sound: Sound) -> Answer:
    """An account without an IBAN is refused."""
    national = "bankAccount.number" in asked.sent and asked.is_payment
    return naming(sound.answer(asked), "bankAccount.iban", when=national)


@fault("BANK-01", caught_by=("A bank account has a number or an IBAN",))
def debits_an_account_without_a_number(asked: Asked, sound: Sound) -> Answer:
    """An account needs neither a number nor an IBAN."""
    return forgiving(sound.answer(asked), "bankAccount.number")


@fault("BANK-02", caught_by=("A bank account by number has a bank code or a BIC",))
def debits_an_account_without_a_bank(asked: Asked, sound: Sound) -> Answer:
    """An account by number needs no bank."""
    return forgiving(sound.answer(asked), "bankAccount.bankCode")


@fault("BANK-06", caught_by=("A bank account has a holder",))
def debits_nobody(asked: Asked, sound: Sound) -> Answer:
    """An account needs no holder."""
    lacks = "bankAccount.holder" not in asked.sent
    return forgiving(sound.answer(asked), "bankAccount.holder", when=lacks)


@fault("SVC-06", "BANK-03", caught_by=("A SEPA direct debit with a mandate is processed",))
def loses_the_mandate(asked: Asked, sound: Sound) -> Answer:
    """A direct debit does not say by which mandate."""
    answer = sound.answer(asked)
    told = answer.at("bankAccount.mandate") is not None
    return with_at(answer, "bankAccount.mandate", None) if told else answer


@fault("BANK-03", caught_by=("Bank account data of another form is refused",))
def takes_mandates_of_any_length(asked: Asked, sound: Sound) -> Answer:
    """A mandate may have any id and any reference."""
    return forgiving(sound.answer(asked), "bankAccount.mandate.")


@fault("BANK-04", caught_by=("The mandate and the due date change nothing of the risk check",))
def scores_the_mandate(asked: Asked, sound: Sound) -> Answer:
    """Who has given a mandate is less of a risk."""
    mandated = "bankAccount.mandate.id" in asked.sent
    return changing(sound.answer(asked), "risk.score", lambda score: "99" if mandated else score)


@fault("BANK-05", caught_by=("A direct debit is not due on a day that has passed",))
def debits_on_days_that_have_passed(asked: Asked, sound: Sound) -> Answer:
    """A direct debit may be due in the past."""
    return taking(sound.answer(asked), "100.500.301")


@fault("BANK-05", caught_by=("A direct debit is collected on its due day",))
def collects_at_once(asked: Asked, sound: Sound) -> Answer:
    """A direct debit is collected before its day."""
    return taking(sound.answer(asked), "800.400.501")


@fault("SVC-07", caught_by=("A bank transfer is not collected",))
def collects_transfers(asked: Asked, sound: Sound) -> Answer:
    """A transfer, which the shopper makes himself, is collected."""
    return taking(sound.answer(asked), "600.200.310")


@fault("SVC-07", caught_by=("No more money comes in than was asked for",))
def books_more_than_was_asked_for(asked: Asked, sound: Sound) -> Answer:
    """More money comes in than was asked for, and is booked."""
    receives = asked.sent.get("paymentType") == "RC"
    return taking(sound.answer(asked), "700.400.100", when=receives)


@fault("SVC-06", caught_by=("A direct debit is refunded",))
def refunds_no_debits(asked: Asked, sound: Sound) -> Answer:
    """What was taken from an account stays taken."""
    if asked.is_payment and "bankAccount.iban" in asked.sent:
        answer = sound.answer(asked)
        sound.seen[answer.id] = True
        return answer
    of_account = asked.place.rpartition("/")[2] in sound.seen
    stays = of_account and asked.sent.get("paymentType") == "RF"
    return naming(sound.answer(asked), "paymentType", when=stays)


@fault("VIRT-01", caught_by=("A virtual account has an id",))
def knows_no_virtual_accounts(asked: Asked, sound: Sound) -> Answer:
    """A virtual account without an id pays."""
    answer = sound.answer(asked)
    return as_success(answer) if answer.code == "100.210.101" else answer

"""The merchant accounts of a sandbox on each host, and who they belong to."""

from collections.abc import Mapping
from typing import NamedTuple

from simulator.domain.core.entities import Channel, Merchant, Sandbox
from simulator.domain.core.hosts import HOSTS, TEST, Host
from simulator.domain.settlement.numbers import number_on
from simulator.domain.settlement.records import MerchantOnRecord

NAME_MAX = 32


class MerchantAccount(NamedTuple):
    """A merchant account on a host: its channel, and everything above it."""

    sandbox: Sandbox
    merchant: Merchant
    channel: Channel
    host: Host = TEST

    @property
    def number(self) -> str:
        """Its merchant number at the institute."""
        return number_on(self.host, self.channel.merchant_account)

    @property
    def institute(self) -> str:
        """The clearing institute of its cards."""
        return self.channel.clearing_institute

    @property
    def currency(self) -> str:
        """What it is settled in."""
        return self.channel.settlement_currency

    def on_record(self) -> MerchantOnRecord:
        """The account as records name it."""
        return MerchantOnRecord(
            psp=self.sandbox.psp,
            division=self.sandbox.division,
            merchant=self.merchant.id,
            merchant_account=self.channel.merchant_account,
            merchant_account_name=self.channel.name[:NAME_MAX],
            number=self.number,
        )


Accounts = Mapping[str, MerchantAccount]


def accounts_of(sandbox: Sandbox) -> Accounts:
    """All merchant accounts by their merchant numbers."""
    accounts = (
        MerchantAccount(sandbox, merchant, channel, host)
        for merchant in sandbox.merchants
        for channel in merchant.channels
        for host in HOSTS
    )
    return {account.number: account for account in accounts}

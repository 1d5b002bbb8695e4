"""The clearing institutes that a channel can name, the default one first. Choice: D-380."""

# Bank accounts settle here, whatever the channel names. Choice: D-401.
BANK_ACCOUNTS = "Sandgate Bank"
CLEARING_INSTITUTES = ("Sandgate Clearing", "Sandgate Acquiring", BANK_ACCOUNTS)

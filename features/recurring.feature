Feature: Recurring payments and cards on file
  A shopper agrees to be charged again; the merchant then charges without him.

  @req:REC-01
  Scenario Outline: The older mark of a series is taken and answered
    When the merchant debits 9.90 EUR with recurringType "<mark>"
    Then the payment succeeds
    And the answer shows recurringType "<mark>"

    Examples:
      | mark     | why                    |
      | INITIAL  | the first of a series  |
      | REPEATED | one of those after it  |

  @req:REC-01
  Scenario: Any other mark is refused
    When the merchant debits 9.90 EUR with recurringType "LAST"
    Then the request is refused, naming recurringType

  @req:REC-01 @req:COF-01 @decision:D-123
  Scenario: The older and the newer mark stand side by side
    When the merchant debits 9.90 EUR with
      | recurringType              | INITIAL |
      | standingInstruction.mode   | INITIAL |
      | standingInstruction.source | CIT     |
    Then the payment succeeds
    And the answer shows recurringType "INITIAL"
    And the answer shows standingInstruction.mode "INITIAL"

  @req:REC-01 @req:COF-01 @decision:D-123
  Scenario: Marks that contradict each other are refused
    When the merchant debits 9.90 EUR with
      | recurringType              | INITIAL  |
      | standingInstruction.mode   | REPEATED |
      | standingInstruction.source | CIT      |
    Then the payment is refused with 100.900.500

  @req:REC-02
  Scenario: The number of installments has up to three digits
    When the merchant debits 9.90 EUR with recurring.numberOfInstallments "999"
    Then the payment succeeds
    And the answer shows recurring.numberOfInstallments "999"

  @req:REC-02
  Scenario: A number of four digits is refused
    When the merchant debits 9.90 EUR with recurring.numberOfInstallments "1000"
    Then the request is refused, naming recurring.numberOfInstallments

  @req:SVC-13 @req:REC-01 @decision:D-119
  Scenario: A stored card is charged again and again
    Given a stored card with
      | recurringType | INITIAL |
    When the merchant debits 9.90 EUR from it with
      | recurringType | REPEATED |
    Then the payment succeeds
    And the answer shows recurringType "REPEATED"

  @req:COF-01
  Scenario Outline: Marks of a card on file have the listed values and no other
    When the merchant debits 9.90 EUR with <name> "<value>"
    Then the request is refused, naming <name>

    Examples:
      | name                                 | value   | why                  |
      | standingInstruction.type             | WEEKLY  | no category          |
      | standingInstruction.mode             | LAST    | neither first nor later |
      | standingInstruction.source           | CAT     | nobody initiates so  |
      | standingInstruction.industryPractice | TIP     | no practice          |

  @req:COF-01
  Scenario Outline: A practice of the merchant is taken
    When the merchant debits 9.90 EUR with
      | standingInstruction.mode             | REPEATED   |
      | standingInstruction.source           | MIT        |
      | standingInstruction.industryPractice | <practice> |
    Then the payment succeeds
    And the answer shows standingInstruction.industryPractice "<practice>"

    Examples:
      | practice         | why                            |
      | INCREMENTAL_AUTH | the stay became longer         |
      | RESUBMISSION     | there was no money before      |
      | REAUTHORIZATION  | the goods leave in two parcels |
      | DELAYED_CHARGES  | the minibar                    |
      | NO_SHOW          | nobody came                    |

  @req:COF-01 @decision:D-123
  Scenario: A practice of the merchant is none of the shopper
    When the merchant debits 9.90 EUR with
      | standingInstruction.source           | CIT     |
      | standingInstruction.industryPractice | NO_SHOW |
    Then the request is refused, naming standingInstruction.source

  @req:SVC-15 @needs:control
  Scenario: What is said of a card on file reaches the acquirer
    When the merchant debits 9.90 EUR with
      | standingInstruction.type      | RECURRING  |
      | standingInstruction.mode      | INITIAL    |
      | standingInstruction.source    | CIT        |
      | standingInstruction.expiry    | 2099-12-31 |
      | standingInstruction.frequency | 0030       |
    Then the payment succeeds
    And the acquirer was told of standingInstruction.type
    And the acquirer was told of standingInstruction.mode
    And the acquirer was told of standingInstruction.source
    And the acquirer was told of standingInstruction.expiry
    And the acquirer was told of standingInstruction.frequency

  @req:COF-02 @decision:D-123
  Scenario: The shopper's first payment gets a reference
    When the merchant debits 9.90 EUR with
      | standingInstruction.mode   | INITIAL |
      | standingInstruction.source | CIT     |
    Then the payment succeeds
    And the answer gives the series a reference

  @req:COF-02 @decision:D-123
  Scenario Outline: Only the shopper's first payment gets a reference
    When the merchant debits 9.90 EUR with
      | standingInstruction.mode   | <mode>   |
      | standingInstruction.source | <source> |
    Then the payment succeeds
    And the answer gives no reference

    Examples:
      | mode     | source | why                             |
      | REPEATED | CIT    | the shopper pays with one click |
      | INITIAL  | MIT    | nobody was there                |
      | REPEATED | MIT    | nobody was there                |

  @req:COF-02 @needs:declines
  Scenario: A declined payment gets no reference
    When the merchant debits 9.90 EUR with
      | card.holder                | 800.100.152 |
      | standingInstruction.mode   | INITIAL     |
      | standingInstruction.source | CIT         |
    Then the payment is declined with 800.100.152
    And the answer gives no reference

  @req:COF-02 @needs:scripts
  Scenario: A pending payment has no reference yet
    Given the acquirer leaves 1 payment pending
    When the merchant debits 9.90 EUR with
      | standingInstruction.mode   | INITIAL |
      | standingInstruction.source | CIT     |
    Then the payment is pending
    And the answer gives no reference

  @req:COF-02 @req:SVC-15 @decision:D-123
  Scenario: A reference is sent with what the merchant charges alone
    Given a series that a shopper began
    When the merchant charges 9.90 EUR alone, with the reference of the series
    Then the payment succeeds
    And the answer shows the reference of the series

  @req:COF-02 @decision:D-123
  Scenario: A reference that no acquirer of the merchant gave is refused
    When the merchant charges 9.90 EUR alone, with the reference "of another gateway"
    Then the payment is refused with 600.200.501

  @req:COF-02 @needs:control @decision:D-123
  Scenario: A channel may take the references of any gateway
    Given a merchant whose channel takes the references of any gateway
    When the merchant charges 9.90 EUR alone, with the reference "of another gateway"
    Then the payment succeeds

  @req:COF-02 @needs:control @decision:D-123
  Scenario: The registration brings the reference along
    Given a series that a shopper began
    When the merchant charges 9.90 EUR of the series alone
    Then the payment succeeds
    And the answer shows the reference of the series
    And the acquirer was told of standingInstruction.initialTransactionId

  @req:COF-03 @decision:D-124
  Scenario Outline: A series that was authenticated says how long it runs and how often
    When the merchant debits 9.90 EUR authenticated elsewhere, of a series that says
      | standingInstruction.type                 | <type>      |
      | standingInstruction.expiry               | <expiry>    |
      | standingInstruction.frequency            | <frequency> |
      | standingInstruction.numberOfInstallments | <number>    |
    Then the request is refused, naming <missing>

    Examples:
      | type        | expiry     | frequency | number | missing                                  | why                |
      | RECURRING   |            | 0030      |        | standingInstruction.expiry               | how long           |
      | RECURRING   | 2099-12-31 |           |        | standingInstruction.frequency            | how often          |
      | INSTALLMENT |            | 0030      | 3      | standingInstruction.expiry               | how long           |
      | INSTALLMENT | 2099-12-31 |           | 3      | standingInstruction.frequency            | how often          |
      | INSTALLMENT | 2099-12-31 | 0030      |        | standingInstruction.numberOfInstallments | how many           |

  @req:COF-03 @decision:D-124
  Scenario: An authenticated series that says it all is taken
    When the merchant debits 9.90 EUR authenticated elsewhere, of a series that says
      | standingInstruction.type                 | INSTALLMENT |
      | standingInstruction.expiry               | 2099-12-31  |
      | standingInstruction.frequency            | 0030        |
      | standingInstruction.numberOfInstallments | 3           |
    Then the payment succeeds

  @req:COF-03 @needs:control @decision:D-124
  Scenario: A channel that asks by 3-D Secure asks how long a series runs
    Given a merchant whose channel asks by 3-D Secure version 1
    When the merchant debits 9.90 EUR with
      | standingInstruction.type   | RECURRING |
      | standingInstruction.mode   | INITIAL   |
      | standingInstruction.source | CIT       |
    Then the request is refused, naming standingInstruction.expiry, standingInstruction.frequency

  @req:COF-03 @needs:control @decision:D-124
  Scenario: What the merchant charges alone is asked for nothing
    Given a merchant whose channel asks by 3-D Secure version 1
    When the merchant debits 9.90 EUR with
      | standingInstruction.type   | RECURRING |
      | standingInstruction.mode   | REPEATED  |
      | standingInstruction.source | MIT       |
    Then the payment succeeds

  @req:COF-03 @decision:D-125
  Scenario: Installments end with the last one
    Given a series of 3 installments that a shopper began
    And the merchant has charged 9.90 EUR of it twice
    When the merchant charges 9.90 EUR of the series alone
    Then the payment is refused with 600.200.501

  @req:COF-03 @decision:D-125
  Scenario: Installments go on until the last one
    Given a series of 3 installments that a shopper began
    And the merchant has charged 9.90 EUR of it
    When the merchant charges 9.90 EUR of the series alone
    Then the payment succeeds

  @req:SVC-14 @req:MIG-01 @decision:D-126
  Scenario: An agreement is brought along with its card
    When the merchant stores a card with
      | recurringMigration.paymentType      | DB                  |
      | recurringMigration.amount           | 9.90                |
      | recurringMigration.requestTimestamp | 2026-01-31 13:07:09 |
      | recurringMigration.connectorTxId1   | 830128374650192     |
    Then the registration succeeds
    And the answer shows recurringMigration.connectorTxId1 "830128374650192"

  @req:SVC-14 @req:MIG-01 @needs:control @decision:D-126
  Scenario: What was brought along is charged without the shopper
    Given a merchant whose channel demands the reference of a series
    And an agreement that was migrated
    When the merchant charges 9.90 EUR of the series alone
    Then the payment succeeds
    And the answer shows standingInstruction.initialTransactionId "830128374650192"

  @req:MIG-01
  Scenario Outline: A migration is that of a payment
    When the merchant debits 0.00 EUR with
      | paymentType                       | RG     |
      | recurringMigration.paymentType    | <type> |
      | recurringMigration.connectorTxId1 | 1      |
    Then the request is refused, naming recurringMigration.paymentType

    Examples:
      | type | why                    |
      |      | it is mandatory        |
      | RG   | that moved no money    |
      | CP   | that began nothing     |

  @req:MIG-01 @decision:D-126
  Scenario: A migration is a registration and nothing else
    When the merchant debits 9.90 EUR with recurringMigration.paymentType "DB"
    Then the request is refused, naming paymentType

  @req:MIG-02 @decision:D-119
  Scenario Outline: What a migration tells keeps its form
    When the merchant stores a card with
      | recurringMigration.paymentType | PA      |
      | <name>                         | <value> |
    Then the request is refused, naming <name>

    Examples:
      | name                                | value               | why               |
      | recurringMigration.amount           | 9.9                 | one decimal       |
      | recurringMigration.amount           | 123456789           | nine digits       |
      | recurringMigration.requestTimestamp | 2026-01-31          | no time           |
      | recurringMigration.requestTimestamp | 2026-02-31 10:00:00 | no such day       |

  @req:MIG-02 @decision:D-119
  Scenario Outline: What a migration tells is kept as it was told
    When the merchant stores a card with
      | recurringMigration.paymentType | PA      |
      | <name>                         | <value> |
    Then the registration succeeds
    And the answer shows <name> "<value>"

    Examples:
      | name                                | value                    | why                |
      | recurringMigration.amount           | 12345678.99              | the longest        |
      | recurringMigration.requestTimestamp | 2026-01-31 13:07:09+0000 | with a zone        |
      | recurringMigration.requestTimestamp | 2026-01-31 13:07:09      | without one        |
      | recurringMigration.connectorTxId2   | a                        | the shortest       |
      | recurringMigration.connectorTxId3   | 4711/0815                | any characters     |

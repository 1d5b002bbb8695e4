Feature: Recurring payments and cards on file
  A shopper agrees to be charged again; the merchant then charges without the shopper.

  @req:REC-01
  Scenario Outline: A recurringType is accepted and echoed
    When the merchant debits 9.90 EUR with recurringType "<mark>"
    Then the payment succeeds
    And the response shows recurringType "<mark>"

    Examples:
      | mark     | why                   |
      | INITIAL  | the first of a series |
      | REPEATED | one of those after it |

  @req:REC-01
  Scenario: A recurringType outside the list is refused
    When the merchant debits 9.90 EUR with recurringType "LAST"
    Then the request is refused, naming recurringType

  @req:REC-01 @req:COF-01 @code:D-123
  Scenario: A recurringType and a standing instruction may be sent together
    When the merchant debits 9.90 EUR with
      | recurringType              | INITIAL |
      | standingInstruction.mode   | INITIAL |
      | standingInstruction.source | CIT     |
    Then the payment succeeds
    And the response shows recurringType "INITIAL"
    And the response shows standingInstruction.mode "INITIAL"

  @req:REC-01 @req:COF-01 @decision:D-123
  Scenario: A recurringType that contradicts the standing instruction is refused
    When the merchant debits 9.90 EUR with
      | recurringType              | INITIAL  |
      | standingInstruction.mode   | REPEATED |
      | standingInstruction.source | CIT      |
    Then the payment is refused with 100.900.500

  @req:REC-02 @pattern:limit
  Scenario: A number of installments has up to three digits
    When the merchant debits 9.90 EUR with recurring.numberOfInstallments "999"
    Then the payment succeeds
    And the response shows recurring.numberOfInstallments "999"

  @req:REC-02 @pattern:limit
  Scenario: A number of installments of four digits is refused
    When the merchant debits 9.90 EUR with recurring.numberOfInstallments "1000"
    Then the request is refused, naming recurring.numberOfInstallments

  @req:SVC-13 @req:REC-01 @code:D-119
  Scenario: A stored card is charged repeatedly
    Given a stored card with
      | recurringType | INITIAL |
    When the merchant debits 9.90 EUR from the registration with
      | recurringType | REPEATED |
    Then the payment succeeds
    And the response shows recurringType "REPEATED"

  @req:COF-01
  Scenario Outline: A standing instruction with an unlisted value is refused
    When the merchant debits 9.90 EUR with <name> "<value>"
    Then the request is refused, naming <name>

    Examples:
      | name                                 | value  | why                          |
      | standingInstruction.type             | WEEKLY | no category                  |
      | standingInstruction.mode             | LAST   | neither initial nor repeated |
      | standingInstruction.source           | CAT    | no initiator                 |
      | standingInstruction.industryPractice | TIP    | no practice                  |

  @req:COF-01
  Scenario Outline: An industry practice of the merchant is accepted
    When the merchant debits 9.90 EUR with
      | standingInstruction.mode             | REPEATED   |
      | standingInstruction.source           | MIT        |
      | standingInstruction.industryPractice | <practice> |
    Then the payment succeeds
    And the response shows standingInstruction.industryPractice "<practice>"

    Examples:
      | practice         | why                            |
      | INCREMENTAL_AUTH | the stay became longer         |
      | RESUBMISSION     | insufficient funds before      |
      | REAUTHORIZATION  | the goods leave in two parcels |
      | DELAYED_CHARGES  | the minibar                    |
      | NO_SHOW          | the guest did not come         |

  @req:COF-01 @decision:D-123
  Scenario: An industry practice in a payment by the shopper is refused
    When the merchant debits 9.90 EUR with
      | standingInstruction.source           | CIT     |
      | standingInstruction.industryPractice | NO_SHOW |
    Then the request is refused, naming standingInstruction.source

  @req:SVC-15 @needs:control
  Scenario: Card on file data is sent to the acquirer
    When the merchant debits 9.90 EUR with
      | standingInstruction.type      | RECURRING  |
      | standingInstruction.mode      | INITIAL    |
      | standingInstruction.source    | CIT        |
      | standingInstruction.expiry    | 2099-12-31 |
      | standingInstruction.frequency | 0030       |
    Then the payment succeeds
    And the acquirer received standingInstruction.type
    And the acquirer received standingInstruction.mode
    And the acquirer received standingInstruction.source
    And the acquirer received standingInstruction.expiry
    And the acquirer received standingInstruction.frequency

  @req:COF-02
  Scenario: The first payment of a series by the shopper gets a reference
    When the merchant debits 9.90 EUR with
      | standingInstruction.mode   | INITIAL |
      | standingInstruction.source | CIT     |
    Then the payment succeeds
    And the response shows a reference for the series

  @req:COF-02 @decision:D-123 @pattern:values
  Scenario Outline: A series of every type begins with a reference
    When the merchant sends these with <kind>
      | standingInstruction.mode                 | INITIAL     |
      | standingInstruction.source               | CIT         |
      | standingInstruction.type                 | <type>      |
      | standingInstruction.expiry               | <expiry>    |
      | standingInstruction.frequency            | <frequency> |
      | standingInstruction.numberOfInstallments | <number>    |
    Then it is accepted
    And the response shows a reference for the series
    And the result details show the same reference

    Examples:
      | kind             | type        | expiry     | frequency | number | why            |
      | a debit          | UNSCHEDULED |            |           |        | a card on file |
      | a debit          | RECURRING   | 2099-12-31 | 30        |        | a subscription |
      | a debit          | INSTALLMENT | 2099-12-31 | 1         | 2      | installments   |
      | an authorization | UNSCHEDULED |            |           |        | a hold first   |

  @req:COF-02 @decision:D-123
  Scenario: The result details show the reference of a series too
    When the merchant debits 9.90 EUR with
      | standingInstruction.mode   | INITIAL |
      | standingInstruction.source | CIT     |
    Then the payment succeeds
    And the response shows a reference for the series
    And the result details show the same reference

  @req:COF-02 @decision:D-123
  Scenario Outline: No other payment of a series gets a reference
    When the merchant debits 9.90 EUR with
      | standingInstruction.mode   | <mode>   |
      | standingInstruction.source | <source> |
    Then the payment succeeds
    And the response shows no reference for the series

    Examples:
      | mode     | source | why                             |
      | REPEATED | CIT    | the shopper pays with one click |
      | INITIAL  | MIT    | a charge without the shopper    |
      | REPEATED | MIT    | a charge without the shopper    |

  @req:COF-02 @needs:declines
  Scenario: A declined payment gets no reference
    When the merchant debits 9.90 EUR with
      | card.holder                | 800.100.152 |
      | standingInstruction.mode   | INITIAL     |
      | standingInstruction.source | CIT         |
    Then the payment is declined with 800.100.152
    And the response shows no reference for the series

  @req:COF-02 @needs:scripts
  Scenario: A pending payment has no reference yet
    Given the acquirer leaves 1 payment pending
    When the merchant debits 9.90 EUR with
      | standingInstruction.mode   | INITIAL |
      | standingInstruction.source | CIT     |
    Then the payment is pending
    And the response shows no reference for the series

  @req:COF-02 @req:SVC-15
  Scenario: A charge without the shopper is sent with the reference
    Given a series started by the shopper
    When the merchant charges 9.90 EUR without the shopper, with the reference of the series
    Then the payment succeeds
    And the response shows the reference of the series

  @req:COF-02 @decision:D-123
  Scenario: A reference that no acquirer of the merchant issued is refused
    When the merchant charges 9.90 EUR without the shopper, with the reference "of another gateway"
    Then the payment is refused with 600.200.501

  @req:COF-02 @needs:channels @decision:D-123
  Scenario: A channel may accept references of any gateway
    Given a merchant whose channel accepts references of any gateway
    When the merchant charges 9.90 EUR without the shopper, with the reference "of another gateway"
    Then the payment succeeds

  @req:COF-02 @needs:control @decision:D-123
  Scenario: A charge of the registration is sent with its reference
    Given a series started by the shopper
    When the merchant charges 9.90 EUR of the series without the shopper
    Then the payment succeeds
    And the response shows the reference of the series
    And the acquirer received standingInstruction.initialTransactionId

  @req:COF-03 @code:D-124
  Scenario Outline: An authenticated series requires expiry, frequency and number of installments
    When the merchant debits 9.90 EUR with an external authentication, in a series with
      | standingInstruction.type                 | <type>      |
      | standingInstruction.expiry               | <expiry>    |
      | standingInstruction.frequency            | <frequency> |
      | standingInstruction.numberOfInstallments | <number>    |
    Then the request is refused, naming <missing>

    Examples:
      | type        | expiry     | frequency | number | missing                                  | why                        |
      | RECURRING   |            | 0030      |        | standingInstruction.expiry               | the expiry                 |
      | RECURRING   | 2099-12-31 |           |        | standingInstruction.frequency            | the frequency              |
      | INSTALLMENT |            | 0030      | 3      | standingInstruction.expiry               | the expiry                 |
      | INSTALLMENT | 2099-12-31 |           | 3      | standingInstruction.frequency            | the frequency              |
      | INSTALLMENT | 2099-12-31 | 0030      |        | standingInstruction.numberOfInstallments | the number of installments |

  @req:COF-03 @code:D-124
  Scenario: An authenticated series with all its data is accepted
    When the merchant debits 9.90 EUR with an external authentication, in a series with
      | standingInstruction.type                 | INSTALLMENT |
      | standingInstruction.expiry               | 2099-12-31  |
      | standingInstruction.frequency            | 0030        |
      | standingInstruction.numberOfInstallments | 3           |
    Then the payment succeeds

  @req:COF-03 @needs:channels @code:D-124
  Scenario: A channel with 3-D Secure requires expiry and frequency of a series
    Given a merchant whose channel requires 3-D Secure version 1
    When the merchant debits 9.90 EUR with
      | standingInstruction.type   | RECURRING |
      | standingInstruction.mode   | INITIAL   |
      | standingInstruction.source | CIT       |
    Then the request is refused, naming standingInstruction.expiry, standingInstruction.frequency

  @req:COF-03 @needs:channels @code:D-124
  Scenario: A charge without the shopper requires neither expiry nor frequency
    Given a merchant whose channel requires 3-D Secure version 1
    When the merchant debits 9.90 EUR with
      | standingInstruction.type   | RECURRING |
      | standingInstruction.mode   | REPEATED  |
      | standingInstruction.source | MIT       |
    Then the payment succeeds

  @req:COF-03 @decision:D-125 @pattern:limit
  Scenario: A charge after the last installment is refused
    Given a series of 3 installments started by the shopper
    And the merchant has charged 9.90 EUR of the series twice
    When the merchant charges 9.90 EUR of the series without the shopper
    Then the payment is refused with 600.200.501

  @req:COF-03 @decision:D-125 @pattern:limit
  Scenario: A charge of the last installment succeeds
    Given a series of 3 installments started by the shopper
    And the merchant has charged 9.90 EUR of the series
    When the merchant charges 9.90 EUR of the series without the shopper
    Then the payment succeeds

  @req:COF-03 @decision:D-125 @pattern:limit
  Scenario: An authorization by the shopper is one of the installments
    Given a series of 3 installments started by the shopper
    And the merchant has charged 9.90 EUR of the series
    And the shopper has paid 9.90 EUR of the series
    When the shopper pays 9.90 EUR of the series
    Then the payment is refused with 600.200.501

  @req:SVC-14 @req:MIG-01 @code:D-126
  Scenario: An agreement is migrated with its card
    When the merchant stores a card with
      | recurringMigration.paymentType      | DB                  |
      | recurringMigration.amount           | 9.90                |
      | recurringMigration.requestTimestamp | 2026-01-31 13:07:09 |
      | recurringMigration.connectorTxId1   | 830128374650192     |
    Then the registration succeeds
    And the response shows recurringMigration.connectorTxId1 "830128374650192"

  @req:SVC-14 @req:MIG-01 @needs:channels @decision:D-126
  Scenario: A migrated agreement is charged without the shopper
    Given a merchant whose channel requires the reference of a series
    And a migrated agreement
    When the merchant charges 9.90 EUR of the series without the shopper
    Then the payment succeeds
    And the response shows standingInstruction.initialTransactionId "830128374650192"

  @req:MIG-01
  Scenario Outline: A migration requires the type of an initial payment
    When the merchant debits 0.00 EUR with
      | paymentType                       | RG     |
      | recurringMigration.paymentType    | <type> |
      | recurringMigration.connectorTxId1 | 1      |
    Then the request is refused, naming recurringMigration.paymentType

    Examples:
      | type | why                           |
      |      | it is mandatory               |
      | RG   | a registration has no amount  |
      | CP   | a capture begins no agreement |

  @req:MIG-01 @decision:D-126
  Scenario: A migration is refused in a debit
    When the merchant debits 9.90 EUR with recurringMigration.paymentType "DB"
    Then the request is refused, naming paymentType

  @req:MIG-02 @code:D-119 @pattern:limit
  Scenario Outline: Malformed migration data is refused
    When the merchant stores a card with
      | recurringMigration.paymentType | PA      |
      | <name>                         | <value> |
    Then the request is refused, naming <name>

    Examples:
      | name                                | value               | why         |
      | recurringMigration.amount           | 9.9                 | one decimal |
      | recurringMigration.amount           | 123456789           | nine digits |
      | recurringMigration.requestTimestamp | 2026-01-31          | no time     |
      | recurringMigration.requestTimestamp | 2026-02-31 10:00:00 | no such day |

  @req:MIG-02 @decision:D-119 @pattern:limit @req:SVC-14
  Scenario Outline: Migration data is echoed
    When the merchant stores a card with
      | recurringMigration.paymentType | PA      |
      | <name>                         | <value> |
    Then the registration succeeds
    And the response shows <name> "<value>"

    Examples:
      | name                                | value                    | why            |
      | recurringMigration.amount           | 12345678.99              | the longest    |
      | recurringMigration.requestTimestamp | 2026-01-31 13:07:09+0000 | with a zone    |
      | recurringMigration.requestTimestamp | 2026-01-31 13:07:09      | without one    |
      | recurringMigration.connectorTxId2   | a                        | the shortest   |
      | recurringMigration.connectorTxId3   | 4711/0815                | any characters |

  @req:COF-02 @req:SVC-13 @pattern:place
  Scenario Outline: A series that starts from a registration is charged with its reference
    Given a stored card
    And a series started by the shopper from the registration by <first>
    When the merchant charges the series by <next>
    Then the payment succeeds
    And the response shows the reference of the series

    Examples:
      | first | next | why                           |
      | DB    | DB   | sales                         |
      | PA    | DB   | it began by an authorization  |
      | DB    | PA   | an authorization goes on      |

  @req:COF-02 @req:SVC-12 @pattern:place
  Scenario: A series starts from a card that an earlier payment stored
    Given the registration created by a payment
    And a series started by the shopper from the registration by DB
    When the merchant charges 9.90 EUR of the series without the shopper
    Then the payment succeeds
    And the response shows the reference of the series

  @req:COF-02 @pattern:values
  Scenario: The newest series of a registration is the one that is charged
    Given a stored card
    And a series started by the shopper from the registration by PA
    And a series started by the shopper from the registration by DB
    When the merchant charges 9.90 EUR of the series without the shopper
    Then the payment succeeds
    And the response shows the reference of the series

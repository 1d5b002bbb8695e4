Feature: Reconciliation
  A clearing institute settles a bank day. The merchant fetches what it has to know of it as a file.

  @req:SVC-23 @needs:settlement @decision:D-401
  Scenario: A bank day is delivered as a file that the merchant fetches
    Given a merchant whose payments Sandgate Clearing settles
    And the merchant made a debit
    When the bank day is settled
    Then the merchant fetches one file by SFTP
    And its line has MatchingStatus "MATCHED"

  @req:SVC-23 @needs:settlement @decision:D-401 @pattern:limit
  Scenario: Nothing is delivered before a bank day is over
    Given a merchant whose payments Sandgate Clearing settles
    And the merchant made a debit
    When what is over is settled
    Then the merchant finds no file

  @req:RCN-01 @needs:settlement @decision:D-422
  Scenario: The columns of the file
    Given a merchant whose payments Sandgate Clearing settles
    And the merchant made a debit
    When the bank day is settled
    Then the file begins with the 36 columns in their order
    And no line of the file breaks RCN-01

  @req:RCN-01 @req:RCN-11 @req:TRN-02 @needs:settlement @decision:D-422
  Scenario Outline: A column has every character of its text
    Given a merchant whose payments <institute> settles
    And the merchant made a <movement> with <name> "<text>"
    When the bank day is settled
    Then its line has <column> "<text>"
    And its line has MatchingStatus "MATCHED"

    Examples:
      | institute          | movement     | name               | text                | column        | why                      |
      | Sandgate Clearing  | debit        | descriptor         | Books; Pens         | Descriptor    | the sign between columns |
      | Sandgate Clearing  | debit        | descriptor         | Books "for you"     | Descriptor    | quotation marks          |
      | Sandgate Clearing  | debit        | descriptor         | "Books; Pens"       | Descriptor    | both                     |
      | Sandgate Clearing  | debit        | descriptor         | Books, Pens         | Descriptor    | a comma                  |
      | Sandgate Acquiring | debit        | descriptor         | Büro; Łódź          | Descriptor    | in another form          |
      | Sandgate Clearing  | debit        | card.holder        | Zoë Müller          | AccountHolder | one byte each in Latin-1 |
      | Sandgate Clearing  | debit        | card.holder        | Łukasz Żółć         | AccountHolder | no letters of Latin-1    |
      | Sandgate Acquiring | debit        | card.holder        | Ελένη Παππά         | AccountHolder | Greek                    |
      | Sandgate Bank      | debit        | card.holder        | 山田 花子               | AccountHolder | no alphabet              |
      | Sandgate Bank      | direct debit | bankAccount.holder | Jones; Jane & "Zoë" | AccountHolder | of a bank account        |
      | Sandgate Bank      | direct debit | bankAccount.holder | Łukasz Żółć         | AccountHolder | of a bank account        |

  @req:RCN-01 @req:TRN-02 @needs:settlement @decision:D-422
  Scenario Outline: Every line has the whole name of the merchant's channel
    Given a merchant with the channel "<name>", whose payments <institute> settles
    And the merchant made a <movement>
    When the bank day is settled
    Then its line has MerchantAccountName "<name>"

    Examples:
      | institute          | movement      | name        | why                      |
      | Sandgate Clearing  | debit         | web; Paris  | the sign between columns |
      | Sandgate Acquiring | refund        | Łódź "web"  | quotation marks          |
      | Sandgate Bank      | authorization | Köln; Пермь | of a fee                 |

  @req:RCN-02 @needs:settlement @decision:D-402
  Scenario Outline: A movement of money becomes a record
    Given a merchant whose payments <institute> settles
    And the merchant made a <movement>
    When the bank day is settled
    Then its line is <record>
    And its line has SettlementStatus "SUCCESS"
    And no line of the file breaks RCN-02

    Examples:
      | institute          | movement      | record               | why                        |
      | Sandgate Clearing  | debit         | SETTLED, DEBIT, POS  | the merchant earns it      |
      | Sandgate Acquiring | capture       | SETTLED, DEBIT, POS  | of a part of what was held |
      | Sandgate Clearing  | refund        | SETTLED, REFUND, NEG | the merchant gives it back |
      | Sandgate Acquiring | credit        | SETTLED, CREDIT, NEG | the merchant pays it       |
      | Sandgate Clearing  | refund of a credit | SETTLED, REFUND, POS | what was paid comes back |
      | Sandgate Clearing  | authorization | FEE, AUTH_FEE, NEG   | it moves no money          |
      | Sandgate Clearing  | reversal      | FEE, CANCEL_FEE, NEG | it moves no money          |
      | Sandgate Bank      | direct debit  | SETTLED, DEBIT, POS  | of a bank account          |
      | Sandgate Clearing  | debit at the card host | SETTLED, DEBIT, POS | EXTERNAL           |
      | Sandgate Acquiring | debit at the card host | SETTLED, DEBIT, POS | in another form    |

  @req:RCN-03 @needs:settlement @decision:D-401
  Scenario Outline: Every type of record is in the file
    Given a merchant whose payments <institute> settles
    And the merchant made a chargeback reversal
    And the merchant made an authorization
    When the bank day is settled
    Then the file has records SETTLED, CHARGEBACK, CHARGEBACK REVERSAL and FEE

    Examples:
      | institute          | why                     |
      | Sandgate Clearing  | lines are separated     |
      | Sandgate Acquiring | lines have a fixed form |
      | Sandgate Bank      | lines are XML           |

  @req:RCN-04 @needs:settlement @decision:D-390
  Scenario: A file without times of orders has the time it was parsed
    Given a merchant whose payments Sandgate Bank settles
    And the merchant made a debit
    When the bank day is settled
    Then its line has TxRequestTime "2030-01-04 07:00:00"

  @req:RCN-05 @needs:settlement @decision:D-391
  Scenario: A line names the payment it is matched with
    Given a merchant whose payments Sandgate Clearing settles
    And the merchant made a debit of 17.00 EUR
    And the merchant made a debit of 42.00 EUR
    When the bank day is settled
    Then its line has MatchingStatus "MATCHED"
    And its line is matched with it alone

  @req:RCN-05 @needs:settlement @decision:D-391
  Scenario Outline: A line without a reference of the gateway
    Given a merchant whose payments Sandgate Acquiring settles
    And the merchant made a debit of 4.20 EUR
    And the merchant made a debit of 42.00 EUR
    And the merchant made a debit of 42.00 EUR
    And the institute will write a line with the fault <fault>
    When the bank day is settled
    Then the file has a line that is <status> with <count> payments

    Examples:
      | fault             | status           | count | why                                      |
      | amount_large      | MULTIPLE_MATCHES | 2     | ten times 4.20 is what both others are   |
      | reference_unknown | NOT_MATCHED      | 0     | neither number nor last digits are known |

  @req:RCN-05 @needs:settlement @decision:D-391 @pattern:values
  Scenario: A line that may be of more than ten payments names them all
    Given a merchant whose payments Sandgate Acquiring settles
    And the merchant made a debit of 4.20 EUR
    And the merchant made 12 debits of 42.00 EUR
    And the institute will write a line with the fault amount_large
    When the bank day is settled
    Then the file has a line that is MULTIPLE_MATCHES with 12 payments

  @req:RCN-06 @needs:settlement @decision:D-404
  Scenario: A chargeback that the gateway knows is named
    Given a merchant whose payments Sandgate Clearing settles
    And the merchant made a chargeback
    When the bank day is settled
    Then its ChargebackId is the chargeback itself

  @req:RCN-06 @needs:settlement @decision:D-404
  Scenario: A chargeback reversal names the chargeback that it takes back
    Given a merchant whose payments Sandgate Clearing settles
    And the merchant made a chargeback reversal
    When the bank day is settled
    Then its ChargebackId is the chargeback that it takes back
    And no line of the file breaks RCN-06

  @req:RCN-06 @needs:settlement @decision:D-404
  Scenario: A second chargeback has an id of its own
    Given a merchant whose payments Sandgate Clearing settles
    And the merchant made a second chargeback
    When the bank day is settled
    Then its ChargebackId is the chargeback itself
    And 2 lines are CHARGEBACK, DEBIT
    And payouts are the lines less their fees, as the ledger posted them

  @req:RCN-06 @needs:settlement @decision:D-404
  Scenario: A chargeback that comes by a file is made of the payment
    Given a merchant whose payments Sandgate Clearing settles
    And the merchant made a debit
    And the institute will write a line with the fault chargeback_early
    When the bank day is settled
    Then the ChargebackId is a chargeback that was made of it

  @req:RCN-07 @needs:settlement @decision:D-401
  Scenario: The reason of a chargeback
    Given a merchant whose payments Sandgate Clearing settles
    And the merchant made a chargeback
    When the bank day is settled
    Then only its line has ReasonCode and ReasonDesc
    And no line of the file breaks RCN-07

  @req:RCN-07 @needs:settlement @code:D-401
  Scenario Outline: What is no chargeback has no reason
    Given a merchant whose payments <institute> settles
    And the merchant made a <movement>
    When the bank day is settled
    Then its line has ReasonCode ""
    And its line has ReasonDesc ""
    And no line of the file breaks RCN-07

    Examples:
      | institute          | movement            | why                   |
      | Sandgate Clearing  | chargeback reversal | it ends a chargeback  |
      | Sandgate Acquiring | chargeback reversal | it ends a chargeback  |
      | Sandgate Bank      | chargeback reversal | it ends a chargeback  |
      | Sandgate Clearing  | debit               | a sale                |
      | Sandgate Acquiring | refund              | a refund              |
      | Sandgate Bank      | credit              | a credit              |

  @req:RCN-08 @needs:settlement @decision:D-403
  Scenario Outline: Lines less their fees are paid out and posted to the ledger
    Given a merchant whose payments <institute> settles
    And the merchant made a debit of <amount> <currency>
    And the merchant made a refund
    And the merchant made a chargeback
    When the bank day is settled
    Then payouts are the lines less their fees, as the ledger posted them
    And no line of the file breaks RCN-08

    Examples:
      | institute          | amount  | currency | why                             |
      | Sandgate Clearing  | 92.00   | EUR      | each line has its fee           |
      | Sandgate Acquiring | 9200.00 | JPY      | a currency without decimals     |
      | Sandgate Bank      | 92.00   | KWD      | a currency with three decimals  |
      | Sandgate Acquiring | 0.01    | EUR      | fees are more than what is paid |

  @req:RCN-08 @needs:settlement @decision:D-383
  Scenario Outline: Each movement has the fee of its institute's tariff
    Given a merchant whose payments <institute> settles
    And the merchant made a <movement>
    When the bank day is settled
    Then the fee of its movement is "<fee>"

    Examples:
      | institute         | movement | fee  | why                                   |
      | Sandgate Clearing | debit    | 0.73 | 0.19 interchange, 0.03 and 0.51       |
      | Sandgate Clearing | refund   | 0.19 | 0.02 and 0.26, less 0.09 interchange  |
      | Sandgate Clearing | credit   | 0.54 | 0.03 and 0.51                         |
      | Sandgate Bank     | debit    | 1.94 | 1.48 interchange, 0.13 and 0.33       |
      | Sandgate Bank     | refund   | 0.00 | interchange is more than all the rest |

  @req:RCN-03 @req:RCN-08 @needs:settlement @decision:D-383
  Scenario Outline: A channel that takes one currency is settled in it
    Given a merchant whose channel takes <currency> alone, and whose payments <institute> settles
    And the merchant made a debit of <amount> <currency>
    When the bank day is settled
    Then its line has SettlementCurrency "<currency>"
    And its line has SettlementAmount "<amount>"
    And the fee of its movement is "<fee>"
    And payouts are the lines less their fees, as the ledger posted them

    Examples:
      | institute         | currency | amount  | fee    | why                              |
      | Sandgate Clearing | USD      | 92.00   | 0.73   | another currency                 |
      | Sandgate Bank     | JPY      | 9200.00 | 174.00 | one without decimals             |
      | Sandgate Clearing | KWD      | 7.50    | 0.13   | 0.125 in one with three decimals |
      | Sandgate Clearing | KWD      | 17.00   | 0.19   | less than half of a hundredth    |

  @req:RCN-03 @req:MERCH-03 @needs:settlement @decision:D-383
  Scenario Outline: A sale of a submerchant, and of who acts for it, has fees of its own
    Given a merchant whose payments <institute> settles
    And the merchant made a <movement>
    When the bank day is settled
    Then the file has fees of <fees>

    Examples:
      | institute         | movement                     | fees                             | why             |
      | Sandgate Clearing | debit of a submerchant       | SUBMERCHANT                      | one is numbered |
      | Sandgate Bank     | debit of a submerchant       | SUBMERCHANT                      | one is numbered |
      | Sandgate Clearing | debit of a named submerchant | SUBMERCHANT, PAYMENT_FACILITATOR | it is named too |
      | Sandgate Bank     | debit of a named submerchant | SUBMERCHANT, PAYMENT_FACILITATOR | it is named too |
      | Sandgate Clearing | debit by another name        | no kind                          | no submerchant  |

  @req:RCN-09 @needs:settlement @decision:D-401
  Scenario Outline: Times are those of the institute's zone
    Given a merchant whose payments <institute> settles
    And it is "2030-07-03T20:30:15Z"
    And the merchant made a debit
    When the bank day is settled
    Then its line has TxRequestTime "<ordered>"
    And its line has SettlementDate "<settled>"

    Examples:
      | institute          | ordered             | settled    | why                             |
      | Sandgate Clearing  | 2030-07-03 20:30:15 | 2030-07-04 | UTC                             |
      | Sandgate Acquiring | 2030-07-03 22:30:15 | 2030-07-05 | Berlin in summer                |
      | Sandgate Bank      | 2030-07-04 16:30:15 | 2030-07-05 | New York: parsed, after a feast |

  @req:RCN-10 @needs:settlement @decision:D-422
  Scenario Outline: Every required column is filled in every record
    Given a merchant whose payments <institute> settles
    And it is "2030-02-01T12:00:00Z"
    And the merchant made a chargeback reversal
    And the merchant made a reversal
    And the merchant made a refund
    When the bank day is settled
    Then the file has fees of <fees>
    And no line of the file breaks RCN-10

    Examples:
      | institute          | fees                                                   | why                 |
      | Sandgate Clearing  | AUTH_FEE, CANCEL_FEE, MONTHLY, REFUND_FEE              | lines are separated |
      | Sandgate Acquiring | AUTH_FEE, CANCEL_FEE, CAPTURE_FEE, MONTHLY, REFUND_FEE | charged by the day  |
      | Sandgate Bank      | AUTH_FEE, CANCEL_FEE, MONTHLY, REFUND_FEE              | lines are XML       |

  @req:RCN-11 @needs:settlement @decision:D-422
  Scenario Outline: The account of the payer
    Given a merchant whose payments <institute> settles
    And the merchant made a <movement>
    When the bank day is settled
    Then its line has AccountNumberLast4 "<last4>"
    And its line has AccountHolder "Jane Jones"
    And its line has BankCode "<bank>"

    Examples:
      | institute         | movement            | last4 | bank        | why                     |
      | Sandgate Clearing | debit               | 0000  |             | a card has no bank code |
      | Sandgate Clearing | capture             | 0000  |             | of the authorization    |
      | Sandgate Bank     | refund              | 0000  |             | of the debit            |
      | Sandgate Clearing | chargeback          | 0000  |             | of the debit            |
      | Sandgate Clearing | chargeback reversal | 0000  |             | through the chargeback  |
      | Sandgate Bank     | direct debit        | 3000  | 37040044    | it stands in the IBAN   |
      | Sandgate Bank     | direct debit by BIC | 3000  | COBADEFFXXX | the BIC was sent        |

  @req:SVC-23 @req:RCN-08 @needs:settlement @decision:D-392
  Scenario: The API reports the sums of what was settled
    Given a merchant whose payments Sandgate Clearing settles
    And the merchant made a debit
    And the merchant refunded a part of it
    When the bank day is settled
    Then the API reports the sums of the file

  @req:SVC-23 @req:RCN-02 @needs:settlement @decision:D-393
  Scenario: The API reports the records of what was settled
    Given a merchant whose payments Sandgate Clearing settles
    And the merchant made a debit
    And the merchant refunded a part of it
    When the bank day is settled
    Then the API reports the records of the file, all at once and in pages

  @req:SVC-23 @needs:settlement @decision:D-393
  Scenario: The API reports records in either order
    Given a merchant whose payments Sandgate Clearing settles
    And the merchant made a debit
    And the merchant made a credit
    And the merchant made a capture
    When the bank day is settled
    Then the API reports the records in the order that is asked for

  @req:SVC-23 @req:END-09 @needs:settlement @decision:D-393
  Scenario: An unknown settlement has no records
    Given a merchant whose payments Sandgate Clearing settles
    When the merchant reads the records of an unknown settlement
    Then the request is refused as not found

  @req:RCN-01 @req:RCN-10 @req:RCN-11 @needs:settlement @decision:D-422
  Scenario Outline: A line repeats what the gateway knows of its payment
    Given a merchant whose payments <institute> settles
    And the merchant made a debit
    And the merchant made a <movement>
    When the bank day is settled
    Then its lines repeat what the gateway says of the payment
    And its line has Brand "<brand>"
    And every line names the entities above the merchant
    And every line has an id of its own

    Examples:
      | institute          | movement                | brand            | why                 |
      | Sandgate Clearing  | debit                   | VISA             | a sale              |
      | Sandgate Acquiring | debit                   | VISA             | lines of a form     |
      | Sandgate Bank      | direct debit            | DIRECTDEBIT_SEPA | a bank account      |
      | Sandgate Clearing  | debit by another brand  | MASTER           | another brand       |
      | Sandgate Clearing  | authorization           | VISA             | a fee               |
      | Sandgate Clearing  | chargeback              | VISA             | a chargeback        |
      | Sandgate Clearing  | debit with a descriptor | VISA             | what the shopper reads |

  @req:RCN-08 @needs:settlement @decision:D-381
  Scenario Outline: A payment in another currency is settled at a rate
    Given a merchant whose payments <institute> settles
    And the merchant made a debit of <amount> <currency>
    When the bank day is settled
    Then its line has Amount "<amount>"
    And its line has Currency "<currency>"
    And its line is settled in EUR at its rate

    Examples:
      | institute          | amount  | currency | why                  |
      | Sandgate Clearing  | 92.00   | USD      | dollars              |
      | Sandgate Acquiring | 1234.56 | GBP      | pounds               |
      | Sandgate Bank      | 9200.00 | JPY      | without decimals     |

  @req:RCN-08 @needs:settlement @decision:D-674 @pattern:limit
  Scenario Outline: A payment that no line could hold is declined
    Given a merchant whose payments <institute> settles
    When the merchant <does>
    Then the payment is declined with 800.100.174

    Examples:
      | institute          | does                         | why                     |
      | Sandgate Clearing  | debits 9999999999.99 JPY     | rounded up              |
      | Sandgate Clearing  | authorizes 9999999999.99 GBP | more euros than pounds  |
      | Sandgate Acquiring | credits 9999999999.99 GBP    | to the shopper          |
      | Sandgate Bank      | debits 9999999999.99 KWD     | three decimals          |

  @req:RCN-08 @needs:settlement @decision:D-674 @pattern:limit
  Scenario Outline: A payment that a line can just hold is approved
    Given a merchant whose payments <institute> settles
    When the merchant <does>
    Then the payment succeeds

    Examples:
      | institute          | does                       | why              |
      | Sandgate Clearing  | debits 9999999999.99 EUR   | the largest      |
      | Sandgate Acquiring | credits 9999999999.49 JPY  | rounded down     |
      | Sandgate Bank      | authorizes 9999999999.99 USD | fewer euros    |

  @req:SVC-23 @req:RCN-01 @needs:settlement @decision:D-393
  Scenario: The API reports the merchant's own references, which the file has no column for
    Given a merchant whose payments Sandgate Clearing settles
    And the merchant made a debit with references
    When the bank day is settled
    Then the API reports its merchantTransactionId "order-4711"
    And the API reports its merchantInvoiceId "invoice-4711"
    And the API reports its amount "92.00"
    And the API reports its card.holder "Jane Jones"
    And the API reports its paymentBrand "VISA"

  @req:SVC-23 @req:RCN-03 @needs:settlement @decision:D-393
  Scenario: The API reports the records of one type
    Given a merchant whose payments Sandgate Clearing settles
    And the merchant made a debit
    And the merchant made a chargeback
    When the bank day is settled
    Then the API reports 2 records of the type SETTLED
    And the API reports 1 record of the type CHARGEBACK
    And the API reports 0 records of the type CHARGEBACK REVERSAL

  @req:SVC-23 @req:SVC-21 @req:REP-01 @needs:settlement @decision:D-392 @pattern:limit
  Scenario: The API reports the settlements of the days it is asked for
    Given a merchant whose payments Sandgate Clearing settles
    And the merchant made a debit
    When the bank day is settled
    Then its line has SettlementDate "2030-01-04"
    And the API reports 1 settlement from 2030-01-04 to 2030-01-04
    And the API reports 1 settlement from 2030-01-01 to 2030-01-04
    And the API reports 1 settlement from 2030-01-04 to 2030-12-31
    And the API reports 0 settlements from 2030-01-01 to 2030-01-03
    And the API reports 0 settlements from 2030-01-05 to 2030-12-31
    And the API reports 1 settlement from 2030-01-01 to 2030-12-31 in EUR
    And the API reports 0 settlements from 2030-01-01 to 2030-12-31 in USD

  @req:SVC-23 @req:AUTH-06 @needs:settlement @decision:D-392
  Scenario: A settlement is reported to its merchant alone
    Given a merchant beside another one, whose payments Sandgate Clearing settles
    And the merchant made a debit
    When the bank day is settled
    Then its line has MatchingStatus "MATCHED"
    And the API reports nothing of it to the other merchant

Feature: The card host
  A card payment with testMode EXTERNAL is sent to the card host as an ISO 8583 message, and the
  response of the card host decides its result.

  @req:MODE-03 @needs:control @decision:D-184
  Scenario Outline: A payment with testMode EXTERNAL is sent as a card message
    When the merchant <verb> 92.00 EUR with
      | testMode | EXTERNAL |
    Then the payment succeeds
    And the response shows result.code "000.100.112"
    And a card message of type <type> was sent to the card host

    Examples:
      | verb       | type | why              |
      | authorizes | 0100 | an authorization |
      | debits     | 0200 | a sale           |

  @req:MODE-03 @needs:control @decision:D-184
  Scenario: A reversal is sent as a card message
    Given an authorized payment of 92.00 EUR in the test mode EXTERNAL
    When the merchant reverses it
    Then the reversal succeeds
    And a card message of type 0400 was sent to the card host

  @req:MODE-02 @req:MODE-03 @needs:control @decision:D-184
  Scenario: A payment without a test mode is not sent to the card host
    When the merchant debits 92.00 EUR
    Then the payment succeeds
    And no card message was sent to the card host

  @req:MODE-04 @req:RSP-04 @needs:scripts
  Scenario Outline: A decline is the same in both test modes
    Given the acquirer declines every payment with 800.100.155
    When the merchant debits 92.00 EUR with
      | testMode | <mode> |
    Then the payment is declined with 800.100.155
    And the response shows resultDetails.AcquirerResponse "51"

    Examples:
      | mode     | why                |
      | INTERNAL | inside the process |
      | EXTERNAL | at the card host   |

  @req:MODE-04 @req:RSP-05 @needs:scripts
  Scenario Outline: Address and security code checks are the same in both test modes
    Given the acquirer returns Z for the address and N for the security code
    When the merchant debits 92.00 EUR with
      | testMode        | <mode>      |
      | billing.street1 | Main Street |
    Then the payment succeeds
    And the response shows result.avsResponse "Z"
    And the response shows result.cvvResponse "N"

    Examples:
      | mode     | why                |
      | INTERNAL | inside the process |
      | EXTERNAL | at the card host   |

  @req:MODE-04 @req:RSP-05 @needs:scripts @pattern:values
  Scenario Outline: One check alone is answered in both test modes
    Given the acquirer returns <returned> alone
    When the merchant debits 92.00 EUR with
      | testMode        | <mode>      |
      | billing.street1 | Main Street |
    Then the payment succeeds
    And the response shows result.<check> "<letter>"
    And the response shows no result.<other>

    Examples:
      | returned                | mode     | check       | letter | other       | why                  |
      | M for the security code | EXTERNAL | cvvResponse | M      | avsResponse | the code at the host |
      | M for the security code | INTERNAL | cvvResponse | M      | avsResponse | the code inside      |
      | Z for the address       | EXTERNAL | avsResponse | Z      | cvvResponse | the address there    |
      | Z for the address       | INTERNAL | avsResponse | Z      | cvvResponse | the address inside   |

  @req:MODE-04 @req:MODE-03 @needs:scripts
  Scenario: A script match is counted once in both test modes
    Given the acquirer declines 1 payment with 800.100.155
    And a debit of 92.00 EUR with testMode "EXTERNAL"
    When the tester reads the script
    Then the script matched 1 time

  @req:ADDR-05 @req:RSP-05 @needs:control @decision:D-189
  Scenario Outline: The issuer compares the billing address with the address on file
    When the merchant debits 92.00 EUR with
      | card.number      | 4242000000000018 |
      | testMode         | EXTERNAL         |
      | billing.street1  | <street>         |
      | billing.postcode | <postcode>       |
    Then the payment succeeds
    And the response shows result.avsResponse "<letter>"

    Examples:
      | street        | postcode | letter | why                       |
      | 1 High Street | 10115    | F      | both match                |
      | 1 High Street | 99999    | A      | only the street matches   |
      | Elsewhere     | 10115    | Z      | only the postcode matches |
      | Elsewhere     | 99999    | N      | neither matches           |

  @req:ADDR-05 @needs:control @decision:D-189
  Scenario: A payment without an address has no address check
    When the merchant debits 92.00 EUR with card.number "4242000000000018"
    Then the payment succeeds
    And the response shows result.avsResponse "U"

  @req:SVC-15 @needs:control @decision:D-184
  Scenario: Card on file data is sent to the card host
    When the merchant debits 9.90 EUR with
      | testMode                      | EXTERNAL   |
      | standingInstruction.type      | RECURRING  |
      | standingInstruction.mode      | INITIAL    |
      | standingInstruction.source    | CIT        |
      | standingInstruction.expiry    | 2099-12-31 |
      | standingInstruction.frequency | 0030       |
    Then the payment succeeds
    And the card host received standingInstruction.type "RECURRING"
    And the card host received standingInstruction.mode "INITIAL"
    And the card host received standingInstruction.source "CIT"

  @req:SVC-18 @needs:control @decision:D-184
  Scenario: External authentication data is sent to the card host unchanged
    When the merchant debits 92.00 EUR with
      | testMode                          | EXTERNAL                             |
      | threeDSecure.eci                  | 05                                   |
      | threeDSecure.verificationId       | AAACAgSRBklmQCFgMpEGAAAAAAA=         |
      | threeDSecure.enrollmentStatus     | Y                                    |
      | threeDSecure.authenticationStatus | Y                                    |
      | threeDSecure.dsTransactionId      | f25084f0-5b16-4c0a-ae5d-b24808a95e4b |
      | threeDSecure.version              | 2.2.0                                |
    Then the payment succeeds
    And the card host received threeDSecure.eci "05"
    And the card host received threeDSecure.verificationId "AAACAgSRBklmQCFgMpEGAAAAAAA="
    And the card host received threeDSecure.dsTransactionId "f25084f0-5b16-4c0a-ae5d-b24808a95e4b"
    And the card host received threeDSecure.version "2.2.0"

  @req:MODE-03 @req:COF-02 @needs:channels @needs:control @decision:D-184 @pattern:limit
  Scenario Outline: A reference that its field of the card message has no room for is sent whole
    Given a merchant whose channel accepts references of any gateway
    When the merchant debits 9.90 EUR in the test mode EXTERNAL with a reference of <count> signs of four bytes
    Then the payment succeeds
    And the card host received the reference of <count> signs whole

    Examples:
      | count | why                                  |
      | 246   | the last that its field has room for |
      | 247   | the first that stands elsewhere      |
      | 255   | the longest reference                |

  @req:MODE-03 @decision:D-184 @pattern:limit
  Scenario Outline: A payment that no card message has room for is not sent
    When the merchant debits 92.00 EUR in the test mode EXTERNAL with <count> custom parameters of 2048 characters
    Then <outcome>

    Examples:
      | count | outcome                                  | why                    |
      | 14    | the payment succeeds                     | less than 30,000 bytes |
      | 15    | the payment is declined with 900.100.100 | more than 30,000 bytes |

  @req:PAY-09 @needs:control
  Scenario: The invoice number is not sent to the card host
    When the merchant debits 92.00 EUR with
      | testMode          | EXTERNAL     |
      | merchantInvoiceId | invoice-4711 |
    Then the payment succeeds
    And the acquirer did not receive merchantInvoiceId

  @req:MODE-03 @needs:scripts @decision:D-188 @needs:clock
  Scenario Outline: A payment without a response from the card host is reversed
    Given the sandbox clock runs 100 times as fast
    And the card host connection has the fault <fault>
    When the merchant debits 92.00 EUR with
      | testMode | EXTERNAL |
    Then the payment is declined with 900.100.301
    And a card message of type 0400 was sent to the card host

    Examples:
      | fault      | why                                 |
      | timeout    | no response                         |
      | late       | a response after the reversal       |
      | wrong_stan | the trace number of another payment |
      | garble     | a malformed response                |
      | drop       | the connection breaks               |

  @req:MODE-03 @needs:scripts @needs:clock @decision:D-188
  Scenario: A reversal without a response is repeated until the card host answers
    Given the sandbox clock runs 100 times as fast
    And the card host connection has the fault silent
    When the merchant debits 92.00 EUR with
      | testMode | EXTERNAL |
    Then the payment is declined with 900.100.300
    And the reversal 0400 is repeated as 0401 at least 2 times, and in 20 minutes no more

  @req:MODE-03 @needs:scripts @decision:D-187
  Scenario: A duplicate response from the card host is one payment
    Given the card host connection has the fault duplicate
    When the merchant debits 92.00 EUR with
      | testMode | EXTERNAL |
    Then the payment succeeds

  @req:MODE-03 @needs:scripts @decision:D-187
  Scenario: A card host that signs off accepts no payment
    Given the card host connection has the fault sign_off
    When the merchant debits 92.00 EUR with
      | testMode | EXTERNAL |
    Then the payment is declined with 900.100.600

  @req:MODE-03 @needs:scripts @needs:clock @decision:D-187
  Scenario: A card host that takes long to sign on answers the payment after that
    Given the sandbox clock runs 100 times as fast
    And the card host connection has the fault slow_start
    And an authorized payment of 40.00 EUR in the test mode EXTERNAL
    When the merchant debits 92.00 EUR with
      | testMode | EXTERNAL |
    Then the payment succeeds

  @req:MODE-03 @req:SVC-13 @req:SVC-09 @req:SVC-20 @needs:control @decision:D-184
  Scenario Outline: Every way to pay by card with testMode EXTERNAL is sent to the card host
    When the merchant sends testMode "EXTERNAL" with <kind>
    Then the response shows result.code "000.100.112"
    And a card message of type <type> was sent to the card host

    Examples:
      | kind                          | type | why               |
      | an authorization              | 0100 | an authorization  |
      | a debit                       | 0200 | a sale            |
      | a credit                      | 0200 | a credit          |
      | a payment from a registration | 0200 | a stored card     |
      | a payment in a checkout       | 0200 | in a checkout     |

  @req:MODE-03 @req:END-08 @needs:control @decision:D-184
  Scenario Outline: Every later step of a payment at the card host is sent there
    Given the merchant has sent testMode "EXTERNAL" with <kind>
    When the merchant <does>
    Then the response shows result.code "000.100.112"
    And a card message of type <type> was sent to the card host

    Examples:
      | kind             | does                    | type | why               |
      | an authorization | captures 92.00 EUR of it | 0200 | a capture         |
      | an authorization | reverses it             | 0400 | a reversal        |
      | a debit          | refunds 92.00 EUR of it | 0200 | a refund          |
      | a debit          | refunds 0.01 EUR of it  | 0200 | a part            |
      | a debit          | rebills 9.90 EUR on it  | 0200 | a rebill          |

  @req:MODE-03 @req:HOST-03 @needs:live @decision:D-88
  Scenario Outline: A live payment with a test mode goes where that says
    When the merchant debits 92.00 EUR on the live host with testMode "<mode>"
    Then the response shows result.code "<code>"

    Examples:
      | mode     | code        | why               |
      | EXTERNAL | 000.100.112 | at the card host  |

  @req:MODE-03 @needs:scripts @decision:D-188 @needs:clock
  Scenario Outline: A later step without a response from the card host is reversed too
    Given the merchant has sent testMode "EXTERNAL" with <kind>
    And the sandbox clock runs 100 times as fast
    And the card host connection has the fault timeout
    When the merchant <does>
    Then the payment is declined with 900.100.301
    And a card message of type 0400 was sent to the card host

    Examples:
      | kind             | does                     | why       |
      | an authorization | captures 92.00 EUR of it | a capture |
      | a debit          | refunds 92.00 EUR of it  | a refund  |

  @req:MODE-03 @req:END-08 @needs:scripts @decision:D-188 @needs:clock
  Scenario: What was reversed for want of a response is open again
    Given an authorized payment of 92.00 EUR in the test mode EXTERNAL
    And the sandbox clock runs 100 times as fast
    And the card host connection has the fault timeout
    And the merchant tries to capture 92.00 EUR of it
    When the merchant captures 92.00 EUR of it
    Then the capture succeeds

  @req:ADDR-02 @req:ADDR-05 @req:RSP-05 @needs:control @decision:D-189
  Scenario Outline: A house number may stand apart, and what is ignored is not compared
    When the merchant debits 92.00 EUR with
      | card.number          | 4242000000000018 |
      | testMode             | <mode>           |
      | billing.street1      | <street>         |
      | billing.houseNumber1 | <number>         |
      | billing.street2      | Back House       |
      | billing.postcode     | <postcode>       |
    Then the payment succeeds
    And the response shows result.avsResponse "<letter>"

    Examples:
      | mode     | street      | number | postcode | letter | why                      |
      | INTERNAL | High Street | 1      | 10115    | F      | both                     |
      | EXTERNAL | High Street | 1      | 10115    | F      | at the card host         |
      | INTERNAL | High Street | 2      | 10115    | Z      | another house            |
      | INTERNAL | High Street | 1      | 10116    | A      | another postcode         |
      | INTERNAL | Low Street  | 1      | 99999    | N      | neither                  |

  @req:ADDR-05 @req:RSP-05 @needs:control @decision:D-189
  Scenario Outline: A street or a postcode alone is compared
    When the merchant debits 92.00 EUR with
      | card.number | 4242000000000018 |
      | testMode    | <mode>           |
      | <name>      | <value>          |
    Then the payment succeeds
    And the response shows result.avsResponse "<letter>"

    Examples:
      | mode     | name             | value         | letter | why                |
      | INTERNAL | billing.street1  | 1 High Street | A      | the street         |
      | EXTERNAL | billing.street1  | 1 High Street | A      | at the card host   |
      | INTERNAL | billing.street1  | Elsewhere     | N      | another street     |
      | INTERNAL | billing.postcode | 10115         | Z      | the postcode       |
      | EXTERNAL | billing.postcode | 10115         | Z      | at the card host   |
      | INTERNAL | billing.postcode | 99999         | N      | another postcode   |
      | INTERNAL | billing.city     | Berlin        | U      | nothing to compare |

  @req:ADDR-05 @req:RSP-05 @req:END-08 @needs:control @decision:D-189
  Scenario Outline: A later step has no checks of its own
    Given <before>
    When the merchant <does>
    Then the payment succeeds
    And the response shows no result.avsResponse
    And the response shows no result.cvvResponse

    Examples:
      | before                                                              | does                     | why       |
      | an authorized payment of 92.00 EUR with card.number "4242000000000018" | captures 92.00 EUR of it | a capture |
      | a debit of 92.00 EUR with card.number "4242000000000018"              | refunds 92.00 EUR of it  | a refund  |

  @req:MODE-03 @req:HOST-03 @req:HOST-01 @needs:live @needs:control @decision:D-88
  Scenario: A live payment with testMode EXTERNAL reaches the card host
    When the merchant debits 92.00 EUR on the live host with testMode "EXTERNAL"
    Then the payment succeeds
    And a card message of type 0200 was sent to the card host

  @req:ERR-01 @needs:control @decision:D-189
  Scenario Outline: What stands on a card cannot be spent again
    Given <before> of 40.00 EUR with card.number "4242000000000026"
    When the merchant debits 10.01 EUR with card.number "4242000000000026"
    Then the payment is declined with 800.100.155

    Examples:
      | before                | why                       |
      | an authorized payment | the limit is 50.00, held  |
      | a debit               | the limit is 50.00, taken |

  @req:END-08 @needs:control @decision:D-189
  Scenario Outline: What is given back to a card can be spent again
    Given <before> of 40.00 EUR with card.number "4242000000000026"
    And <then>
    When the merchant debits <amount> EUR with card.number "4242000000000026"
    Then the payment succeeds

    Examples:
      | before                | then                        | amount | why              |
      | an authorized payment | it is reversed              | 50.00  | nothing is held  |
      | a debit               | 15.00 EUR of it is refunded | 25.00  | 25.00 is taken   |

  @req:END-08 @needs:clock @decision:D-189
  Scenario Outline: What an authorization holds lapses after a week, and what was taken does not
    Given the sandbox clock is frozen
    And <before> of 40.00 EUR with card.number "4242000000000026"
    And <days> days pass
    When the merchant debits <amount> EUR with card.number "4242000000000026"
    Then <outcome>

    Examples:
      | before                | days | amount | outcome                                  | why                    |
      | an authorized payment | 6    | 10.01  | the payment is declined with 800.100.155 | it is held             |
      | an authorized payment | 8    | 50.00  | the payment succeeds                     | it has lapsed          |
      | a debit               | 8    | 10.01  | the payment is declined with 800.100.155 | it is taken            |
      | a debit               | 8    | 10.00  | the payment succeeds                     | all that is left       |

  @req:END-08 @req:MODE-03 @needs:scripts @needs:clock @decision:D-189
  Scenario Outline: A capture without a response takes nothing from its card
    Given an authorized payment of 40.00 EUR in the test mode EXTERNAL by the card 4242000000000026
    And the sandbox clock runs 100 times as fast
    And the card host connection has the fault timeout
    And the merchant tries to capture <part> EUR of it
    And it is reversed
    When the merchant debits 50.00 EUR with card.number "4242000000000026"
    Then the payment succeeds

    Examples:
      | part  | why                     |
      | 40.00 | all of it was asked for |
      | 15.00 | a part was asked for    |

  @req:END-08 @needs:clock @decision:D-189
  Scenario Outline: An authorization at the issuer is captured within seven days
    Given the sandbox clock is frozen
    And an authorized payment of 92.00 EUR with card.number "4242000000000018"
    And <days> days pass
    When the merchant captures 92.00 EUR of it
    Then <outcome>

    Examples:
      | days | outcome                                  | why           |
      | 6    | the payment succeeds                     | it is held    |
      | 8    | the payment is declined with 800.100.167 | it has lapsed |

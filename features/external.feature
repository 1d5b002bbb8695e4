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

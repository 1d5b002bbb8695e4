Feature: The processor's own test system
  With the test mode EXTERNAL a card payment leaves the gateway: it travels as a card message over a
  line to the host of the processor, and what is said there comes back.

  @req:MODE-03 @needs:control @decision:D-184
  Scenario Outline: A payment travels as a card message
    When the merchant <verb> 92.00 EUR with
      | testMode | EXTERNAL |
    Then the payment succeeds
    And the answer shows result.code "000.100.112"
    And a card message of the type <type> was exchanged

    Examples:
      | verb       | type | why                  |
      | authorises | 0100 | money is only held   |
      | debits     | 0200 | money is taken       |

  @req:MODE-03 @needs:control @decision:D-184
  Scenario: What follows travels as well
    Given an authorised payment of 92.00 EUR in the test mode EXTERNAL
    When the merchant reverses it
    Then the reversal succeeds
    And a card message of the type 0400 was exchanged

  @req:MODE-02 @req:MODE-03 @needs:control @decision:D-184
  Scenario: Without the test mode nothing leaves the gateway
    When the merchant debits 92.00 EUR
    Then the payment succeeds
    And no card message was exchanged

  @req:MODE-04 @req:RSP-04 @needs:scripts
  Scenario Outline: A decline is the same in both test modes
    Given the acquirer declines every payment with 800.100.155
    When the merchant debits 92.00 EUR with
      | testMode | <mode> |
    Then the payment is declined with 800.100.155
    And the answer shows resultDetails.AcquirerResponse "51"

    Examples:
      | mode     | why                |
      | INTERNAL | inside the process |
      | EXTERNAL | over the line      |

  @req:MODE-04 @req:RSP-05 @needs:scripts
  Scenario Outline: What is said of address and security code is the same in both test modes
    Given the acquirer answers Z to the address and N to the security code
    When the merchant debits 92.00 EUR with
      | testMode        | <mode>      |
      | billing.street1 | Main Street |
    Then the payment succeeds
    And the answer shows result.avsResponse "Z"
    And the answer shows result.cvvResponse "N"

    Examples:
      | mode     | why                |
      | INTERNAL | inside the process |
      | EXTERNAL | over the line      |

  @req:MODE-04 @req:MODE-03 @needs:scripts
  Scenario: A script is counted once, wherever it decides
    Given the acquirer declines 1 payment with 800.100.155
    And a debit of 92.00 EUR with testMode "EXTERNAL"
    When the tester reads the script
    Then it answered 1 time

  @req:ADDR-05 @req:RSP-05 @needs:control @decision:D-189
  Scenario Outline: An issuer compares the address it is sent with the one it knows
    When the merchant debits 92.00 EUR with
      | card.number      | 4242000000000018 |
      | testMode         | EXTERNAL         |
      | billing.street1  | <street>         |
      | billing.postcode | <postcode>       |
    Then the payment succeeds
    And the answer shows result.avsResponse "<letter>"

    Examples:
      | street        | postcode | letter | why                |
      | 1 High Street | 10115    | F      | both are right     |
      | 1 High Street | 99999    | A      | the street is      |
      | Elsewhere     | 10115    | Z      | the postcode is    |
      | Elsewhere     | 99999    | N      | neither is         |

  @req:ADDR-05 @needs:control @decision:D-189
  Scenario: An issuer that is sent no address compares none
    When the merchant debits 92.00 EUR with card.number "4242000000000018"
    Then the payment succeeds
    And the answer shows result.avsResponse "U"

  @req:SVC-15 @needs:control @decision:D-184
  Scenario: What is said of a card on file reaches the processor
    When the merchant debits 9.90 EUR with
      | testMode                      | EXTERNAL   |
      | standingInstruction.type      | RECURRING  |
      | standingInstruction.mode      | INITIAL    |
      | standingInstruction.source    | CIT        |
      | standingInstruction.expiry    | 2099-12-31 |
      | standingInstruction.frequency | 0030       |
    Then the payment succeeds
    And the processor received standingInstruction.type "RECURRING"
    And the processor received standingInstruction.mode "INITIAL"
    And the processor received standingInstruction.source "CIT"

  @req:SVC-18 @needs:control @decision:D-184
  Scenario: What another system says of the authentication reaches the processor unchanged
    When the merchant debits 92.00 EUR with
      | testMode                          | EXTERNAL                             |
      | threeDSecure.eci                  | 05                                   |
      | threeDSecure.verificationId       | AAACAgSRBklmQCFgMpEGAAAAAAA=         |
      | threeDSecure.enrollmentStatus     | Y                                    |
      | threeDSecure.authenticationStatus | Y                                    |
      | threeDSecure.dsTransactionId      | f25084f0-5b16-4c0a-ae5d-b24808a95e4b |
      | threeDSecure.version              | 2.2.0                                |
    Then the payment succeeds
    And the processor received threeDSecure.eci "05"
    And the processor received threeDSecure.verificationId "AAACAgSRBklmQCFgMpEGAAAAAAA="
    And the processor received threeDSecure.dsTransactionId "f25084f0-5b16-4c0a-ae5d-b24808a95e4b"
    And the processor received threeDSecure.version "2.2.0"

  @req:PAY-09 @needs:control
  Scenario: The invoice number does not travel
    When the merchant debits 92.00 EUR with
      | testMode          | EXTERNAL     |
      | merchantInvoiceId | invoice-4711 |
    Then the payment succeeds
    And the acquirer was not told of merchantInvoiceId

  @req:MODE-03 @needs:scripts @decision:D-188 @needs:clock
  Scenario Outline: A payment that nobody answers is taken back
    Given the clock runs 100 times as fast
    And on the line to the processor happens: <fault>
    When the merchant debits 92.00 EUR with
      | testMode | EXTERNAL |
    Then the payment is declined with 900.100.301
    And a card message of the type 0400 was exchanged

    Examples:
      | fault      | why                          |
      | timeout    | nothing comes                |
      | late       | it comes after the reversal  |
      | wrong_stan | it is another payment's      |
      | garble     | nobody can read it           |
      | drop       | the line breaks in the midst |

  @req:MODE-03 @needs:scripts @decision:D-187
  Scenario: An answer that comes twice is one payment
    Given on the line to the processor happens: duplicate
    When the merchant debits 92.00 EUR with
      | testMode | EXTERNAL |
    Then the payment succeeds

  @req:MODE-03 @needs:scripts @decision:D-187
  Scenario: A processor that signs off takes no payment
    Given on the line to the processor happens: sign_off
    When the merchant debits 92.00 EUR with
      | testMode | EXTERNAL |
    Then the payment is declined with 900.100.600

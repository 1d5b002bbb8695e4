@req:SVC-22
Feature: Chargebacks
  An issuer charges a payment back, and the merchant may win a chargeback reversal.

  @req:CHB-01 @decision:D-148
  Scenario Outline: A chargeback has its reason code
    Given a debit of 92.00 EUR
    When the merchant submits a chargeback of it for <reason>
    Then the response shows paymentType "CB"
    And the response shows amount "92.00"
    And the response shows result.code "<reason>"

    Examples:
      | reason      | why                           |
      | 000.100.203 | insufficient funds            |
      | 000.100.222 | not authorized by the shopper |

  @req:CHB-01 @code:D-148
  Scenario Outline: A malformed chargeback reason is refused
    Given a debit of 92.00 EUR
    When the merchant submits a chargeback of it for <reason>
    Then the request is refused, naming chargebackResultCode

    Examples:
      | reason      | why              |
      | 000.100.2   | no digits follow |
      | 000.100.20  | one digit follows |
      | 000.100.23  | another one      |
      | 000.100.2x3 | a letter         |
      | no-money    | words            |
      | 000x100x203 | letters for dots |
      | 000x100.203 | the first dot    |
      | 000.100x203 | the second dot   |
      | 000-100-203 | hyphens for dots |
      | 000,100,203 | commas for dots  |
      | 00001000203 | digits for dots  |
      | 000100203   | no dots          |
      | 000.100.2031 | a digit too many |
      | 1000.100.203 | a digit before  |
      | 000.100.303 | another group    |
      | 000.200.203 | another category |
      | 100.100.203 | a rejection      |

  @decision:D-148
  Scenario: A chargeback needs no reason
    Given a debit of 92.00 EUR
    When the merchant submits a chargeback of it
    Then the response shows result.code "000.100.200"

  @decision:D-147
  Scenario: A chargeback may be partial
    Given a debit of 92.00 EUR
    When the merchant submits a chargeback of 30.00 EUR of it
    Then the response shows amount "30.00"

  @decision:D-147 @pattern:limit
  Scenario: A payment is charged back once
    Given a debit of 92.00 EUR
    And a chargeback of 30.00 EUR of it
    When the merchant submits a chargeback of 30.00 EUR of it
    Then the request is refused with 700.300.500

  @decision:D-147
  Scenario Outline: An amount that was charged back cannot be refunded
    Given a debit of 92.00 EUR
    And a chargeback of 30.00 EUR of it
    When the merchant refunds <amount> EUR of it
    Then <outcome>

    Examples:
      | amount | outcome                                | why           |
      | 62.00  | the refund succeeds                    | the rest      |
      | 62.01  | the refund is refused with 700.400.200 | over the rest |

  @decision:D-147 @pattern:limit
  Scenario: A chargeback may not exceed the amount not refunded
    Given a debit of 92.00 EUR
    And 60.00 EUR of it is refunded
    When the merchant submits a chargeback of 32.01 EUR of it
    Then the request is refused with 700.400.400

  @decision:D-147
  Scenario: A capture is charged back
    Given an authorized payment of 92.00 EUR
    And 60.00 EUR of it is captured
    When the merchant submits a chargeback of the capture
    Then the response shows amount "60.00"

  @code:D-46
  Scenario: An authorization cannot be charged back
    Given an authorized payment of 92.00 EUR
    When the merchant submits a chargeback of it
    Then the request is refused with 700.400.550

  @decision:D-147
  Scenario: A chargeback is reversed
    Given a debit of 92.00 EUR
    And a chargeback of 92.00 EUR of it
    When the merchant submits a reversal of the chargeback
    Then the payment succeeds
    And the response shows paymentType "CR"
    And the response shows amount "92.00"

  @decision:D-147
  Scenario: A payment may be refunded after a chargeback reversal
    Given a debit of 92.00 EUR
    And a chargeback of 92.00 EUR of it
    And the chargeback is reversed
    When the merchant refunds 92.00 EUR of it
    Then the refund succeeds

  @decision:D-147 @pattern:limit
  Scenario: A chargeback is reversed once
    Given a debit of 92.00 EUR
    And a chargeback of 92.00 EUR of it
    And the chargeback is reversed
    When the merchant submits a reversal of the chargeback
    Then the request is refused with 700.400.410

  @decision:D-147
  Scenario: A payment may be charged back again after a chargeback reversal
    Given a debit of 92.00 EUR
    And a chargeback of 92.00 EUR of it
    And the chargeback is reversed
    When the merchant submits a chargeback of the chargeback reversal
    Then the response shows paymentType "CB"

  @code:D-46
  Scenario: A payment without a chargeback has no chargeback reversal
    Given a debit of 92.00 EUR
    When the merchant submits a chargeback reversal of it
    Then the request is refused with 700.400.420

  @needs:channels @decision:D-147
  Scenario: A channel may leave chargebacks to the platform
    Given a merchant whose channel leaves chargebacks to the platform
    And a debit of 92.00 EUR
    When the merchant submits a chargeback of it
    Then the request is refused with 700.400.402

  @needs:inbox @decision:D-148
  Scenario: A chargeback is notified
    Given a debit of 92.00 EUR
    And the merchant has a webhook endpoint
    When the merchant submits a chargeback of it for 000.100.203
    Then 1 notification has arrived
    And the notification is of type PAYMENT
    And the notification shows paymentType "CB"
    And the notification shows result.code "000.100.203"
    And the notification refers to the payment

  @needs:scripts @needs:clock @needs:inbox @decision:D-149
  Scenario: An issuer returns a direct debit
    Given the sandbox clock is frozen
    And the acquirer approves 1 payment that is returned after 5 days for 000.100.203
    And a direct debit of 92.00 EUR
    And the merchant has a webhook endpoint
    When 5 days pass
    Then 1 notification has arrived
    And the notification shows paymentType "CB"
    And the notification shows result.code "000.100.203"
    And the notification refers to the payment

  @needs:scripts @needs:clock @decision:D-149
  Scenario: A returned direct debit cannot be refunded
    Given the sandbox clock is frozen
    And the acquirer approves 1 payment that is returned after 5 days for 000.100.203
    And a direct debit of 92.00 EUR
    And 5 days pass
    When the merchant refunds 92.00 EUR of it
    Then the refund is refused with 700.400.200

  @req:CHB-01 @decision:D-148
  Scenario Outline: Every reason that an issuer can have is the result of its chargeback
    Given a debit of 92.00 EUR
    When the merchant submits a chargeback of it for <reason>
    Then the response shows result.code "<reason>"

    Examples:
      | reason      | why             |
      | 000.100.200 | no reason       |
      | 000.100.201 | another account |
      | 000.100.205 | no authority    |
      | 000.100.207 | the bank        |
      | 000.100.220 | a fraud         |
      | 000.100.230 | a limit         |

  @req:CHB-01 @decision:D-147 @decision:D-148 @pattern:place
  Scenario Outline: A chargeback has its own reason wherever it stands
    Given an authorized payment of 92.00 EUR
    And 60.00 EUR of it is captured
    And the capture is charged back by 60.00 EUR
    And the chargeback is reversed
    When the merchant submits a chargeback of the chargeback reversal for <reason>
    Then the response shows result.code "<reason>"

    Examples:
      | reason      | why              |
      | 000.100.205 | the first reason |
      | 000.100.222 | another reason   |

  @req:CHB-01 @decision:D-148
  Scenario: A capture is charged back for a reason
    Given an authorized payment of 92.00 EUR
    And 60.00 EUR of it is captured
    When the merchant submits a chargeback of the capture for 000.100.203
    Then the response shows result.code "000.100.203"

  @req:CHB-01 @decision:D-148
  Scenario: A reason of no list is a chargeback without one
    Given a debit of 92.00 EUR
    When the merchant submits a chargeback of it for 000.100.250
    Then the response shows result.code "000.100.200"

  @decision:D-147 @pattern:limit
  Scenario Outline: A chargeback of a part leaves the rest, of a capture as of a sale
    Given an authorized payment of 92.00 EUR
    And 60.00 EUR of it is captured
    And the capture is charged back by 25.00 EUR
    When the merchant refunds <amount> EUR of the capture
    Then <outcome>

    Examples:
      | amount | outcome                                | why           |
      | 35.00  | the refund succeeds                    | the rest      |
      | 35.01  | the refund is refused with 700.400.200 | over the rest |

  @decision:D-147
  Scenario: A chargeback without an amount is of what was not refunded
    Given a debit of 92.00 EUR
    And 60.00 EUR of it is refunded
    When the merchant submits a chargeback of it
    Then the response shows amount "32.00"

  @decision:D-147 @pattern:limit
  Scenario: A second chargeback is final
    Given a debit of 92.00 EUR
    And a chargeback of 92.00 EUR of it
    And the chargeback is reversed
    And the chargeback reversal is charged back
    When the merchant submits a reversal of the chargeback
    Then the payment is refused

  @decision:D-147 @pattern:limit
  Scenario Outline: A refund follows a chargeback reversal, of what is left
    Given a debit of 92.00 EUR
    And 20.00 EUR of it is refunded
    And a chargeback of 50.00 EUR of it
    And the chargeback is reversed
    When the merchant refunds <amount> EUR of it
    Then <outcome>

    Examples:
      | amount | outcome                                | why                  |
      | 72.00  | the refund succeeds                    | all but the refund   |
      | 72.01  | the refund is refused with 700.400.200 | 20.00 were refunded  |

  @decision:D-147 @pattern:limit
  Scenario: A payment whose chargeback was reversed is not reversed once it was refunded in part
    Given a debit of 92.00 EUR
    And 20.00 EUR of it is refunded
    And a chargeback of 50.00 EUR of it
    And the chargeback is reversed
    When the merchant reverses it
    Then the payment is refused

  @decision:D-147
  Scenario: A chargeback has the currency of its payment
    Given a debit of 92.00 EUR
    When the merchant submits a chargeback of 30.00 USD of it
    Then the request is refused with 700.100.500

  @req:MODE-03 @decision:D-147 @needs:declines
  Scenario Outline: A chargeback reversal succeeds with the code of its payment's test mode
    Given a debit of 92.00 EUR with testMode "<mode>"
    And a chargeback of 92.00 EUR of it
    When the merchant submits a reversal of the chargeback
    Then the response shows result.code "<code>"

    Examples:
      | mode     | code        | why               |
      | INTERNAL | 000.100.110 | at the simulators |
      | EXTERNAL | 000.100.112 | at the card host  |

  @req:HOST-01 @req:HOST-03 @needs:live @decision:D-147
  Scenario: A chargeback of a live payment is reversed as a live payment
    Given the merchant works on the live host
    And a debit of 92.00 EUR
    And a chargeback of 92.00 EUR of it
    When the merchant submits a reversal of the chargeback
    Then the response shows result.code "000.000.000"

  @needs:scripts @needs:clock @decision:D-149 @pattern:limit
  Scenario Outline: A direct debit is returned on its day, for its own reason
    Given the sandbox clock is frozen
    And the acquirer approves 1 payment that is returned after <days> days for <reason>
    And a direct debit of 92.00 EUR
    And <span> pass
    When the merchant requests a report of it with includeLinkedTransactions "true"
    Then the report contains the amounts "<amounts>"

    Examples:
      | days | reason      | span                      | amounts     | why        |
      | 2    | 000.100.201 | 47 hours and 59 minutes   | 92.00       | not yet    |
      | 2    | 000.100.201 | 48 hours                  | 92.00 92.00 | on its day |

  @needs:scripts @needs:clock @needs:inbox @decision:D-149
  Scenario: A return is notified with the reason of the bank
    Given the sandbox clock is frozen
    And the acquirer approves 1 payment that is returned after 2 days for 000.100.201
    And a direct debit of 92.00 EUR
    And the merchant has a webhook endpoint
    When 3 days pass
    Then 1 notification has arrived
    And the notification shows result.code "000.100.201"
    And the notification shows amount "92.00"

@req:SVC-22
Feature: Chargebacks
  A shopper's bank takes back what was paid, and the merchant may win it again.

  @req:CHB-01 @decision:D-148
  Scenario Outline: A chargeback is booked with its reason
    Given a debit of 92.00 EUR
    When the merchant books a chargeback of it for <reason>
    Then the answer shows paymentType "CB"
    And the answer shows amount "92.00"
    And the answer shows result.code "<reason>"

    Examples:
      | reason      | why                       |
      | 000.100.203 | not enough money          |
      | 000.100.222 | the shopper knows nothing |

  @req:CHB-01
  Scenario Outline: A reason of another form is refused
    Given a debit of 92.00 EUR
    When the merchant books a chargeback of it for <reason>
    Then the request is refused, naming chargebackResultCode

    Examples:
      | reason      | why              |
      | 000.100.2   | no digits follow |
      | 000.100.2x3 | a letter         |
      | no-money    | words            |

  @decision:D-148
  Scenario: A chargeback needs no reason
    Given a debit of 92.00 EUR
    When the merchant books a chargeback of it
    Then the answer shows result.code "000.100.200"

  @decision:D-147
  Scenario: A part of a payment is charged back
    Given a debit of 92.00 EUR
    When the merchant books a chargeback of 30.00 EUR of it
    Then the answer shows amount "30.00"

  @decision:D-147
  Scenario: A payment is charged back once
    Given a debit of 92.00 EUR
    And a chargeback of 30.00 EUR of it
    When the merchant books a chargeback of 30.00 EUR of it
    Then the request is refused with 700.300.500

  @decision:D-147
  Scenario Outline: What was charged back is not refunded as well
    Given a debit of 92.00 EUR
    And a chargeback of 30.00 EUR of it
    When the merchant refunds <amount> EUR of it
    Then <outcome>

    Examples:
      | amount | outcome                                | why           |
      | 62.00  | the refund succeeds                    | the rest      |
      | 62.01  | the refund is refused with 700.400.200 | over the rest |

  @decision:D-147
  Scenario: No more is charged back than was not given back
    Given a debit of 92.00 EUR
    And 60.00 EUR of it is refunded
    When the merchant books a chargeback of 32.01 EUR of it
    Then the request is refused with 700.400.400

  @decision:D-147
  Scenario: A capture is charged back
    Given an authorised payment of 92.00 EUR
    And 60.00 EUR of it is captured
    When the merchant books a chargeback of the capture
    Then the answer shows amount "60.00"

  @decision:D-46
  Scenario: An authorisation is not charged back
    Given an authorised payment of 92.00 EUR
    When the merchant books a chargeback of it
    Then the request is refused with 700.400.550

  @decision:D-147
  Scenario: A chargeback is taken back
    Given a debit of 92.00 EUR
    And a chargeback of 92.00 EUR of it
    When the merchant books that the chargeback is taken back
    Then the payment succeeds
    And the answer shows paymentType "CR"
    And the answer shows amount "92.00"

  @decision:D-147
  Scenario: What was won again may be refunded
    Given a debit of 92.00 EUR
    And a chargeback of 92.00 EUR of it
    And the chargeback is taken back
    When the merchant refunds 92.00 EUR of it
    Then the refund succeeds

  @decision:D-147
  Scenario: A chargeback is taken back once
    Given a debit of 92.00 EUR
    And a chargeback of 92.00 EUR of it
    And the chargeback is taken back
    When the merchant books that the chargeback is taken back
    Then the request is refused with 700.400.410

  @decision:D-147
  Scenario: A payment that was won again is charged back again
    Given a debit of 92.00 EUR
    And a chargeback of 92.00 EUR of it
    And the chargeback is taken back
    When the merchant books a chargeback of what was taken back
    Then the answer shows paymentType "CB"

  @decision:D-46
  Scenario: A payment without a chargeback has none to take back
    Given a debit of 92.00 EUR
    When the merchant books that it is taken back
    Then the request is refused with 700.400.420

  @needs:control @decision:D-147
  Scenario: A channel may leave chargebacks to the platform
    Given a merchant whose channel leaves chargebacks to the platform
    And a debit of 92.00 EUR
    When the merchant books a chargeback of it
    Then the request is refused with 700.400.402

  @needs:inbox @decision:D-148
  Scenario: A chargeback is notified
    Given a debit of 92.00 EUR
    And the merchant listens
    When the merchant books a chargeback of it for 000.100.203
    Then 1 notification has arrived
    And the notification is of type PAYMENT
    And the notification shows paymentType "CB"
    And the notification shows result.code "000.100.203"
    And the notification refers to it

  @needs:scripts @needs:clock @needs:inbox @decision:D-149
  Scenario: A bank returns a direct debit by itself
    Given the clock stands still
    And the acquirer approves 1 payment that is returned after 5 days for 000.100.203
    And a direct debit of 92.00 EUR by a shopper
    And the merchant listens
    When 5 days pass
    Then 1 notification has arrived
    And the notification shows paymentType "CB"
    And the notification shows result.code "000.100.203"
    And the notification refers to it

  @needs:scripts @needs:clock @decision:D-149
  Scenario: A payment that was returned is not refunded
    Given the clock stands still
    And the acquirer approves 1 payment that is returned after 5 days for 000.100.203
    And a direct debit of 92.00 EUR by a shopper
    And 5 days pass
    When the merchant refunds 92.00 EUR of it
    Then the refund is refused with 700.400.200

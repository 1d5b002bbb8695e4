@req:SVC-24 @needs:webhooks
Feature: Receivers
  A notification is posted to the address the merchant gave, until somebody there takes it.

  @req:EVT-01
  Scenario: A notification is posted to the merchant's receiver
    Given the merchant listens at its receiver
    When the merchant debits 92.00 EUR
    Then the receiver is told of the payment once
    And it is opened with the merchant's secret
    And it is of type PAYMENT, about the payment

  @req:EVT-01
  Scenario: A capture is posted to the merchant's receiver
    Given the merchant listens at its receiver
    And an authorised payment of 92.00 EUR
    When the merchant captures 92.00 EUR of it
    Then the receiver is told of the payment once
    And it is of type PAYMENT, about the payment
    And its payload is the answer

  @needs:control @decision:D-85
  Scenario: A receiver is called once before it is notified
    When the merchant listens at its receiver for the first time
    Then the receiver was called, and the merchant is told that it listens

  @needs:control @decision:D-85
  Scenario: A receiver that does not answer the first call is not notified
    Given the receiver answers with a refusal 1 time
    When the merchant listens at its receiver for the first time
    Then the merchant is told that it does not listen

  @req:EVT-06 @needs:clock @decision:D-84
  Scenario Outline: A notification that the receiver does not take is posted again
    Given the merchant listens at its receiver
    And the receiver answers <answer> 1 time
    And a debit of 92.00 EUR
    When 1 minute passes
    Then the receiver has got 2 notifications
    And all of them have one identity

    Examples:
      | answer                 | why                      |
      | with a fault           | any server fault         |
      | that it moved          | redirects are not followed |
      | with a refusal         | any refusal              |

  @req:EVT-06 @needs:clock
  Scenario: Nothing is lost while the receiver is out of order
    Given the merchant listens at its receiver
    And the receiver answers with a fault 5 times
    And a debit of 92.00 EUR
    And a debit of 93.00 EUR
    When 1 day passes
    Then the receiver has taken 2 notifications

  @req:EVT-06 @needs:inbox
  Scenario: A receiver that is gone keeps nobody else waiting
    Given the merchant listens where nobody answers
    And the merchant listens
    When the merchant debits 92.00 EUR
    Then 1 notification has arrived

  @req:EVT-06 @needs:inbox
  Scenario: A payment is answered while its receiver is slow
    Given the merchant listens at its receiver
    And the receiver takes 2 seconds to answer
    When the merchant debits 92.00 EUR
    Then the payment succeeds
    And the receiver has got 1 notification

  @req:SVC-16 @needs:clock @needs:scripts
  Scenario: The result of a payment that was pending is called to the address it named
    Given the acquirer approves 1 payment after a minute
    And a debit of 92.00 EUR whose result goes to the receiver
    When 1 minute passes
    Then the receiver was asked for the result, with id and resourcePath of the payment

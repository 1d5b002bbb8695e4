Feature: Webhooks of the field
  Notifications as existing receivers open and read them, in the profile field.

  @field:W1 @needs:inbox
  Scenario Outline: A notification is encrypted as the field does it
    Given the merchant listens by <form>
    When the merchant debits 92.00 EUR
    Then the notification travels as <travels>

    Examples:
      | form    | travels                     | why                  |
      | hex     | hex text, encrypted         | what most expect     |
      | wrapped | hex text in JSON, encrypted | an option            |

  @field:W1 @needs:webhooks
  Scenario: A receiver opens a notification with its 64 hex digits
    Given the merchant listens at its receiver
    When the merchant debits 92.00 EUR
    Then the receiver is told of the payment once
    And it is opened with the merchant's secret
    And it is of type PAYMENT, about the payment

  @field:W2 @needs:inbox
  Scenario: A notification tells more than the answer did
    Given the merchant listens
    When the merchant debits 92.00 EUR with merchantTransactionId "abc123"
    Then the notification is of type PAYMENT
    And the notification tells whose payment it is
    And the notification shows presentationAmount "92.00"
    And the notification shows presentationCurrency "EUR"
    And the notification shows merchantTransactionId "abc123"
    And the notification has the members of the answer

  @field:W2 @needs:inbox
  Scenario: A notification of a capture tells what it refers to
    Given an authorised payment of 92.00 EUR
    And the merchant listens
    When the merchant captures 92.00 EUR of it
    Then the notification refers to it

  @field:W3 @needs:webhooks @needs:control
  Scenario: The first call is a test of another type
    When the merchant listens at its receiver for the first time
    Then the receiver was called with the activation of the field

  @field:W4 @needs:inbox
  Scenario: A notification of a payment has no action
    Given the merchant listens
    When the merchant debits 92.00 EUR
    Then the notification is of type PAYMENT, and has no action

  @field:W5 @needs:webhooks @needs:clock @needs:scripts
  Scenario: The older address is called with the payment in the query
    Given the acquirer approves 1 payment after a minute
    And a debit of 92.00 EUR whose result goes to the receiver
    When 1 minute passes
    Then the receiver was asked for the result, with id and resourcePath of the payment

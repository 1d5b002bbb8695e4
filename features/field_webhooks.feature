Feature: Webhooks in profile field
  Notifications as existing receivers decrypt and read them.

  @field:W1 @needs:control @needs:inbox
  Scenario Outline: A notification is encrypted in both formats of profile field
    Given the merchant has a webhook endpoint in the format <form>
    When the merchant debits 92.00 EUR
    Then the notification is sent as <travels>

    Examples:
      | form    | travels                     | why                          |
      | hex     | hex text, encrypted         | the default                  |
      | wrapped | hex text in JSON, encrypted | an option for JSON receivers |

  @field:W1 @needs:webhooks
  Scenario: A receiver decrypts a notification with its 64 hex digits
    Given the merchant's receiver is a webhook endpoint
    When the merchant debits 92.00 EUR
    Then the receiver gets one notification of the payment
    And the notification is decrypted with the merchant's secret
    And the received notification is of type PAYMENT and for the payment

  @field:W2 @needs:control @needs:inbox
  Scenario: A notification shows more than the response
    Given the merchant has a webhook endpoint
    When the merchant debits 92.00 EUR with merchantTransactionId "abc123"
    Then the notification is of type PAYMENT
    And the notification shows the entity and the channel of the merchant
    And the notification shows presentationAmount "92.00"
    And the notification shows presentationCurrency "EUR"
    And the notification shows merchantTransactionId "abc123"
    And the notification has every member of the response

  @field:W2 @needs:inbox
  Scenario: A notification of a capture shows its referencedId
    Given an authorized payment of 92.00 EUR
    And the merchant has a webhook endpoint
    When the merchant captures 92.00 EUR of it
    Then the notification refers to the payment

  @field:W3 @needs:webhooks @needs:control
  Scenario: The activation message has the type of profile field
    When the merchant registers its receiver as webhook endpoint
    Then the receiver gets the activation message of profile field

  @field:E69 @needs:webhooks @needs:control
  Scenario: The activation message carries a success of the simulator
    When the merchant registers its receiver as webhook endpoint
    Then the activation message has the result code 000.100.110

  @field:E69 @needs:inbox
  Scenario: The source of a payment through a checkout is its form
    Given the merchant has a webhook endpoint
    And a checkout for 92.00 EUR
    When the shopper pays in the checkout by card
    Then the notification shows source "OPPUI"

  @field:E69 @needs:inbox
  Scenario: The source of any other payment is the API
    Given the merchant has a webhook endpoint
    When the merchant debits 92.00 EUR
    Then the notification shows source "OPP"

  @field:W4 @needs:inbox
  Scenario: A notification of a payment has no action
    Given the merchant has a webhook endpoint
    When the merchant debits 92.00 EUR
    Then the notification is of type PAYMENT and has no action

  @field:W2 @needs:clock @needs:control @needs:inbox
  Scenario: Every execution of a schedule is an event of the schedule too
    Given the sandbox clock is frozen at the start of a year
    And a card stored for a subscription
    And a schedule of 9.90 USD with
      | job.dayOfMonth | 05 |
    And the merchant has a webhook endpoint for SCHEDULE events
    When 40 days pass
    Then 2 notifications have arrived
    And the notification is of type SCHEDULE
    And the notification shows presentationAmount "9.90"
    And the notification shows presentationCurrency "USD"

  @field:W5 @needs:webhooks @needs:clock @needs:scripts
  Scenario: The notificationUrl is called with the payment in the query
    Given the acquirer approves 1 payment after a minute
    And a debit of 92.00 EUR with the receiver as notificationUrl
    When 1 minute passes
    Then the receiver is called with id and resourcePath of the payment

  @field:E69 @needs:channels @needs:control @needs:inbox @needs:scripts
  Scenario Outline: The risk check of a payment is notified beside it
    Given the risk system <does> every payment with <what>
    And the merchant has a webhook endpoint
    When the merchant debits 92.00 EUR
    Then another notification of type RISK says <code> and the score <score> of the payment

    Examples:
      | does    | what                          | code        | score | why      |
      | denies  | 100.400.142 and the score -17 | 100.400.142 | -17   | a denial |
      | accepts | the score 42                  | 000.100.110 | 42    | a score  |

Feature: Asynchronous payments
  Some brands ask the shopper on pages of their own. The payment is pending until he has been there.

  @req:ASYNC-01 @req:STATE-01 @decision:D-54
  Scenario Outline: A brand with pages of its own leaves the payment pending, and says where to go
    When the merchant debits 92.00 EUR by way of <brand>
    Then the payment is pending
    And the answer says where the shopper goes
    And the answer shows paymentBrand "<brand>"
    And the answer shows amount "92.00"

    Examples:
      | brand   | why                      |
      | EPS     | a transfer from a bank   |
      | GIROPAY | another one              |
      | IDEAL   | one where banks are named |

  @req:ASYNC-01 @req:STATE-01 @decision:D-54
  Scenario: An authorisation may be asynchronous too
    When the merchant authorises 92.00 EUR by way of EPS
    Then the payment is pending
    And the answer says where the shopper goes

  @req:ASYNC-01
  Scenario: A payment by card sends the shopper nowhere
    When the merchant debits 92.00 EUR with shopperResultUrl "https://shop.example/done"
    Then the payment succeeds
    And the answer shows no redirect

  @req:ASYNC-01 @decision:D-54
  Scenario: Who is sent away has to come back
    When the merchant debits 92.00 EUR by way of EPS without a way back
    Then the request is refused, naming shopperResultUrl
    And shopperResultUrl is explained by "must be present so the shopper's browser can be redirected back to you"

  @req:ASYNC-01 @decision:D-136
  Scenario Outline: A way back that no browser may take is refused
    When the merchant debits 92.00 EUR by way of EPS with the way back "<address>"
    Then the request is refused, naming shopperResultUrl

    Examples:
      | address                 | why                          |
      | shop.example/done       | it does not say how to travel |
      | javascript://shop/alert | it is a script               |

  @req:ASYNC-01 @decision:D-139
  Scenario: Where the merchant pays alone the shopper is sent nowhere
    When the merchant debits 92.00 EUR by way of EPS in a series, without a way back
    Then the answer shows no redirect
    And nobody asks for shopperResultUrl

  @req:STATE-01 @decision:D-137
  Scenario Outline: What the shopper does over there decides the payment
    Given a debit of 92.00 EUR by way of EPS
    And the shopper <does> over there
    When the merchant reads it
    Then the answer shows result.code "<code>"
    And the answer is about it

    Examples:
      | does               | code        | why                                |
      | pays               | 000.100.110 | the acquirer takes it              |
      | cancels            | 100.396.101 | nothing is taken                   |
      | fails              | 100.396.104 | the bank lets nobody know          |
      | leaves             | 000.200.000 | nobody knows whether he comes back |
      | pays, then cancels | 000.100.110 | the first choice is the choice     |
      | cancels, then pays | 100.396.101 | the first choice is the choice     |

  @req:ASYNC-01 @decision:D-138
  Scenario Outline: The shopper comes back to the shop with id, resourcePath and the shop's own query
    Given a debit of 92.00 EUR by way of EPS
    When the shopper <does> over there
    Then he is back at the shop, with id and resourcePath of the payment

    Examples:
      | does    | why                                 |
      | pays    | the shop will find a success        |
      | cancels | the shop will find a failure        |
      | leaves  | the shop will find nothing is known |

  @req:ASYNC-01 @decision:D-138
  Scenario: What the shop was told leads it to the result
    Given a debit of 92.00 EUR by way of EPS
    And the shopper pays over there
    When the merchant asks where the shopper's browser was told to
    Then the payment succeeds
    And the answer is about it

  @req:STATE-01 @decision:D-54
  Scenario: A payment that is settled sends nobody away any more
    Given a debit of 92.00 EUR by way of EPS
    And the shopper pays over there
    When the merchant reads it
    Then the answer shows no redirect

  @req:ERR-02 @needs:scripts @decision:D-54
  Scenario Outline: A scripted shopper is sent back as soon as he arrives
    Given the shopper <does> as soon as he arrives over there
    And a debit of 92.00 EUR by way of EPS
    When the shopper arrives over there
    Then he is sent back at once, by a temporary redirect
    And he is back at the shop, with id and resourcePath of the payment

    Examples:
      | does    | why                      |
      | pays    | no browser is needed     |
      | cancels | nor for a failure        |
      | leaves  | nor for nothing at all   |

  @req:STATE-01 @needs:scripts @decision:D-54
  Scenario: Once the shopper has paid the acquirer may still decline
    Given the acquirer declines every payment with 800.100.155
    And a debit of 92.00 EUR by way of EPS
    And the shopper pays over there
    When the merchant reads it
    Then the payment is declined with 800.100.155

  @req:STATE-01 @needs:scripts @needs:clock @decision:D-54
  Scenario: An acquirer that takes a minute needs no shopper
    Given the clock stands still
    And the acquirer approves 1 payment after a minute
    And a debit of 92.00 EUR by way of EPS
    And 1 minute passes
    When the merchant reads it
    Then the payment succeeds

  @req:STATE-01 @needs:scripts @decision:D-54
  Scenario: The tester ends what the shopper has not
    Given a debit of 92.00 EUR by way of EPS
    And the tester ends it as a failure
    And the shopper pays over there
    When the merchant reads it
    Then the answer shows result.code "800.100.152"

  @req:STATE-01 @needs:clock @decision:D-47
  Scenario: A shopper who never comes back is waited for thirty minutes
    Given the clock stands still
    And a debit of 92.00 EUR by way of EPS
    And the shopper leaves over there
    And 30 minutes pass
    When the merchant reads it
    Then the answer shows result.code "100.396.103"

  @req:SVC-16 @needs:webhooks @needs:control @decision:D-138
  Scenario: The result of a redirected payment is called to the address it named
    Given a debit of 92.00 EUR by way of EPS whose result goes to the receiver
    When the shopper pays over there
    Then the receiver was asked for the result, with id and resourcePath of the payment

  @req:SVC-24 @needs:inbox @decision:D-80
  Scenario: A redirected payment is told of when it begins and when it ends
    Given the merchant listens
    And a debit of 92.00 EUR by way of EPS
    When the shopper pays over there
    Then 2 notifications have arrived

  @req:HOST-01 @needs:live @decision:D-135
  Scenario: On the live host the shopper stays on the live host
    When the merchant debits 92.00 EUR by way of EPS on the live host
    Then the shopper goes to an address of the live host

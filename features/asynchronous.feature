Feature: Asynchronous payments
  Redirect brands send the shopper to a page of the bank. The payment is pending until the shopper
  has decided there.

  @req:ASYNC-01 @req:STATE-01 @req:SVC-16 @needs:brands
  Scenario Outline: A payment by a redirect brand is pending and redirects the shopper
    When the merchant debits 92.00 EUR through <brand>
    Then the payment is pending
    And the response redirects the shopper
    And the response shows paymentBrand "<brand>"
    And the response shows amount "92.00"

    Examples:
      | brand   | why                          |
      | EPS     | a bank transfer              |
      | GIROPAY | another bank transfer        |
      | IDEAL   | a brand with a list of banks |

  @req:ASYNC-01 @req:STATE-01 @needs:brands
  Scenario: An authorization may be asynchronous
    When the merchant authorizes 92.00 EUR through EPS
    Then the payment is pending
    And the response redirects the shopper

  @req:ASYNC-01
  Scenario: A card payment does not redirect the shopper
    When the merchant debits 92.00 EUR with shopperResultUrl "https://shop.example/done"
    Then the payment succeeds
    And the response shows no redirect

  @req:ASYNC-01 @needs:brands @code:D-54
  Scenario: A redirected payment requires a shopperResultUrl
    When the merchant debits 92.00 EUR through EPS without shopperResultUrl
    Then the request is refused, naming shopperResultUrl
    And the error of shopperResultUrl has a message with "must be present so the shopper's browser can be redirected back to you"

  @req:ASYNC-01 @decision:D-136
  Scenario Outline: A shopperResultUrl that is not an http or https address is refused
    When the merchant debits 92.00 EUR through EPS with shopperResultUrl "<address>"
    Then the request is refused, naming shopperResultUrl

    Examples:
      | address                 | why              |
      | shop.example/done       | it has no scheme |
      | javascript://shop/alert | it is a script   |

  @req:ASYNC-01 @decision:D-139
  Scenario: A recurring payment by a redirect brand does not redirect the shopper
    When the merchant debits 92.00 EUR through EPS as a recurring payment without shopperResultUrl
    Then the response shows no redirect
    And the response does not require shopperResultUrl

  @req:STATE-01 @decision:D-137
  Scenario Outline: The shopper's choice on the redirect page decides the payment
    Given a debit of 92.00 EUR through EPS
    And the shopper <does> on the redirect page
    When the merchant reads it
    Then the response shows result.code "<code>"
    And the response has the id of the payment

    Examples:
      | does               | code        | why                            |
      | pays               | 000.100.110 | the acquirer approves          |
      | cancels            | 100.396.101 | nothing is debited             |
      | fails              | 100.396.104 | the bank reports an error      |
      | leaves             | 000.200.000 | the shopper may still return   |
      | pays, then cancels | 000.100.110 | the first choice is the choice |
      | cancels, then pays | 100.396.101 | the first choice is the choice |

  @req:ASYNC-01 @decision:D-138
  Scenario Outline: The shopper returns to the shop with id, resourcePath and the shop's own query
    Given a debit of 92.00 EUR through EPS
    When the shopper <does> on the redirect page
    Then the shopper returns to the shop with id and resourcePath of the payment

    Examples:
      | does    | why             |
      | pays    | a success       |
      | cancels | a failure       |
      | leaves  | no decision yet |

  @req:ASYNC-01 @decision:D-138
  Scenario: The resourcePath of the redirect leads to the result
    Given a debit of 92.00 EUR through EPS
    And the shopper pays on the redirect page
    When the merchant reads the resourcePath of the redirect
    Then the payment succeeds
    And the response has the id of the payment

  @req:STATE-01 @needs:brands
  Scenario: A final payment does not redirect the shopper
    Given a debit of 92.00 EUR through EPS
    And the shopper pays on the redirect page
    When the merchant reads it
    Then the response shows no redirect

  @req:ERR-02 @needs:scripts @decision:D-54
  Scenario Outline: A scripted shopper is returned as soon as the redirect page opens
    Given the shopper <does> as soon as the redirect page opens
    And a debit of 92.00 EUR through EPS
    When the shopper opens the redirect page
    Then the shopper is returned at once, by a temporary redirect
    And the shopper returns to the shop with id and resourcePath of the payment

    Examples:
      | does    | why                           |
      | pays    | a success without a browser   |
      | cancels | a failure without a browser   |
      | leaves  | no decision without a browser |

  @req:STATE-01 @needs:scripts @decision:D-54
  Scenario: The acquirer may decline after the shopper has paid
    Given the acquirer declines every payment with 800.100.155
    And a debit of 92.00 EUR through EPS
    And the shopper pays on the redirect page
    When the merchant reads it
    Then the payment is declined with 800.100.155

  @req:STATE-01 @needs:scripts @needs:clock @decision:D-54
  Scenario: A scripted approval after a minute needs no shopper
    Given the sandbox clock is frozen
    And the acquirer approves 1 payment after a minute
    And a debit of 92.00 EUR through EPS
    And 1 minute passes
    When the merchant reads it
    Then the payment succeeds

  @req:STATE-01 @needs:scripts @decision:D-54
  Scenario: The tester completes a payment that the shopper has not completed
    Given a debit of 92.00 EUR through EPS
    And the tester completes the payment with a failure
    And the shopper pays on the redirect page
    When the merchant reads it
    Then the response shows result.code "800.100.152"

  @req:STATE-01 @needs:clock @decision:D-47 @pattern:limit
  Scenario: A redirected payment expires after 30 minutes
    Given the sandbox clock is frozen
    And a debit of 92.00 EUR through EPS
    And the shopper leaves on the redirect page
    And 30 minutes pass
    When the merchant reads it
    Then the response shows result.code "100.396.103"

  @req:SVC-16 @needs:webhooks @needs:control @decision:D-138 @req:ASYNC-02
  Scenario Outline: The notificationUrl of a redirected payment is called with its result
    Given a debit of 92.00 EUR through EPS with the receiver as notificationUrl
    When the shopper <does> on the redirect page
    Then the receiver is called with id and resourcePath of the payment

    Examples:
      | does    | why             |
      | pays    | a success       |
      | cancels | nothing is paid |
      | fails   | the bank fails  |

  @req:SVC-16 @needs:webhooks @needs:control @decision:D-138 @req:ASYNC-02 @pattern:limit
  Scenario Outline: The longest notificationUrl is called like any other
    Given a debit of 92.00 EUR through EPS with a notificationUrl of <length> characters
    When the shopper pays on the redirect page
    Then the receiver has received 1 notification

    Examples:
      | length | why               |
      | 2047   | one less          |
      | 2048   | the longest taken |

  @req:SVC-16 @req:ASYNC-01 @decision:D-135
  Scenario Outline: A browser takes the shopper back to the whole address of the shop
    Given a debit of 92.00 EUR through EPS with shopperResultUrl "<address>"
    When the shopper pays on the redirect page in a browser
    Then the page takes the browser to "<address>" with id and resourcePath of the payment

    Examples:
      | address                                  | why                |
      | https://shop.example/done                | no query           |
      | https://shop.example/done?order=47&x=1   | a query of its own |
      | https://shop.example/done?order=47#paid  | a fragment         |
      | https://shop.example/done#paid           | a fragment alone   |

  @req:SVC-24 @needs:inbox @decision:D-80
  Scenario: A redirected payment is notified when it starts and when it is final
    Given the merchant has a webhook endpoint
    And a debit of 92.00 EUR through EPS
    When the shopper pays on the redirect page
    Then 2 notifications have arrived

  @req:HOST-01 @needs:live @decision:D-135
  Scenario: The live host redirects the shopper to the live host
    When the merchant debits 92.00 EUR through EPS on the live host
    Then the shopper goes to an address of the live host

  @req:ASYNC-01 @decision:D-137
  Scenario: The redirect page says what the shopper may do
    Given a debit of 92.00 EUR through EPS
    When the shopper opens the redirect page
    Then the redirect page offers to pay, to cancel, to fail and to leave

  @req:ASYNC-01 @req:TRN-04 @decision:D-137
  Scenario: A redirect page opens under its own address alone
    Given a debit of 92.00 EUR through EPS
    When the shopper opens the redirect page under another address
    Then the redirect page is not found

Feature: 3-D Secure
  Where a channel requires it, the issuer authenticates the shopper before the payment is sent to the
  acquirer.

  @req:TDS-07 @needs:control @decision:D-193
  Scenario Outline: A payment without a challenge is final at once
    Given a merchant whose channel requires 3-D Secure version 2
    When the shopper pays 92.00 EUR by the card <number>
    Then the payment succeeds
    And the response shows threeDSecure.flow "frictionless"
    And the response shows threeDSecure.authenticationStatus "<status>"
    And the response shows threeDSecure.eci "<eci>"
    And the acquirer received threeDSecure.verificationId

    Examples:
      | number           | status | eci | why           |
      | 4200000000000026 | Y      | 05  | authenticated |
      | 4200000000000059 | A      | 06  | attempted     |

  @req:TDS-07 @needs:control @decision:D-195
  Scenario Outline: A card that its issuer does not authenticate is declined
    Given a merchant whose channel requires 3-D Secure version 2
    When the shopper pays 92.00 EUR by the card <number>
    Then the payment is declined with <code>
    And the response shows no redirect

    Examples:
      | number           | code        | why                           |
      | 4012001037461114 | 100.390.112 | a technical error             |
      | 4012001037141112 | 100.390.109 | it is not enrolled            |
      | 4532497088771651 | 100.390.109 | the card does not participate |
      | 4200000000000000 | 100.390.109 | not a test card               |

  @req:TDS-07 @needs:control @decision:D-194
  Scenario Outline: A card whose issuer requires a challenge leaves the payment pending
    Given a merchant whose channel requires 3-D Secure version 2
    When the shopper pays 92.00 EUR by the card <number>
    Then the payment is pending
    And the response redirects the shopper to the issuer

    Examples:
      | number           | why                       |
      | 4200000000000018 | a challenge               |
      | 4200000000000042 | a 3DS Method call         |
      | 4200000000000091 | a 3DS Method call         |
      | 4711100000000000 | a card of version 1       |
      | 4012888888881881 | another card of version 1 |

  @req:TDS-07 @req:ASYNC-01 @needs:control
  Scenario: A challenge requires a shopperResultUrl
    Given a merchant whose channel requires 3-D Secure version 2
    When the shopper pays 92.00 EUR by the card 4200000000000018 without shopperResultUrl
    Then the request is refused, naming shopperResultUrl
    And the error of shopperResultUrl has a message with "must be present so the shopper's browser can be redirected back to you"

  @req:TDS-07 @needs:control @decision:D-194
  Scenario Outline: The result of the challenge decides the payment
    Given a merchant whose channel requires 3-D Secure version 2
    And a 3-D Secure debit of 92.00 EUR by the card 4200000000000018
    And the shopper <does> at the issuer
    When the merchant reads it
    Then the response shows result.code "<code>"
    And the response shows threeDSecure.authenticationStatus "<status>"
    And the response shows no redirect

    Examples:
      | does     | code        | status | why                 |
      | approves | 000.100.110 | Y      | authenticated       |
      | declines | 100.380.401 | N      | not authenticated   |
      | cancels  | 100.390.124 | N      | the shopper cancels |

  @req:TDS-07 @needs:control @decision:D-194
  Scenario: The shopper returns from the issuer to the shop
    Given a merchant whose channel requires 3-D Secure version 2
    And a 3-D Secure debit of 92.00 EUR by the card 4200000000000018
    When the shopper approves at the issuer
    Then the shopper returns to the shop with id and resourcePath of the payment

  @req:TDS-07 @needs:control @decision:D-194
  Scenario Outline: A 3DS Method call may make the challenge unnecessary
    Given a merchant whose channel requires 3-D Secure version 2
    And a 3-D Secure debit of 92.00 EUR by the card <number>
    And the browser calls the ACS in a hidden frame
    And the shopper <does> at the issuer
    When the merchant reads it
    Then the payment succeeds
    And the response shows threeDSecure.flow "<flow>"

    Examples:
      | number           | does     | flow         | why                               |
      | 4200000000000091 | arrives  | frictionless | the browser data suffices         |
      | 4200000000000042 | approves | challenge    | the browser data does not suffice |

  @req:TDS-05 @needs:control @decision:D-196
  Scenario Outline: The authenticated amount is risk.amount where it is sent
    Given a merchant whose channel requires 3-D Secure version 2
    When the shopper pays 92.00 EUR by the card 4200000000000026 with <name> "<value>"
    Then the issuer received the amount <minor>

    Examples:
      | name        | value  | minor | why                     |
      | risk.amount | 100.01 | 10001 | risk.amount is sent     |
      | amount      | 92.00  | 9200  | risk.amount is not sent |

  @req:TDS-03 @needs:control @decision:D-196
  Scenario: The issuer receives the requestor id of the scheme
    Given a merchant whose channel requires 3-D Secure version 2
    When the shopper pays 92.00 EUR by the card 4200000000000026 with threeDSecure.v2.visa.requestorId "shop-4711"
    Then the issuer received the requestor "shop-4711"

  @req:TDS-04 @req:TDS-07 @needs:control @decision:D-196
  Scenario Outline: The merchant may request a challenge or an exemption
    Given a merchant whose channel requires 3-D Secure version 2
    When the shopper pays 92.00 EUR by the card <number> with <name> "<value>"
    Then the response shows threeDSecure.flow "<flow>"

    Examples:
      | number           | name                            | value | flow         | why                   |
      | 4200000000000026 | threeDSecure.challengeIndicator | 04    | challenge    | demanded              |
      | 4200000000000018 | threeDSecure.challengeIndicator | 05    | frictionless | the risk was analyzed |
      | 4200000000000018 | threeDSecure.exemptionFlag      | 01    | frictionless | an exemption          |

  @req:TDS-07 @needs:control @needs:clock @decision:D-195
  Scenario: A challenge without a result times out after ten minutes
    Given a merchant whose channel requires 3-D Secure version 2
    And the sandbox clock is frozen
    And a 3-D Secure debit of 92.00 EUR by the card 4200000000000018
    And 11 minutes pass
    When the merchant reads it
    Then the response shows result.code "100.390.124"
    And the acquirer received no request

  @req:TDS-01 @needs:control @decision:D-193
  Scenario: A payment with an external authentication is not authenticated again
    Given a merchant whose channel requires 3-D Secure version 2
    When the merchant debits 92.00 EUR with
      | threeDSecure.eci                  | 05                           |
      | threeDSecure.verificationId       | AAABBWFlmQAAAABjRWWZEEFgFz8= |
      | threeDSecure.enrollmentStatus     | Y                            |
      | threeDSecure.authenticationStatus | Y                            |
    Then the payment succeeds
    And the acquirer received threeDSecure.eci

  @req:TDS-07 @needs:control @decision:D-195
  Scenario Outline: An authentication without a payment shows its result
    Given a merchant whose channel requires 3-D Secure version 2
    When the merchant authenticates the shopper by the card <number>
    Then the response shows result.code "<code>"

    Examples:
      | number           | code        | why                     |
      | 4200000000000026 | 000.400.110 | without a challenge     |
      | 4012001036275556 | 000.200.000 | a challenge is required |
      | 4200000000000000 | 000.400.109 | not a test card         |
      | 4012001037461114 | 000.400.103 | a technical error       |

  @req:TDS-07 @needs:control @needs:scripts @decision:D-197
  Scenario Outline: A faulty ACS response never charges the card
    Given a merchant whose channel requires 3-D Secure version 2
    And the ACS has the fault <fault>
    When the shopper pays 92.00 EUR by the card 4200000000000018 and approves the challenge
    Then the response shows result.code "<code>"
    And the acquirer received no request

    Examples:
      | fault           | code        | why                                |
      | bad_signature   | 100.390.112 | the signature is invalid           |
      | wrong_id        | 100.390.117 | it is about another authentication |
      | tampered_status | 100.390.117 | ACS and browser disagree           |
      | late            | 000.200.000 | the result has not arrived yet     |
      | reject          | 100.390.118 | suspected fraud                    |

  @req:TDS-07 @needs:control @needs:scripts @decision:D-197
  Scenario: An authentication result that arrives twice charges the card once
    Given a merchant whose channel requires 3-D Secure version 2
    And the ACS has the fault replay
    When the shopper pays 92.00 EUR by the card 4200000000000018 and approves the challenge
    Then the response shows result.code "000.100.110"
    And the acquirer received one request

  @req:TDS-07 @needs:control @needs:scripts @needs:clock @decision:D-197
  Scenario: An authentication result after the payment expired does not charge the card
    Given a merchant whose channel requires 3-D Secure version 2
    And the sandbox clock is frozen
    And the ACS has the fault late
    And a 3-D Secure debit of 92.00 EUR by the card 4200000000000018
    And the shopper approves at the issuer
    And 41 minutes pass
    When the merchant reads it
    Then the response shows result.code "100.396.103"

  @req:TDS-07 @decision:D-195
  Scenario: An authentication on a channel without 3-D Secure is refused
    When the merchant authenticates the shopper by the card 4012001036275556
    Then the payment is refused with 000.400.104

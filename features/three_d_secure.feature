Feature: 3-D Secure
  Where a channel is set up for it, the shopper's bank says whether it is him before the acquirer is
  asked.

  @req:TDS-07 @needs:control @decision:D-193
  Scenario Outline: Without a challenge the payment is final at once
    Given a merchant whose channel asks by 3-D Secure version 2
    When the shopper debits 92.00 EUR by the card <number>
    Then the payment succeeds
    And the answer shows threeDSecure.flow "frictionless"
    And the answer shows threeDSecure.authenticationStatus "<status>"
    And the answer shows threeDSecure.eci "<eci>"
    And the acquirer was told of threeDSecure.verificationId

    Examples:
      | number           | status | eci | why           |
      | 4200000000000026 | Y      | 05  | authenticated |
      | 4200000000000059 | A      | 06  | attempted     |

  @req:TDS-07 @needs:control @decision:D-195
  Scenario Outline: A card that its bank does not vouch for is declined
    Given a merchant whose channel asks by 3-D Secure version 2
    When the shopper debits 92.00 EUR by the card <number>
    Then the payment is declined with <code>
    And the answer shows no redirect

    Examples:
      | number           | code        | why                   |
      | 4012001037461114 | 100.390.112 | a technical error     |
      | 4012001037141112 | 100.390.109 | it is not enrolled    |
      | 4532497088771651 | 100.390.109 | it takes no part      |
      | 4200000000000000 | 100.390.109 | it stands on no list  |

  @req:TDS-07 @needs:control @decision:D-194
  Scenario Outline: A card whose bank asks the shopper leaves the payment pending
    Given a merchant whose channel asks by 3-D Secure version 2
    When the shopper debits 92.00 EUR by the card <number>
    Then the payment is pending
    And the answer says where the shopper is authenticated

    Examples:
      | number           | why                           |
      | 4200000000000018 | a challenge                   |
      | 4200000000000042 | the bank looks at the browser |
      | 4200000000000091 | the bank looks at the browser |
      | 4711100000000000 | a card of version 1           |
      | 4012888888881881 | another one                   |

  @req:TDS-07 @req:ASYNC-01 @needs:control
  Scenario: Who is asked has to come back
    Given a merchant whose channel asks by 3-D Secure version 2
    When the shopper debits 92.00 EUR by the card 4200000000000018 without a way back
    Then the request is refused, naming shopperResultUrl
    And shopperResultUrl is explained by "must be present so the shopper's browser can be redirected back to you"

  @req:TDS-07 @needs:control @decision:D-194
  Scenario Outline: What the shopper does at his bank decides the payment
    Given a merchant whose channel asks by 3-D Secure version 2
    And a secured debit of 92.00 EUR by the card 4200000000000018
    And the shopper <does> at his bank
    When the merchant reads it
    Then the answer shows result.code "<code>"
    And the answer shows threeDSecure.authenticationStatus "<status>"
    And the answer shows no redirect

    Examples:
      | does     | code        | status | why                     |
      | approves | 000.100.110 | Y      | it is him               |
      | declines | 100.380.401 | N      | it is not               |
      | cancels  | 100.390.124 | N      | he does not want to say |

  @req:TDS-07 @needs:control @decision:D-194
  Scenario: From his bank the shopper comes back to the shop
    Given a merchant whose channel asks by 3-D Secure version 2
    And a secured debit of 92.00 EUR by the card 4200000000000018
    When the shopper approves at his bank
    Then he is back at the shop, with id and resourcePath of the payment

  @req:TDS-07 @needs:control @decision:D-194
  Scenario Outline: A bank that looks at the browser first may need no challenge
    Given a merchant whose channel asks by 3-D Secure version 2
    And a secured debit of 92.00 EUR by the card <number>
    And the browser calls the bank in a hidden frame
    And the shopper <does> at his bank
    When the merchant reads it
    Then the payment succeeds
    And the answer shows threeDSecure.flow "<flow>"

    Examples:
      | number           | does     | flow         | why                |
      | 4200000000000091 | arrives  | frictionless | the bank saw enough |
      | 4200000000000042 | approves | challenge    | it did not         |

  @req:TDS-05 @needs:control @decision:D-196
  Scenario Outline: The amount that is authenticated is risk.amount where it is sent
    Given a merchant whose channel asks by 3-D Secure version 2
    When the shopper debits 92.00 EUR by the card 4200000000000026 with <name> "<value>"
    Then the bank was told of the amount <minor>

    Examples:
      | name        | value  | minor | why                |
      | risk.amount | 100.01 | 10001 | it was sent        |
      | amount      | 92.00  | 9200  | nothing else was   |

  @req:TDS-03 @needs:control @decision:D-196
  Scenario: The schemes know the merchant by names of their own
    Given a merchant whose channel asks by 3-D Secure version 2
    When the shopper debits 92.00 EUR by the card 4200000000000026 with threeDSecure.v2.visa.requestorId "shop-4711"
    Then the bank was told of the requestor "shop-4711"

  @req:TDS-04 @req:TDS-07 @needs:control @decision:D-196
  Scenario Outline: The merchant may wish for a challenge, or for none
    Given a merchant whose channel asks by 3-D Secure version 2
    When the shopper debits 92.00 EUR by the card <number> with <name> "<value>"
    Then the answer shows threeDSecure.flow "<flow>"

    Examples:
      | number           | name                            | value | flow         | why                |
      | 4200000000000026 | threeDSecure.challengeIndicator | 04    | challenge    | demanded           |
      | 4200000000000018 | threeDSecure.challengeIndicator | 05    | frictionless | the risk is judged |
      | 4200000000000018 | threeDSecure.exemptionFlag      | 01    | frictionless | an exemption       |

  @req:TDS-07 @needs:control @needs:clock @decision:D-195
  Scenario: A challenge that nobody ends is over after ten minutes
    Given a merchant whose channel asks by 3-D Secure version 2
    And the clock stands still
    And a secured debit of 92.00 EUR by the card 4200000000000018
    And 11 minutes pass
    When the merchant reads it
    Then the answer shows result.code "100.390.124"
    And the acquirer was never asked

  @req:TDS-01 @needs:control @decision:D-193
  Scenario: Who was authenticated elsewhere is not asked again
    Given a merchant whose channel asks by 3-D Secure version 2
    When the merchant debits 92.00 EUR with
      | threeDSecure.eci                  | 05                           |
      | threeDSecure.verificationId       | AAABBWFlmQAAAABjRWWZEEFgFz8= |
      | threeDSecure.enrollmentStatus     | Y                            |
      | threeDSecure.authenticationStatus | Y                            |
    Then the payment succeeds
    And the acquirer was told of threeDSecure.eci

  @req:TDS-07 @needs:control @decision:D-195
  Scenario Outline: An authentication alone tells whether it is him
    Given a merchant whose channel asks by 3-D Secure version 2
    When the shopper is authenticated by the card <number>
    Then the answer shows result.code "<code>"

    Examples:
      | number           | code        | why                         |
      | 4200000000000026 | 000.400.110 | without a challenge         |
      | 4012001036275556 | 000.200.000 | his bank asks him           |
      | 4200000000000000 | 000.400.109 | it stands on no list        |
      | 4012001037461114 | 000.400.103 | a technical error           |

  @req:TDS-07 @needs:control @needs:scripts @decision:D-197
  Scenario Outline: What goes wrong at the bank never charges the card
    Given a merchant whose channel asks by 3-D Secure version 2
    And the bank answers with <fault>
    When the shopper debits 92.00 EUR by the card 4200000000000018 and approves
    Then the answer shows result.code "<code>"
    And the acquirer was never asked

    Examples:
      | fault           | code        | why                                  |
      | bad_signature   | 100.390.112 | nobody knows who wrote it            |
      | wrong_id        | 100.390.117 | it is about another authentication   |
      | tampered_status | 100.390.117 | bank and browser do not say the same |
      | late            | 000.200.000 | its answer has not come yet          |
      | reject          | 100.390.118 | it suspects fraud                    |

  @req:TDS-07 @needs:control @needs:scripts @decision:D-197
  Scenario: A result that comes twice charges the card once
    Given a merchant whose channel asks by 3-D Secure version 2
    And the bank answers with replay
    When the shopper debits 92.00 EUR by the card 4200000000000018 and approves
    Then the answer shows result.code "000.100.110"
    And the acquirer was asked once

  @req:TDS-07 @needs:control @needs:scripts @needs:clock @decision:D-197
  Scenario: A result that comes after the payment expired charges nothing
    Given a merchant whose channel asks by 3-D Secure version 2
    And the clock stands still
    And the bank answers with late
    And a secured debit of 92.00 EUR by the card 4200000000000018
    And the shopper approves at his bank
    And 41 minutes pass
    When the merchant reads it
    Then the answer shows result.code "100.396.103"

Feature: Mobile wallets
  A shopper pays by a wallet. The shop sends the wallet's token as it is, or what it decrypted itself.

  @req:SVC-03 @req:WAL-01
  Scenario: Data that the merchant decrypted itself pay like a card
    When the merchant debits 92.00 EUR by decrypted wallet data
    Then the payment succeeds
    And the answer shows threeDSecure.eci "05"

  @req:SVC-02 @needs:control
  Scenario Outline: A token pays like the card in it
    Given a wallet token of <protocol> for 92.00 EUR
    When the merchant debits 92.00 EUR by the token
    Then the payment succeeds
    And the answer shows paymentBrand "VISA"
    And the answer shows card.last4Digits "0000"

    Examples:
      | protocol | why                    |
      | EC_v1    | signed by certificates |
      | ECv2     | signed by keys         |

  @req:SVC-02 @needs:control @decision:D-153
  Scenario Outline: A token pays once
    Given a wallet token of <protocol> for 92.00 EUR
    And a debit of 92.00 EUR by the token
    When the merchant debits 92.00 EUR by the token
    Then the payment is refused with 200.100.602

    Examples:
      | protocol | why                    |
      | EC_v1    | signed by certificates |
      | ECv2     | signed by keys         |

  @req:SVC-02 @needs:control @decision:D-151
  Scenario Outline: A token that anything is wrong with pays nothing
    Given a wallet token of <protocol> for 92.00 EUR with <fault>
    When the merchant debits 92.00 EUR by the token
    Then the payment is refused with <code>

    Examples:
      | protocol | fault                              | code        | why                  |
      | EC_v1    | a wrong signature                  | 200.100.602 | it was forged        |
      | EC_v1    | an expired certificate             | 200.100.602 | nobody vouches now   |
      | EC_v1    | a certificate of another authority | 200.100.602 | nobody we know       |
      | EC_v1    | another recipient                  | 200.100.603 | it is for others     |
      | EC_v1    | an old date                        | 200.100.602 | it may be a replay   |
      | ECv2     | a wrong signature                  | 200.100.602 | it was forged        |
      | ECv2     | an expired certificate             | 200.100.602 | the key has run out  |
      | ECv2     | another recipient                  | 200.100.603 | it is for others     |

  @req:SVC-02 @needs:control @decision:D-153
  Scenario: A token is good for the amount the shopper agreed to
    Given a wallet token of EC_v1 for 92.00 EUR
    When the merchant debits 93.00 EUR by the token
    Then the payment is refused with 200.100.602

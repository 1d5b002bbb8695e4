Feature: Mobile wallets
  A shopper pays by a wallet. The merchant sends the wallet token, or the data decrypted from it.

  @req:SVC-03 @req:WAL-01
  Scenario: Wallet data decrypted by the merchant pays like a card
    When the merchant debits 92.00 EUR by decrypted wallet data
    Then the payment succeeds
    And the response shows threeDSecure.eci "05"

  @req:SVC-02 @needs:control
  Scenario Outline: A wallet token pays like the card in it
    Given a wallet token of <protocol> for 92.00 EUR
    When the merchant debits 92.00 EUR by the token
    Then the payment succeeds
    And the response shows paymentBrand "VISA"
    And the response shows card.last4Digits "0000"

    Examples:
      | protocol | why                    |
      | EC_v1    | signed by certificates |
      | ECv2     | signed by keys         |

  @req:SVC-02 @req:SVC-03 @req:WAL-01 @needs:control
  Scenario Outline: A wallet token needs nothing else where its source is sent
    Given a wallet token of <protocol> for 92.00 EUR
    When the merchant debits 92.00 EUR by the token with mobileWallet.source "<source>"
    Then the payment succeeds
    And the response shows paymentBrand "VISA"

    Examples:
      | protocol | source | why            |
      | EC_v1    | web    | in the browser |
      | EC_v1    | app    | in an app      |
      | ECv2     | web    | in the browser |
      | ECv2     | app    | in an app      |

  @req:SVC-02 @needs:control @decision:D-153
  Scenario Outline: A wallet token pays once
    Given a wallet token of <protocol> for 92.00 EUR
    And a debit of 92.00 EUR by the token
    When the merchant debits 92.00 EUR by the token
    Then the payment is refused with 200.100.602

    Examples:
      | protocol | why                    |
      | EC_v1    | signed by certificates |
      | ECv2     | signed by keys         |

  @req:SVC-02 @needs:control @decision:D-151
  Scenario Outline: An invalid wallet token is refused
    Given a wallet token of <protocol> for 92.00 EUR with <fault>
    When the merchant debits 92.00 EUR by the token
    Then the payment is refused with <code>

    Examples:
      | protocol | fault                              | code        | why                          |
      | EC_v1    | a wrong signature                  | 200.100.602 | a forged token               |
      | EC_v1    | an expired certificate             | 200.100.602 | the certificate is expired   |
      | EC_v1    | a certificate of another authority | 200.100.602 | an unknown authority         |
      | EC_v1    | another recipient                  | 200.100.603 | a token for another merchant |
      | EC_v1    | an old date                        | 200.100.602 | a possible replay            |
      | ECv2     | a wrong signature                  | 200.100.602 | a forged token               |
      | ECv2     | an expired certificate             | 200.100.602 | the key is expired           |
      | ECv2     | another recipient                  | 200.100.603 | a token for another merchant |

  @req:SVC-02 @needs:control @decision:D-153
  Scenario: A wallet token is valid for its own amount only
    Given a wallet token of EC_v1 for 92.00 EUR
    When the merchant debits 93.00 EUR by the token
    Then the payment is refused with 200.100.602

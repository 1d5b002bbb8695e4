Feature: Registrations
  A merchant stores the account of a shopper, and charges it again without asking for it.

  @req:SVC-11 @decision:D-119
  Scenario: A card is stored without a type and without an amount
    When the merchant stores a card
    Then the registration succeeds
    And the answer shows id as a payment id
    And the answer shows paymentBrand "VISA"
    And the answer shows card.last4Digits "0000"
    And the answer shows no paymentType
    And the answer shows no amount

  @req:SVC-11 @decision:D-119
  Scenario: A bank account is stored like a card
    When the merchant stores a bank account
    Then the registration succeeds
    And the answer shows bankAccount.holder "Jane Jones"

  @req:SVC-11 @decision:D-119
  Scenario: What is known of the shopper is stored with the card
    When the merchant stores a card with
      | customer.givenName | Jane  |
      | customer.surname   | Jones |
      | billing.city       | Graz  |
    Then the registration succeeds
    And the answer shows billing.city "Graz"

  @req:SVC-12 @req:TOK-01
  Scenario Outline: A payment leaves a registration where it is asked to
    When the merchant <pays> 92.00 EUR with createRegistration "true"
    Then the payment succeeds
    And the answer shows registrationId as a payment id

    Examples:
      | pays       | why                       |
      | authorises | money is reserved         |
      | debits     | money is taken            |
      | credits    | money goes to the shopper |

  @req:TOK-01
  Scenario: A payment leaves no registration where it is not asked to
    When the merchant debits 92.00 EUR with createRegistration "false"
    Then the payment succeeds
    And the answer shows no registrationId

  @req:SVC-13 @req:END-08 @decision:D-119
  Scenario Outline: A stored card is charged by its id
    Given a stored card
    When the merchant <pays> 9.90 EUR from it
    Then the payment succeeds
    And the answer names the registration that was used
    And the answer shows
      | paymentType      | <type> |
      | paymentBrand     | VISA   |
      | amount           | 9.90   |
      | card.last4Digits | 0000   |

    Examples:
      | pays       | type | why                       |
      | authorises | PA   | money is reserved         |
      | debits     | DB   | money is taken            |
      | credits    | CD   | money goes to the shopper |

  @req:SVC-13 @decision:D-119
  Scenario: A stored bank account is charged by its id
    Given a stored bank account
    When the merchant debits 9.90 EUR from it
    Then the payment succeeds
    And the answer shows paymentBrand "DIRECTDEBIT_SEPA"
    And the answer shows bankAccount.holder "Jane Jones"

  @req:SVC-13 @req:TOK-01 @decision:D-119
  Scenario: The registration that a payment left is charged again
    Given the registration that a payment left
    When the merchant debits 9.90 EUR from it
    Then the payment succeeds
    And the answer names the registration that was used

  @req:SVC-13 @decision:D-119
  Scenario: The code of a stored card may be sent, and another registration is never made
    Given a stored card
    When the merchant debits 9.90 EUR from it with
      | card.cvv           | 123  |
      | createRegistration | true |
    Then the payment succeeds
    And the answer names the registration that was used

  @req:TOK-02 @req:TOK-03 @decision:D-119
  Scenario: A holder fills an empty one, for that payment only
    Given a stored card without a holder
    When the merchant debits 9.90 EUR from it with
      | card.holder    | Ann Other |
      | overrideHolder | true      |
    Then the payment succeeds
    And the answer shows card.holder "Ann Other"
    And the registration still has no holder

  @req:TOK-02 @decision:D-119
  Scenario: A holder that is stored stays the holder
    Given a stored card
    When the merchant debits 9.90 EUR from it with
      | card.holder    | Ann Other |
      | overrideHolder | true      |
    Then the payment succeeds
    And the answer shows card.holder "Jane Jones"

  @req:TOK-02 @decision:D-119
  Scenario: A holder that is sent without the wish to override fills nothing
    Given a stored card without a holder
    When the merchant debits 9.90 EUR from it with
      | card.holder | Ann Other |
    Then the payment succeeds
    And the answer shows no card.holder

  @req:SVC-11 @decision:D-119
  Scenario: A registration is read as it was made
    Given a stored card
    When the merchant reads the registration
    Then the registration succeeds
    And the answer is about the registration
    And the answer shows card.last4Digits "0000"

  @req:SVC-13 @decision:D-119
  Scenario Outline: An id that names no registration is not found
    Given a registration <which>
    When the merchant debits 9.90 EUR from it
    Then it is not found, for <code>

    Examples:
      | which            | code        | why                        |
      | that nobody made | 100.150.200 | nothing has the id         |
      | of another form  | 100.150.101 | no registration can have it |

  @req:AUTH-06 @req:SVC-13 @needs:control @decision:D-119
  Scenario: Another merchant's registration cannot be charged
    Given a merchant with a neighbour
    And a stored card
    When the neighbour debits 9.90 EUR from it
    Then it is not found, for 100.150.200

  @req:AUTH-06 @needs:control @decision:D-119
  Scenario Outline: Another merchant's registration is not known
    Given a merchant with a neighbour
    And a stored card
    When the neighbour <does> the registration
    Then it is not found, for 100.150.200

    Examples:
      | does    | why                       |
      | reads   | it shows whose card it is |
      | removes | it would be gone          |

  @req:SVC-13 @needs:declines @decision:D-119
  Scenario: What a declined registration would have stored cannot be charged
    Given a registration that was declined
    When the merchant debits 9.90 EUR from it
    Then the payment is refused with 100.150.203

  @req:SVC-13 @decision:D-120
  Scenario: A removed registration cannot be charged
    Given a stored card
    And it is removed
    When the merchant debits 9.90 EUR from it
    Then the payment is refused with 100.150.202

  @req:SVC-13 @decision:D-120
  Scenario: A removed registration cannot be read
    Given a stored card
    And it is removed
    When the merchant reads the registration
    Then it is not found, for 100.150.202

  @req:SVC-13 @decision:D-120
  Scenario: A payment outlives the registration it was made with
    Given a stored card
    And a debit of 9.90 EUR from it
    When the merchant removes it
    Then the removal succeeds
    And the payment that was made with it can still be read

  @req:SVC-13 @decision:D-121
  Scenario: A renewed card is charged with its new expiry
    Given a stored card
    When the merchant changes it to
      | card.expiryMonth | 06   |
      | card.expiryYear  | 2098 |
    Then the change succeeds
    And the answer shows card.expiryYear "2098"

  @req:SVC-13 @needs:control @decision:D-122 @needs:clock
  Scenario Outline: A bank account is kept for 14 months after its last use
    Given a stored bank account
    And the clock stands still
    And <span> pass
    When the merchant reads the registration
    Then <end>

    Examples:
      | span     | end                            | why                   |
      | 420 days | the registration succeeds      | not yet 14 months     |
      | 432 days | it is not found, for 100.150.202 | more than 14 months |

  @req:SVC-13 @needs:control @decision:D-122 @needs:clock
  Scenario: A life that was extended goes on for 24 months more
    Given a stored bank account
    And its life is extended
    And the clock stands still
    And 1100 days pass
    When the merchant reads the registration
    Then the registration succeeds

  @req:SVC-13 @decision:D-122
  Scenario: A life is extended once
    Given a stored card
    And its life is extended
    When the merchant extends its life
    Then the request is refused with 100.150.206

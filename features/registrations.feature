Feature: Registrations
  A merchant stores the account of a shopper and charges it again without its number.

  @req:SVC-11 @code:D-119
  Scenario: A card is stored without a type and without an amount
    When the merchant stores a card
    Then the registration succeeds
    And the response shows id as a payment id
    And the response shows paymentBrand "VISA"
    And the response shows card.last4Digits "0000"
    And the response shows no paymentType
    And the response shows no amount

  @req:SVC-11 @needs:brands
  Scenario: A bank account is stored like a card
    When the merchant stores a bank account
    Then the registration succeeds
    And the response shows bankAccount.holder "Jane Jones"

  @req:SVC-11
  Scenario: Customer and address are stored with the card
    When the merchant stores a card with
      | customer.givenName | Jane  |
      | customer.surname   | Jones |
      | billing.city       | Graz  |
    Then the registration succeeds
    And the response shows billing.city "Graz"

  @req:SVC-12 @req:TOK-01
  Scenario Outline: A payment with createRegistration true creates a registration
    When the merchant <pays> 92.00 EUR with createRegistration "true"
    Then the payment succeeds
    And the response shows registrationId as a payment id

    Examples:
      | pays       | why                       |
      | authorizes | an authorization          |
      | credits    | money goes to the shopper |

  @req:TOK-01
  Scenario: A payment with createRegistration false creates no registration
    When the merchant debits 92.00 EUR with createRegistration "false"
    Then the payment succeeds
    And the response shows no registrationId

  @req:SVC-13 @req:END-08 @code:D-119
  Scenario Outline: A stored card is charged by its id
    Given a stored card
    When the merchant <pays> 9.90 EUR from the registration
    Then the payment succeeds
    And the response shows the registrationId of the registration
    And the response shows
      | paymentType      | <type> |
      | paymentBrand     | VISA   |
      | amount           | 9.90   |
      | card.last4Digits | 0000   |

    Examples:
      | pays       | type | why                       |
      | authorizes | PA   | an authorization          |
      | debits     | DB   | a sale                    |
      | credits    | CD   | money goes to the shopper |

  @req:SVC-13 @needs:brands
  Scenario: A stored bank account is charged by its id
    Given a stored bank account
    When the merchant debits 9.90 EUR from the registration
    Then the payment succeeds
    And the response shows paymentBrand "DIRECTDEBIT_SEPA"
    And the response shows bankAccount.holder "Jane Jones"

  @req:SVC-13 @req:TOK-01 @code:D-119
  Scenario: A registration created by a payment is charged by its id
    Given the registration created by a payment
    When the merchant debits 9.90 EUR from the registration
    Then the payment succeeds
    And the response shows the registrationId of the registration

  @req:SVC-13 @code:D-119
  Scenario: A payment from a registration may send the security code and creates no other registration
    Given a stored card
    When the merchant debits 9.90 EUR from the registration with
      | card.cvv           | 123  |
      | createRegistration | true |
    Then the payment succeeds
    And the response shows the registrationId of the registration

  @req:TOK-02 @req:TOK-03
  Scenario: A card holder fills an empty one for that payment only
    Given a stored card without a holder
    When the merchant debits 9.90 EUR from the registration with
      | card.holder    | Ann Other |
      | overrideHolder | true      |
    Then the payment succeeds
    And the response shows card.holder "Ann Other"
    And the registration still has no holder

  @req:TOK-02 @code:D-119
  Scenario: A stored card holder is not overridden
    Given a stored card
    When the merchant debits 9.90 EUR from the registration with
      | card.holder    | Ann Other |
      | overrideHolder | true      |
    Then the payment succeeds
    And the response shows card.holder "Jane Jones"

  @req:TOK-02 @code:D-119
  Scenario: A card holder without overrideHolder is ignored
    Given a stored card without a holder
    When the merchant debits 9.90 EUR from the registration with
      | card.holder | Ann Other |
    Then the payment succeeds
    And the response shows no card.holder

  @req:SVC-11
  Scenario: A registration is read as it was stored
    Given a stored card
    When the merchant reads the registration
    Then the registration succeeds
    And the response has the id of the registration
    And the response shows card.last4Digits "0000"

  @req:SVC-13 @req:SVC-04 @req:SVC-06 @req:VIRT-01
  Scenario Outline: Every stored account is charged again and again
    Given a stored <account>
    And a debit of 9.90 EUR from the registration
    When the merchant debits 12.00 EUR from the registration
    Then the payment succeeds
    And the response shows amount "12.00"
    And the response shows <path> "<value>"

    Examples:
      | account         | path                     | value            | why                |
      | card            | card.last4Digits         | 0000             | a card             |
      | bank account    | bankAccount.holder       | Jane Jones       | a bank account     |
      | virtual account | virtualAccount.accountId | jane@pay.example | a virtual account  |

  @req:SVC-13 @req:TOK-01 @decision:D-118
  Scenario Outline: A payment from a registration brings no account of its own
    Given a stored <account>
    When the merchant debits 9.90 EUR from the registration with
      | <name> | <value> |
    Then the request is refused, naming <name>

    Examples:
      | account         | name                     | value                  | why               |
      | card            | card.number              | 4200000000000000       | it has a number   |
      | card            | card.expiryMonth         | 05                     | it has a month    |
      | card            | card.expiryYear          | 2034                   | it has a year     |
      | bank account    | bankAccount.iban         | DE89370400440532013000 | it has an IBAN    |
      | virtual account | virtualAccount.accountId | joe@pay.example        | it has an account |

  @req:SVC-13 @code:D-119
  Scenario Outline: An unknown registration is not found
    Given a registration with <which>
    When the merchant debits 9.90 EUR from the registration
    Then the request is refused as not found with <code>

    Examples:
      | which          | code        | why                         |
      | an unknown id  | 100.150.200 | no registration has the id  |
      | a malformed id | 100.150.101 | no registration can have it |

  @req:AUTH-06 @req:SVC-13 @needs:other @code:D-119
  Scenario: Another merchant's registration cannot be charged
    Given two merchants of one sandbox
    And a stored card
    When the other merchant debits 9.90 EUR from the registration
    Then the request is refused as not found with 100.150.200

  @req:AUTH-06 @needs:other @code:D-119
  Scenario Outline: Another merchant's registration can be neither read nor deleted
    Given two merchants of one sandbox
    And a stored card
    When the other merchant <does> the registration
    Then the request is refused as not found with 100.150.200

    Examples:
      | does    | why               |
      | reads   | it shows the card |
      | deletes | it would be lost  |

  @req:SVC-13 @needs:declines @code:D-119
  Scenario: A declined registration cannot be charged
    Given a registration that was declined
    When the merchant debits 9.90 EUR from the registration
    Then the request is refused as not found with 100.150.203

  @req:SVC-13 @decision:D-120
  Scenario: A deleted registration cannot be charged
    Given a stored card
    And the registration is deleted
    When the merchant debits 9.90 EUR from the registration
    Then the payment is refused with 100.150.202

  @req:SVC-13 @decision:D-122
  Scenario: A deleted registration is not kept longer
    Given a stored card
    And the registration is deleted
    When the merchant extends its lifetime
    Then the request is refused with 100.350.316

  @req:SVC-13 @code:D-120
  Scenario: A deleted registration cannot be read
    Given a stored card
    And the registration is deleted
    When the merchant reads the registration
    Then the request is refused as not found with 100.150.202

  @req:SVC-13 @code:D-120
  Scenario: A payment can be read after its registration is deleted
    Given a stored card
    And a debit of 9.90 EUR from the registration
    When the merchant deletes the registration
    Then the deletion succeeds
    And the payment from the registration can still be read

  @req:SVC-13 @decision:D-121
  Scenario: A renewed card is charged with its new expiry
    Given a stored card
    When the merchant changes the registration to
      | card.expiryMonth | 06   |
      | card.expiryYear  | 2098 |
    Then the change succeeds
    And the response shows card.expiryYear "2098"

  @req:SVC-13 @req:RSP-03 @pattern:values
  Scenario: A renewed card keeps its holder
    Given a stored card with
      | card.holder | Jane Jones |
    When the merchant changes the registration to
      | card.expiryMonth | 06   |
      | card.expiryYear  | 2098 |
    Then the change succeeds
    And the response shows card.holder "Jane Jones"

  @req:SVC-13 @needs:control @decision:D-122 @needs:clock @pattern:limit
  Scenario Outline: A bank account is kept for 14 months after its last use
    Given a stored bank account
    And the sandbox clock is frozen
    And <span> pass
    When the merchant reads the registration
    Then <end>

    Examples:
      | span     | end                                                  | why                 |
      | 420 days | the registration succeeds                            | within 14 months    |
      | 432 days | the request is refused as not found with 100.150.202 | more than 14 months |

  @req:SVC-13 @needs:control @decision:D-122 @needs:clock @pattern:limit
  Scenario Outline: A card is kept for 14 months after it expires
    Given a stored card with
      | card.expiryMonth | 05   |
      | card.expiryYear  | 2034 |
    And the sandbox clock is frozen at "<instant>"
    When the merchant reads the registration
    Then <end>

    Examples:
      | instant              | end                                                  | why                     |
      | 2035-07-31T23:59:59Z | the registration succeeds                            | the last that holds     |
      | 2035-08-01T00:00:00Z | the request is refused as not found with 100.150.202 | the first that does not |

  @req:SVC-13 @needs:control @decision:D-122 @needs:clock @pattern:limit
  Scenario: An extended lifetime ends 24 months later
    Given a stored bank account
    And its lifetime is extended
    And the sandbox clock is frozen
    And 1100 days pass
    When the merchant reads the registration
    Then the registration succeeds

  @req:SVC-13 @decision:D-122
  Scenario: A lifetime is extended once
    Given a stored card
    And its lifetime is extended
    When the merchant extends its lifetime
    Then the request is refused with 100.150.206

  @req:VIRT-01 @req:SVC-13 @req:SVC-04 @pattern:place
  Scenario Outline: A stored virtual account pays by every type, with the id that was stored
    Given a stored virtual account
    When the merchant <pays> 9.90 EUR from the registration
    Then the payment succeeds
    And the response shows
      | paymentType              | <type>           |
      | paymentBrand             | VIRTUAL_ACCOUNT  |
      | virtualAccount.accountId | jane@pay.example |

    Examples:
      | pays       | type | why                       |
      | authorizes | PA   | an authorization          |
      | debits     | DB   | a sale                    |
      | credits    | CD   | money goes to the shopper |

  @req:VIRT-01 @req:SVC-12 @req:TOK-01 @pattern:values
  Scenario Outline: A virtual account that a payment stored pays again with its own id
    Given the registration of a payment with
      | card.number              |                 |
      | card.expiryMonth         |                 |
      | card.expiryYear          |                 |
      | card.cvv                 |                 |
      | card.holder              |                 |
      | paymentBrand             | VIRTUAL_ACCOUNT |
      | virtualAccount.accountId | <account>       |
    When the merchant debits 9.90 EUR from the registration
    Then the payment succeeds
    And the response shows virtualAccount.accountId "<account>"

    Examples:
      | account                     | why                 |
      | Jane.Jones+Shop@Pay.Example | capitals            |
      | 007                         | zeros before digits |
      | acc/47 ü                    | any characters      |

  @req:VIRT-01 @req:SVC-11
  Scenario: A stored virtual account is read with its id
    Given a stored virtual account
    When the merchant reads the registration
    Then the registration succeeds
    And the response shows virtualAccount.accountId "jane@pay.example"

  @req:VIRT-01 @req:SVC-09 @pattern:place
  Scenario: A stored virtual account pays in a checkout with its id
    Given a stored virtual account
    And a checkout for 92.00 EUR that offers the stored card
    When the shopper pays in the checkout by the stored card
    Then the payment succeeds
    And the response shows virtualAccount.accountId "jane@pay.example"

  @req:CUST-02 @req:SVC-13 @pattern:place @pattern:limit
  Scenario Outline: A change of a registration cuts the names of its customer
    Given a stored card
    When the merchant changes the registration to
      | customer.givenName | <given>   |
      | customer.surname   | <surname> |
    Then the change succeeds
    And the response shows customer.givenName with <given kept> characters
    And the response shows customer.surname with <surname kept> characters

    Examples:
      | given                                               | given kept | surname                                             | surname kept | why                 |
      | aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa    | 48         | bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb    | 48           | the longest whole   |
      | aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa   | 48         | bbbb                                                | 4            | one more in given   |
      | aaaa                                                | 4          | bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb   | 48           | one more in surname |
      | aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa | 48         | bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb | 48           | more in both        |

  @req:CUST-02 @req:SVC-11 @pattern:place @pattern:limit
  Scenario Outline: A stored name is read as it was cut
    Given <stored> with
      | customer.givenName | aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa |
      | customer.surname   | bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb |
    When the merchant reads the registration
    Then the response shows customer.givenName with 48 characters
    And the response shows customer.surname with 48 characters

    Examples:
      | stored                        | why                  |
      | a stored card                 | it was stored alone  |
      | the registration of a payment | a payment stored it  |

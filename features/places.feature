Feature: At every place
  What a rule demands, it demands of every request that can carry it: of a payment by any account and in
  either test mode, in a checkout, from a stored account, by a schedule, and of what refers to a payment.

  @req:PAY-01 @req:PAY-03 @req:PAY-05
  Scenario Outline: Amount, currency and type are demanded of every request that has them
    When the merchant sends <name> "" with <kind>
    Then the request is refused, naming <name>

    Examples:
      | kind                             | name        | why                        |
      | an authorization                 | amount      | it is not sent             |
      | an authorization                 | currency    | it is not sent             |
      | an authorization                 | paymentType | it is not sent             |
      | a credit                         | amount      | it is not sent             |
      | a credit                         | currency    | it is not sent             |
      | a credit                         | paymentType | it is not sent             |
      | a debit at the card host         | amount      | it is not sent             |
      | a debit at the card host         | currency    | it is not sent             |
      | a debit at the card host         | paymentType | it is not sent             |
      | a wallet payment                 | amount      | it is not sent             |
      | a wallet payment                 | currency    | it is not sent             |
      | a wallet payment                 | paymentType | it is not sent             |
      | a direct debit                   | amount      | it is not sent             |
      | a direct debit                   | currency    | it is not sent             |
      | a direct debit                   | paymentType | it is not sent             |
      | a payment from a virtual account | amount      | it is not sent             |
      | a payment from a virtual account | currency    | it is not sent             |
      | a payment from a virtual account | paymentType | it is not sent             |
      | a payment from a registration    | amount      | it is not sent             |
      | a payment from a registration    | currency    | it is not sent             |
      | a payment from a registration    | paymentType | it is not sent             |
      | a checkout                       | amount      | it is not sent             |
      | a checkout                       | currency    | it is not sent             |
      | a checkout                       | paymentType | it is not sent             |
      | a schedule                       | amount      | it is not sent             |
      | a schedule                       | currency    | it is not sent             |
      | a schedule                       | paymentType | it is not sent             |
      | a capture                        | amount      | it is not sent             |
      | a capture                        | currency    | it is not sent             |
      | a capture                        | paymentType | it is not sent             |
      | a refund                         | amount      | it is not sent             |
      | a refund                         | currency    | it is not sent             |
      | a refund                         | paymentType | it is not sent             |
      | a rebill                         | amount      | it is not sent             |
      | a rebill                         | currency    | it is not sent             |
      | a rebill                         | paymentType | it is not sent             |
      | a receipt                        | amount      | it is not sent             |
      | a receipt                        | currency    | it is not sent             |
      | a receipt                        | paymentType | it is not sent             |
      | a risk check                     | amount      | it is not sent             |
      | a risk check                     | currency    | it is not sent             |
      | a reversal                       | paymentType | the amount may be left out |

  @req:PAY-02 @req:RSP-07 @pattern:values
  Scenario Outline: Nothing but the amount is what moves, with every request
    When the merchant sends these with <kind>
      | taxAmount                 | 17.48  |
      | shipping.cost             | 4.90   |
      | risk.amount               | 500.00 |
      | cart.items[0].price       | 700.00 |
      | cart.items[0].totalAmount | 700.00 |
      | cart.items[0].shipping    | 3.10   |
      | cart.payments[0].amount   | 10.00  |
      | airline.totalFareAmount   | 80.00  |
    Then it is accepted
    And the response shows amount "92.00"

    Examples:
      | kind                             | why             |
      | an authorization                 | 92.00 were sent |
      | a credit                         | 92.00 were sent |
      | a debit at the card host         | 92.00 were sent |
      | a wallet payment                 | 92.00 were sent |
      | a direct debit                   | 92.00 were sent |
      | a payment from a virtual account | 92.00 were sent |
      | a payment from a registration    | 92.00 were sent |
      | a payment in a checkout          | 92.00 were sent |
      | a capture                        | 92.00 were sent |
      | a refund                         | 92.00 were sent |
      | a rebill                         | 92.00 were sent |
      | a receipt                        | 92.00 were sent |
      | a risk check                     | 92.00 were sent |
      | a schedule                       | 92.00 were sent |

  @req:PAY-02 @req:SVC-09
  Scenario Outline: What a checkout says beside its amount does not change what is paid
    Given a checkout for 92.00 EUR with <name> "<value>"
    When the shopper pays in the checkout by card
    Then the payment succeeds
    And the response shows amount "92.00"

    Examples:
      | name                      | value  | why             |
      | taxAmount                 | 17.48  | a tax           |
      | shipping.cost             | 4.90   | the shipping    |
      | risk.amount               | 500.00 | what is checked |
      | cart.items[0].totalAmount | 700.00 | of an item      |
      | cart.payments[0].amount   | 10.00  | paid already    |

  @req:PAY-03 @pattern:values
  Scenario Outline: Every currency of ISO 4217 is a currency
    When the merchant debits 92.00 <currency>
    Then the payment succeeds
    And the response shows currency "<currency>"
    And the response shows amount "92.00"

    Examples:
      | currency | why                        |
      | USD      | of the Americas            |
      | CAD      | of the Americas            |
      | BRL      | of the Americas            |
      | CLF      | a unit of account          |
      | UYU      | of the Americas            |
      | XCD      | of several islands         |
      | ISK      | no decimals in ISO 4217    |
      | NOK      | of Europe                  |
      | SEK      | of Europe                  |
      | CZK      | of Europe                  |
      | RON      | of Europe                  |
      | TRY      | of Europe and Asia         |
      | XAF      | of several countries       |
      | ZAR      | of Africa                  |
      | TND      | three decimals in ISO 4217 |
      | BHD      | three decimals in ISO 4217 |
      | AED      | of Asia                    |
      | INR      | of Asia                    |
      | CNY      | of Asia                    |
      | KRW      | no decimals in ISO 4217    |
      | AUD      | of Oceania                 |
      | XPF      | of several islands         |

  @req:PAY-04 @code:D-44
  Scenario Outline: A brand is written in capitals with every request
    When the merchant sends paymentBrand "<brand>" with <kind>
    Then the payment is refused with 100.100.501

    Examples:
      | kind                     | brand | why           |
      | a debit                  | visa  | small letters |
      | a debit                  | Visa  | one capital   |
      | a debit at the card host | visa  | small letters |
      | a registration           | visa  | small letters |
      | a payment in a checkout  | Visa  | one capital   |
      | a risk check             | visa  | small letters |

  @req:PAY-04
  Scenario Outline: An account without a card has no brand to be detected
    When the merchant sends paymentBrand "" with <kind>
    Then the request is refused, naming paymentBrand

    Examples:
      | kind                                           | why          |
      | a direct debit                                 | none is sent |
      | a direct debit in a checkout                   | none is sent |
      | a payment from a virtual account               | none is sent |
      | a payment from a virtual account in a checkout | none is sent |
      | a registration of a bank account               | none is sent |
      | a registration of a virtual account            | none is sent |

  @req:PAY-04 @needs:channels @code:D-67
  Scenario Outline: A channel that detects no brands demands one of every card
    Given a merchant whose channel detects no brands
    When the merchant sends paymentBrand "" with <kind>
    Then the payment is refused with 100.100.500

    Examples:
      | kind                     | why          |
      | an authorization         | none is sent |
      | a credit                 | none is sent |
      | a registration           | none is sent |
      | a payment in a checkout  | none is sent |
      | a debit at the card host | none is sent |
      | a risk check             | none is sent |

  @req:PAY-06
  Scenario Outline: A type for one brand is a type, and its brand is one
    When the merchant sends overridePaymentType[<brand>] "<type>" with a checkout
    Then the request is refused, naming overridePaymentType[<brand>]

    Examples:
      | brand                             | type | why                           |
      | VISA                              | XX   | no type                       |
      | VISA                              | CP   | a capture refers to a payment |
      | VISA                              | RG   | nothing is paid by it         |
      | VISA                              | pa   | small letters                 |
      | VI-SA                             | PA   | a hyphen                      |
      | VISA.A                            | PA   | a dot                         |
      | AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA | PA   | 33 characters                 |

  @req:PAY-06 @req:END-03
  Scenario: A type for one brand stays when something else of the checkout is changed
    Given a checkout for 92.00 EUR with overridePaymentType[VISA] "PA"
    And the merchant changes the checkout with amount "42.00"
    When the shopper pays in the checkout by card
    Then the payment succeeds
    And the response shows paymentType "PA"
    And the response shows amount "42.00"

  @req:PAY-06 @req:SVC-13 @pattern:place
  Scenario: A stored card is paid with the type of its brand
    Given a stored card
    And a checkout for 92.00 EUR with overridePaymentType[VISA] "PA"
    When the shopper pays in the checkout by the stored card
    Then the payment succeeds
    And the response shows paymentType "PA"

  @req:PAY-06 @needs:brands
  Scenario Outline: Every kind of brand may have its own type
    Given a checkout for 92.00 EUR with overridePaymentType[<brand>] "PA"
    When the shopper pays in the checkout with
      | paymentBrand | <brand> |
      | <first>      | <one>   |
      | <second>     | <two>   |
      | <third>      | <three> |
    Then the payment succeeds
    And the response shows paymentType "PA"

    Examples:
      | brand            | first                    | one              | second             | two                    | third            | three       | why               |
      | DIRECTDEBIT_SEPA | bankAccount.holder       | Jane Jones       | bankAccount.iban   | DE89370400440532013000 | bankAccount.bic  | COBADEFFXXX | a bank account    |
      | VIRTUAL_ACCOUNT  | virtualAccount.accountId | jane@pay.example | customer.givenName | Jane                   | customer.surname | Jones       | a virtual account |

  @req:PAY-07 @req:MERCH-01
  Scenario Outline: What refers to a payment has its own name on the statement
    When the merchant sends these with <kind>
      | descriptor    | Book shop 4711 |
      | merchant.name | <name>         |
    Then it is accepted
    And the response shows descriptor "<shown>"

    Examples:
      | kind       | name        | shown          | why                  |
      | a capture  |             | Book shop 4711 | the descriptor alone |
      | a capture  | Jones Books | Jones Books    | both were sent       |
      | a refund   |             | Book shop 4711 | the descriptor alone |
      | a refund   | Jones Books | Jones Books    | both were sent       |
      | a rebill   |             | Book shop 4711 | the descriptor alone |
      | a rebill   | Jones Books | Jones Books    | both were sent       |
      | a reversal |             | Book shop 4711 | the descriptor alone |
      | a reversal | Jones Books | Jones Books    | both were sent       |
      | a receipt  |             | Book shop 4711 | the descriptor alone |
      | a receipt  | Jones Books | Jones Books    | both were sent       |

  @req:PAY-13 @needs:channels
  Scenario Outline: A fixed descriptor is used for what refers to a payment too
    Given a merchant whose merchant account has a fixed descriptor
    When the merchant sends descriptor "Book shop 4711" with <kind>
    Then it is accepted
    And the response does not contain "Book shop 4711"

    Examples:
      | kind                    | why              |
      | a capture               | another was sent |
      | a refund                | another was sent |
      | a rebill                | another was sent |
      | a reversal              | another was sent |
      | a wallet payment        | another was sent |
      | a direct debit          | another was sent |
      | a payment in a checkout | another was sent |

  @req:PAY-08 @needs:channels
  Scenario Outline: A receiver requires a merchant reference at every place
    Given a merchant whose channel requires a merchant reference
    When the merchant sends transactionCategory "EC" with <kind>
    Then the request is refused, naming merchantTransactionId

    Examples:
      | kind                                 | why           |
      | a registration                       | none was sent |
      | a checkout                           | none was sent |
      | a payment from a registration        | none was sent |
      | a payment from a stored bank account | none was sent |
      | a rebill                             | none was sent |
      | a reversal                           | none was sent |
      | a payment from a virtual account     | none was sent |
      | a risk check                         | none was sent |

  @req:PAY-08 @req:TRN-02
  Scenario Outline: A text keeps its blanks at either end
    When the merchant debits 92.00 EUR with <name> " ring  twice "
    Then the payment succeeds
    And the response shows <name> " ring  twice "

    Examples:
      | name                   | why                   |
      | merchantTransactionId  | the reference         |
      | billing.city           | an address            |
      | shipping.comment       | what the shopper said |
      | cart.items[0].name     | an item               |
      | customParameters[note] | the merchant's own    |
      | merchant.data[note]    | of the merchant       |
      | corporate.name         | a company             |
      | giftCard.message       | a message             |

  @req:PAY-10
  Scenario Outline: No answer shows the merchant's memo
    When the merchant sends merchantMemo "ask for the blue one" with <kind>
    Then it is accepted
    And the response does not contain "ask for the blue one"

    Examples:
      | kind                          | why                        |
      | an authorization              | it appears only in reports |
      | a credit                      | it appears only in reports |
      | a debit at the card host      | it appears only in reports |
      | a wallet payment              | it appears only in reports |
      | a direct debit                | it appears only in reports |
      | a registration                | it appears only in reports |
      | a payment from a registration | it appears only in reports |
      | a payment in a checkout       | it appears only in reports |
      | a registration in a checkout  | it appears only in reports |
      | a checkout                    | it appears only in reports |
      | a capture                     | it appears only in reports |
      | a refund                      | it appears only in reports |
      | a rebill                      | it appears only in reports |
      | a reversal                    | it appears only in reports |
      | a risk check                  | it appears only in reports |
      | a schedule                    | it appears only in reports |

  @req:END-02 @req:RSP-01 @pattern:limit
  Scenario Outline: A payment is known by its id letter by letter
    Given a debit of 92.00 EUR
    When the merchant reads it by its id <changed>
    Then the request is refused as not found

    Examples:
      | changed                    | why             |
      | in other letters           | capital letters |
      | without its last character | too short       |
      | and one character more     | too long        |
      | in another order           | another id      |

  @req:END-02 @req:SVC-11
  Scenario: A registration is no payment
    Given the registration created by a payment
    When the merchant reads a payment by the id of the registration
    Then the request is refused as not found

  @req:END-05 @req:RSP-08 @pattern:place
  Scenario Outline: The result of a checkout shows all that the payment showed
    Given a checkout for 92.00 EUR with <name> "<value>"
    And the shopper has paid in the checkout by card
    When the merchant reads the payment result of the checkout
    Then the payment succeeds
    And the response shows all that the payment showed

    Examples:
      | name                     | value                    | why                       |
      | shopperResultUrl         | https://shop.example/end | where the shopper returns |
      | descriptor               | Book shop 4711           | the statement             |
      | customParameters[order]  | 7                        | the merchant's own        |
      | billing.city             | Graz                     | an address                |
      | createRegistration       | true                     | the card is stored        |
      | standingInstruction.type | RECURRING                | a series                  |

  @req:END-03 @req:SVC-09 @req:PAY-08 @req:CUSTOM-01
  Scenario Outline: What a checkout has fixed stays when something else is changed
    Given a checkout for 92.00 EUR with <name> "<value>"
    And the merchant changes the checkout with amount "42.00"
    When the shopper pays in the checkout by card
    Then the payment succeeds
    And the response shows <name> "<value>"
    And the response shows amount "42.00"

    Examples:
      | name                    | value      | why                |
      | merchantTransactionId   | order-4711 | the reference      |
      | descriptor              | Book shop  | the statement      |
      | billing.city            | Graz       | an address         |
      | customParameters[order] | 7          | the merchant's own |
      | shipping.cost           | 4.90       | the shipping       |
      | cart.items[0].name      | Book       | an item            |
      | giftCard.message        | Well done  | a message          |

  @req:END-03 @req:SVC-09 @req:PAY-08 @req:CUSTOM-01
  Scenario Outline: What is changed in a checkout is what is paid
    Given a checkout for 92.00 EUR with <name> "<value>"
    And the merchant changes the checkout with <name> "<other>"
    When the shopper pays in the checkout by card
    Then the payment succeeds
    And the response shows <name> "<other>"

    Examples:
      | name                    | value      | other      | why                |
      | merchantTransactionId   | order-4711 | order-4712 | the reference      |
      | descriptor              | Book shop  | Other shop | the statement      |
      | billing.city            | Graz       | Linz       | an address         |
      | customParameters[order] | 7          | 8          | the merchant's own |
      | shipping.cost           | 4.90       | 0.10       | the shipping       |
      | cart.items[0].name      | Book       | Pen        | an item            |
      | giftCard.message        | Well done  | Good luck  | a message          |

  @req:END-03 @decision:D-130
  Scenario: A paid checkout cannot be deleted
    Given a checkout for 92.00 EUR
    And the shopper has paid in the checkout by card
    When the merchant deletes the checkout
    Then the checkout is not found
    And the result description contains "No payment session found"

  @req:PAY-07 @req:MERCH-01 @req:TRN-02
  Scenario Outline: A name on the statement keeps its letters
    When the merchant sends <name> "bÜCHER & Größe (4711)" with <kind>
    Then it is accepted
    And the response shows descriptor "bÜCHER & Größe (4711)"

    Examples:
      | kind                          | name          | why                   |
      | an authorization              | descriptor    | letters of every kind |
      | an authorization              | merchant.name | letters of every kind |
      | a debit at the card host      | descriptor    | letters of every kind |
      | a debit at the card host      | merchant.name | letters of every kind |
      | a capture                     | descriptor    | letters of every kind |
      | a capture                     | merchant.name | letters of every kind |
      | a payment from a registration | descriptor    | letters of every kind |
      | a payment from a registration | merchant.name | letters of every kind |
      | a direct debit                | descriptor    | letters of every kind |
      | a direct debit                | merchant.name | letters of every kind |

  @req:PAY-07 @req:MERCH-01 @pattern:limit
  Scenario Outline: The longest name is whole on the statement
    When the merchant debits 92.00 EUR with <name> of <length> characters
    Then the payment succeeds
    And the response shows descriptor with <length> characters

    Examples:
      | name          | length | why                       |
      | merchant.name | 100    | the longest               |
      | merchant.name | 51     | more than fifty           |
      | merchant.name | 26     | more than a statement has |
      | descriptor    | 26     | more than a statement has |

  @req:PAY-08 @req:TRN-02
  Scenario Outline: A reference keeps its letters
    When the merchant sends merchantTransactionId "ref-Größe/4711 A" with <kind>
    Then it is accepted
    And the response shows merchantTransactionId "ref-Größe/4711 A"

    Examples:
      | kind                          | why                   |
      | a debit                       | letters of every kind |
      | a credit                      | letters of every kind |
      | a debit at the card host      | letters of every kind |
      | a direct debit                | letters of every kind |
      | a capture                     | letters of every kind |
      | a refund                      | letters of every kind |
      | a payment from a registration | letters of every kind |
      | a payment in a checkout       | letters of every kind |
      | a registration                | letters of every kind |

  @req:PAY-04 @req:SVC-11 @req:RSP-03 @pattern:values
  Scenario Outline: A card of every brand is stored and shown as it is
    When the merchant sends these with <kind>
      | paymentBrand | <brand>  |
      | card.number  | <number> |
      | card.cvv     | |
    Then it is accepted
    And the response shows
      | paymentBrand     | <brand> |
      | card.bin         | <bin>   |
      | card.last4Digits | <last4> |

    Examples:
      | kind                         | brand  | number              | bin    | last4 | why             |
      | a registration               | MASTER | 5105105105105100    | 510510 | 5100  | sixteen digits  |
      | a registration               | AMEX   | 371449635398431     | 371449 | 8431  | fifteen digits  |
      | a registration               | VISA   | 4000000000000000006 | 400000 | 0006  | nineteen digits |
      | a registration               | DINERS | 30569309025904      | 305693 | 5904  | fourteen digits |
      | a registration in a checkout | MASTER | 5105105105105100    | 510510 | 5100  | sixteen digits  |
      | a registration in a checkout | AMEX   | 371449635398431     | 371449 | 8431  | fifteen digits  |
      | a registration in a checkout | VISA   | 4000000000000000006 | 400000 | 0006  | nineteen digits |
      | a registration in a checkout | DINERS | 30569309025904      | 305693 | 5904  | fourteen digits |
      | a payment in a checkout      | MASTER | 5105105105105100    | 510510 | 5100  | sixteen digits  |
      | a payment in a checkout      | AMEX   | 371449635398431     | 371449 | 8431  | fifteen digits  |
      | a payment in a checkout      | VISA   | 4000000000000000006 | 400000 | 0006  | nineteen digits |
      | a payment in a checkout      | DINERS | 30569309025904      | 305693 | 5904  | fourteen digits |
      | a risk check                 | MASTER | 5105105105105100    | 510510 | 5100  | sixteen digits  |
      | a risk check                 | AMEX   | 371449635398431     | 371449 | 8431  | fifteen digits  |
      | a risk check                 | VISA   | 4000000000000000006 | 400000 | 0006  | nineteen digits |
      | a risk check                 | DINERS | 30569309025904      | 305693 | 5904  | fourteen digits |

  @req:PAY-04 @req:SVC-13 @decision:D-119
  Scenario: A stored card keeps its brand
    When the merchant sends paymentBrand "MASTER" with a payment from a registration
    Then it is accepted
    And the response shows paymentBrand "VISA"

  @req:COF-02 @req:SVC-15 @req:END-02 @pattern:place
  Scenario Outline: A series is read as it was answered
    When the merchant sends these with <kind>
      | standingInstruction.mode   | INITIAL |
      | standingInstruction.source | CIT     |
    Then it is accepted
    And the response shows a reference for the series
    And what is read is what was answered

    Examples:
      | kind                          | why           |
      | an authorization              | it starts one |
      | a debit                       | it starts one |
      | a debit at the card host      | it starts one |
      | a payment from a registration | it starts one |
      | a payment in a checkout       | it starts one |

  @req:END-08 @req:SVC-03 @req:SVC-04 @req:RSP-07
  Scenario Outline: A payment by any account is refunded with its own amount and no other account
    Given a debit of 92.00 EUR by <account>
    When the merchant refunds 10.50 EUR of it
    Then the refund succeeds
    And the response shows amount "10.50"
    And the response shows currency "EUR"

    Examples:
      | account           | why               |
      | a wallet          | a wallet          |
      | a virtual account | a virtual account |
      | a bank account    | a bank account    |

  @req:RSP-01 @pattern:place
  Scenario Outline: Everything that is made has an id of its own form
    When the merchant sends transactionCategory "EC" with <kind>
    Then it is accepted
    And the response shows id as a payment id

    Examples:
      | kind                          | why                   |
      | a capture                     | 32 letters and digits |
      | a refund                      | 32 letters and digits |
      | a reversal                    | 32 letters and digits |
      | a rebill                      | 32 letters and digits |
      | a receipt                     | 32 letters and digits |
      | a registration                | 32 letters and digits |
      | a payment from a registration | 32 letters and digits |
      | a payment in a checkout       | 32 letters and digits |
      | a risk check                  | 32 letters and digits |
      | a direct debit                | 32 letters and digits |

  @req:END-04 @req:FORM-06 @code:D-130
  Scenario Outline: A checkout of every type is paid once
    Given a checkout for 92.00 EUR with paymentType "<type>"
    And the shopper has paid in the checkout by card
    When the shopper pays in the checkout by card
    Then the checkout is not found

    Examples:
      | type | why              |
      | PA   | an authorization |
      | DB   | a sale           |
      | CD   | a credit         |

  @req:END-08 @decision:D-30
  Scenario: An authorization is not charged again by a rebill
    Given an authorized payment of 92.00 EUR
    When the merchant rebills 15.00 EUR on it
    Then the rebill is refused with 700.100.700

  @req:END-08 @code:D-46
  Scenario: A refund is not refunded
    Given a debit of 92.00 EUR
    And 30.00 EUR of it is refunded
    When the merchant refunds 30.00 EUR of the refund
    Then the refund is refused with 700.400.520

  @req:END-08 @decision:D-29 @pattern:limit
  Scenario Outline: A reversal is of the whole amount
    When the merchant sends amount "<amount>" with a reversal
    Then the request is refused with 700.100.200

    Examples:
      | amount | why         |
      | 91.99  | a cent less |
      | 92.01  | a cent more |

  @req:RSP-07 @req:PAY-01 @req:PAY-03 @pattern:place
  Scenario Outline: Every request about an amount shows it with its currency
    When the merchant sends these with <kind>
      | amount   | 12.30 |
      | currency | EUR   |
    Then it is accepted
    And the response shows
      | amount   | 12.30 |
      | currency | EUR   |

    Examples:
      | kind                             | why       |
      | a capture                        | a part    |
      | a refund                         | a part    |
      | a rebill                         | a part    |
      | a receipt                        | a part    |
      | an authorization                 | all of it |
      | a credit                         | all of it |
      | a wallet payment                 | all of it |
      | a direct debit                   | all of it |
      | a payment from a virtual account | all of it |
      | a payment from a registration    | all of it |
      | a schedule                       | all of it |
      | a risk check                     | all of it |

  @req:WAL-01 @req:SVC-03
  Scenario Outline: A wallet pays by every type under its own brand
    When the merchant sends paymentType "<type>" with a wallet payment
    Then it is accepted
    And the response shows paymentBrand "MOBILE_WALLET"
    And the response shows paymentType "<type>"

    Examples:
      | type | why              |
      | PA   | an authorization |
      | DB   | a sale           |
      | CD   | a credit         |

  @req:WAL-01 @req:CARD-05 @needs:channels @decision:D-145
  Scenario Outline: A wallet of either source has no security code
    Given a merchant whose channel requires the security code
    When the merchant sends mobileWallet.source "<source>" with a wallet payment
    Then it is accepted

    Examples:
      | source | why            |
      | web    | in the browser |
      | app    | in an app      |

  @req:CARD-05 @req:REC-01 @req:COF-01 @needs:channels @decision:D-123
  Scenario: The older mark of a charge without the shopper needs no security code
    Given a merchant whose channel requires the security code
    When the merchant sends these with a debit
      | card.cvv      |          |
      | recurringType | REPEATED |
    Then it is accepted

  @req:CARD-01 @code:D-67 @pattern:place @pattern:limit
  Scenario Outline: A code of four digits belongs to its brand at every place
    When the merchant sends these with <kind>
      | paymentBrand | AMEX            |
      | card.number  | 371449635398431 |
      | card.cvv     | 123             |
    Then the payment is refused with 100.100.601

    Examples:
      | kind                         | why                  |
      | an authorization             | AMEX has four digits |
      | a credit                     | AMEX has four digits |
      | a registration               | AMEX has four digits |
      | a registration in a checkout | AMEX has four digits |
      | a payment in a checkout      | AMEX has four digits |

  @req:CARD-01 @req:SVC-13 @decision:D-121
  Scenario: A stored card takes another holder
    Given a stored card
    When the merchant changes the registration to
      | card.holder | Ann Other |
    Then the change succeeds
    And the response shows card.holder "Ann Other"

  @req:BANK-03 @req:SVC-13 @decision:D-121
  Scenario: A stored bank account takes another mandate
    Given a stored bank account
    When the merchant changes the registration to
      | bankAccount.mandate.id        | A1234567890123456789012345678901234 |
      | bankAccount.mandate.reference | R1234567890123456789012345678901    |
    Then the change succeeds
    And the response shows bankAccount.mandate.id "A1234567890123456789012345678901234"
    And the response shows bankAccount.mandate.reference "R1234567890123456789012345678901"

  @req:BANK-07 @req:RSP-08
  Scenario Outline: A country in small letters is shown so
    When the merchant sends bankAccount.country "de" with <kind>
    Then it is accepted
    And the response shows bankAccount.country "de"

    Examples:
      | kind                             | why           |
      | a direct debit                   | it is debited |
      | a registration of a bank account | it is stored  |

  @req:TOK-01 @req:REC-01
  Scenario Outline: A card of any place in a series is stored on demand
    When the merchant sends these with <kind>
      | createRegistration | true   |
      | recurringType      | <mark> |
    Then it is accepted
    And the response shows registrationId as a payment id

    Examples:
      | kind             | mark     | why              |
      | an authorization | INITIAL  | it was asked for |
      | an authorization | REPEATED | it was asked for |
      | a debit          | INITIAL  | it was asked for |
      | a debit          | REPEATED | it was asked for |

  @req:TOK-01 @req:SVC-13 @code:D-119
  Scenario Outline: A charge stores its card no second time
    Given a stored card
    When the merchant <pays> 9.90 EUR from the registration with
      | createRegistration | true |
    Then the payment succeeds
    And the response shows the registrationId of the registration

    Examples:
      | pays       | why              |
      | authorizes | an authorization |
      | debits     | a sale           |
      | credits    | a credit         |

  @req:TDS-07 @needs:channels @decision:D-196
  Scenario: An authentication shows its version and its transactions
    Given a merchant whose channel requires 3-D Secure version 2
    When the shopper pays 92.00 EUR by the card 4200000000000026
    Then the payment succeeds
    And the response shows threeDSecure.version "2.2.0"
    And the response shows threeDSecure.dsTransactionId as some text
    And the response shows threeDSecure.acsTransactionId as some text

  @req:ERR-06 @req:RSP-03 @decision:D-94
  Scenario Outline: No number of a card is repeated from a wrong field
    When the merchant sends <name> "4012888888881881" with <kind>
    Then the request is refused, naming <name>
    And the response does not contain "4012888888881881"

    Examples:
      | kind                    | name            | why                |
      | a debit                 | billing.country | it was typed there |
      | a debit                 | card.expiryYear | it was typed there |
      | a debit                 | card.cvv        | it was typed there |
      | a debit                 | customer.status | it was typed there |
      | a registration          | billing.country | it was typed there |
      | a registration          | card.expiryYear | it was typed there |
      | a registration          | card.cvv        | it was typed there |
      | a registration          | customer.status | it was typed there |
      | a payment in a checkout | billing.country | it was typed there |
      | a payment in a checkout | card.expiryYear | it was typed there |
      | a payment in a checkout | card.cvv        | it was typed there |
      | a payment in a checkout | customer.status | it was typed there |

  @req:END-08 @req:SVC-13
  Scenario Outline: A payment is no registration
    Given the id of a payment that stored <what>
    When the merchant debits 9.90 EUR from the registration
    Then the request is refused as not found

    Examples:
      | what     | why                             |
      | nothing  | no card is stored               |
      | its card | the registration has its own id |

  @req:END-05 @req:SVC-10 @decision:D-133
  Scenario: A registration in a checkout is no payment of it
    Given a registration checkout
    And the shopper has registered a card in the checkout
    When the merchant reads the payment result of the checkout
    Then the response shows result.code "000.200.000"
    And the response shows no id

  @req:END-04 @req:SVC-09 @code:D-129
  Scenario Outline: The shopper cannot overwrite what a checkout has fixed
    Given a checkout for 92.00 EUR with <name> "<value>"
    When the shopper pays in the checkout by card with <name> "<other>"
    Then the request is refused, naming <name>

    Examples:
      | name                    | value      | other      | why                |
      | merchantTransactionId   | order-4711 | order-4712 | the reference      |
      | descriptor              | Book shop  | Other shop | the statement      |
      | billing.city            | Graz       | Linz       | the address        |
      | customParameters[order] | 7          | 8          | the merchant's own |
      | shipping.cost           | 4.90       | 0.00       | the shipping       |
      | cart.items[0].name      | Book       | Pen        | an item            |

  @req:END-08 @code:D-46 @pattern:limit
  Scenario Outline: Several refunds of a capture together may not exceed it
    Given an authorized payment of 92.00 EUR
    And 60.00 EUR of it is captured
    And 30.00 EUR of the capture is refunded
    When the merchant refunds <amount> EUR of the capture
    Then <outcome>

    Examples:
      | amount | outcome                                | why              |
      | 30.00  | the refund succeeds                    | all that is left |
      | 30.01  | the refund is refused with 700.400.200 | a cent more      |

  @req:END-08 @decision:D-29 @decision:D-46
  Scenario: A payment that was captured in part cannot be reversed
    Given an authorized payment of 92.00 EUR
    And 0.01 EUR of it is captured
    When the merchant reverses it
    Then the reversal is refused with 700.400.300

  @req:PAY-01 @decision:D-43 @pattern:limit
  Scenario Outline: An amount of nothing moves nothing
    When the merchant sends amount "0.00" with <kind>
    Then the payment is refused with 100.550.300

    Examples:
      | kind                             | why                      |
      | a debit                          | there is nothing to move |
      | a debit at the card host         | there is nothing to move |
      | a credit                         | there is nothing to move |
      | a wallet payment                 | there is nothing to move |
      | a direct debit                   | there is nothing to move |
      | a payment from a virtual account | there is nothing to move |
      | a payment from a registration    | there is nothing to move |
      | a capture                        | there is nothing to move |
      | a refund                         | there is nothing to move |
      | a rebill                         | there is nothing to move |
      | a checkout                       | there is nothing to move |

  @req:WAL-01 @req:CARD-05 @needs:channels @code:D-145 @pattern:place
  Scenario Outline: Wherever a wallet is sent it has no security code
    Given a merchant whose channel requires the security code
    When the merchant sends mobileWallet.source "<source>" with <kind>
    Then it is accepted

    Examples:
      | kind                           | source | why                       |
      | a wallet payment in a checkout | web    | in the browser            |
      | a wallet payment in a checkout | app    | in an app                 |
      | a registration of a wallet     | web    | it is stored              |
      | a registration of a wallet     | app    | it is stored in an app    |

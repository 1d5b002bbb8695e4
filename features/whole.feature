Feature: Everything comes back whole
  A structure of several members, and a list of several entries, is taken and shown with all of them, in
  their order, each with its own value.

  @req:CART-01 @req:CART-04 @req:TRN-06 @req:RSP-08 @pattern:values
  Scenario: Three cart items are shown with all their members
    When the merchant debits 92.00 EUR with
      | cart.items[0].name           | Book 1            |
      | cart.items[0].merchantItemId | item-1            |
      | cart.items[0].quantity       | 1                 |
      | cart.items[0].price          | 11.00             |
      | cart.items[0].totalAmount    | 21.00             |
      | cart.items[0].sku            | sku-1             |
      | cart.items[0].description    | A thing, number 1 |
      | cart.items[0].tax            | 11.50             |
      | cart.items[0].recipient.city | Graz 1            |
      | cart.items[1].name           | Book 2            |
      | cart.items[1].merchantItemId | item-2            |
      | cart.items[1].quantity       | 2                 |
      | cart.items[1].price          | 12.00             |
      | cart.items[1].totalAmount    | 22.00             |
      | cart.items[1].sku            | sku-2             |
      | cart.items[1].description    | A thing, number 2 |
      | cart.items[1].tax            | 12.50             |
      | cart.items[1].recipient.city | Graz 2            |
      | cart.items[2].name           | Book 3            |
      | cart.items[2].merchantItemId | item-3            |
      | cart.items[2].quantity       | 3                 |
      | cart.items[2].price          | 13.00             |
      | cart.items[2].totalAmount    | 23.00             |
      | cart.items[2].sku            | sku-3             |
      | cart.items[2].description    | A thing, number 3 |
      | cart.items[2].tax            | 13.50             |
      | cart.items[2].recipient.city | Graz 3            |
    Then the payment succeeds
    And the response shows
      | cart.items[0].name           | Book 1            |
      | cart.items[0].merchantItemId | item-1            |
      | cart.items[0].quantity       | 1                 |
      | cart.items[0].price          | 11.00             |
      | cart.items[0].totalAmount    | 21.00             |
      | cart.items[0].sku            | sku-1             |
      | cart.items[0].description    | A thing, number 1 |
      | cart.items[0].tax            | 11.50             |
      | cart.items[0].recipient.city | Graz 1            |
      | cart.items[1].name           | Book 2            |
      | cart.items[1].merchantItemId | item-2            |
      | cart.items[1].quantity       | 2                 |
      | cart.items[1].price          | 12.00             |
      | cart.items[1].totalAmount    | 22.00             |
      | cart.items[1].sku            | sku-2             |
      | cart.items[1].description    | A thing, number 2 |
      | cart.items[1].tax            | 12.50             |
      | cart.items[1].recipient.city | Graz 2            |
      | cart.items[2].name           | Book 3            |
      | cart.items[2].merchantItemId | item-3            |
      | cart.items[2].quantity       | 3                 |
      | cart.items[2].price          | 13.00             |
      | cart.items[2].totalAmount    | 23.00             |
      | cart.items[2].sku            | sku-3             |
      | cart.items[2].description    | A thing, number 3 |
      | cart.items[2].tax            | 13.50             |
      | cart.items[2].recipient.city | Graz 3            |

  @req:CART-01 @req:TRN-05 @req:TRN-06 @pattern:limit
  Scenario Outline: Every item of a long cart is there, in its place
    When the merchant debits 92.00 EUR for a cart of <count> numbered items
    Then the payment succeeds
    And the response shows <count> cart items
    And every cart item has its own number

    Examples:
      | count | why                        |
      | 1     | one                        |
      | 2     | two                        |
      | 11    | two digits in the index    |
      | 12    | more than ten and in order |
      | 101   | three digits in the index  |
      | 1000  | the longest                |

  @req:CART-01 @req:END-02 @pattern:place
  Scenario Outline: A cart is read as it was sent
    Given a debit of 92.00 EUR for a cart of <count> numbered items
    When the merchant reads it
    Then the response shows <count> cart items
    And every cart item has its own number

    Examples:
      | count | why                     |
      | 3     | a few                   |
      | 11    | two digits in the index |

  @req:CART-01 @req:SVC-09 @pattern:place
  Scenario Outline: A checkout keeps the whole cart
    Given a checkout for 92.00 EUR with <count> cart items
    When the shopper pays in the checkout by card
    Then the payment succeeds
    And the response shows <count> cart items
    And the response shows cart.items[<last>].name "Thing <last>"

    Examples:
      | count | last | why                     |
      | 2     | 1    | two                     |
      | 12    | 11   | two digits in the index |

  @req:CART-02 @pattern:values
  Scenario: Each cart item has its own unit, and COUNT where it has none
    When the merchant debits 92.00 EUR with
      | cart.items[0].name         | Cloth |
      | cart.items[0].quantityUnit | M     |
      | cart.items[1].name         | Pen   |
      | cart.items[2].name         | Flour |
      | cart.items[2].quantityUnit | KG    |
      | cart.items[3].name         | Book  |
    Then the payment succeeds
    And the response shows
      | cart.items[0].quantityUnit | M     |
      | cart.items[1].quantityUnit | COUNT |
      | cart.items[2].quantityUnit | KG    |
      | cart.items[3].quantityUnit | COUNT |

  @req:CART-02 @pattern:place
  Scenario: A cart item of a checkout has the unit COUNT by default
    Given a checkout for 92.00 EUR with cart.items[0].name "Pen"
    When the shopper pays in the checkout by card
    Then the response shows cart.items[0].quantityUnit "COUNT"

  @req:CART-03 @req:STATE-02 @req:TRN-06 @pattern:values
  Scenario: Three payments of a cart are shown with all their members
    When the merchant debits 92.00 EUR with
      | cart.payments[0].name     | Voucher    |
      | cart.payments[0].type     | GIFTCARD   |
      | cart.payments[0].amount   | 10.00      |
      | cart.payments[0].currency | EUR        |
      | cart.payments[0].status   | captured   |
      | cart.payments[0].brand    | BOOKS      |
      | cart.payments[0].primary  | false      |
      | cart.payments[1].name     | Spring     |
      | cart.payments[1].type     | PROMOTION  |
      | cart.payments[1].amount   | 2.50       |
      | cart.payments[1].currency | USD        |
      | cart.payments[1].status   | pending    |
      | cart.payments[1].brand    | SHOP       |
      | cart.payments[1].primary  | false      |
      | cart.payments[2].name     | Card       |
      | cart.payments[2].type     | GIFTCARD   |
      | cart.payments[2].amount   | 0.01       |
      | cart.payments[2].currency | GBP        |
      | cart.payments[2].status   | authorized |
      | cart.payments[2].brand    | CARDS      |
      | cart.payments[2].primary  | true       |
    Then the payment succeeds
    And the response shows
      | cart.payments[0].name     | Voucher    |
      | cart.payments[0].type     | GIFTCARD   |
      | cart.payments[0].amount   | 10.00      |
      | cart.payments[0].currency | EUR        |
      | cart.payments[0].status   | captured   |
      | cart.payments[0].brand    | BOOKS      |
      | cart.payments[0].primary  | false      |
      | cart.payments[1].name     | Spring     |
      | cart.payments[1].type     | PROMOTION  |
      | cart.payments[1].amount   | 2.50       |
      | cart.payments[1].currency | USD        |
      | cart.payments[1].status   | pending    |
      | cart.payments[1].brand    | SHOP       |
      | cart.payments[1].primary  | false      |
      | cart.payments[2].name     | Card       |
      | cart.payments[2].type     | GIFTCARD   |
      | cart.payments[2].amount   | 0.01       |
      | cart.payments[2].currency | GBP        |
      | cart.payments[2].status   | authorized |
      | cart.payments[2].brand    | CARDS      |
      | cart.payments[2].primary  | true       |

  @req:AIR-01 @req:TRN-06 @pattern:values
  Scenario: Two passengers are shown with their legs
    When the merchant debits 92.00 EUR with
      | airline.passengers[0].name                  | Passenger 1 |
      | airline.passengers[0].ticketNumber          | T-1         |
      | airline.passengers[0].legs[0].flightNumber  | SG11        |
      | airline.passengers[0].legs[0].departureDate | 2027-01-11  |
      | airline.passengers[0].legs[0].fareAmount    | 11.50       |
      | airline.passengers[0].legs[1].flightNumber  | SG12        |
      | airline.passengers[0].legs[1].departureDate | 2027-01-12  |
      | airline.passengers[0].legs[1].fareAmount    | 12.50       |
      | airline.passengers[1].name                  | Passenger 2 |
      | airline.passengers[1].ticketNumber          | T-2         |
      | airline.passengers[1].legs[0].flightNumber  | SG21        |
      | airline.passengers[1].legs[0].departureDate | 2027-02-11  |
      | airline.passengers[1].legs[0].fareAmount    | 21.50       |
      | airline.passengers[1].legs[1].flightNumber  | SG22        |
      | airline.passengers[1].legs[1].departureDate | 2027-02-12  |
      | airline.passengers[1].legs[1].fareAmount    | 22.50       |
    Then the payment succeeds
    And the response shows
      | airline.passengers[0].name                  | Passenger 1 |
      | airline.passengers[0].ticketNumber          | T-1         |
      | airline.passengers[0].legs[0].flightNumber  | SG11        |
      | airline.passengers[0].legs[0].departureDate | 2027-01-11  |
      | airline.passengers[0].legs[0].fareAmount    | 11.50       |
      | airline.passengers[0].legs[1].flightNumber  | SG12        |
      | airline.passengers[0].legs[1].departureDate | 2027-01-12  |
      | airline.passengers[0].legs[1].fareAmount    | 12.50       |
      | airline.passengers[1].name                  | Passenger 2 |
      | airline.passengers[1].ticketNumber          | T-2         |
      | airline.passengers[1].legs[0].flightNumber  | SG21        |
      | airline.passengers[1].legs[0].departureDate | 2027-02-11  |
      | airline.passengers[1].legs[0].fareAmount    | 21.50       |
      | airline.passengers[1].legs[1].flightNumber  | SG22        |
      | airline.passengers[1].legs[1].departureDate | 2027-02-12  |
      | airline.passengers[1].legs[1].fareAmount    | 22.50       |

  @req:AIR-01 @req:TRN-05 @pattern:limit
  Scenario Outline: Every passenger and every leg of a long journey is there
    When the merchant debits 92.00 EUR for <passengers> passengers with <legs> legs each
    Then the payment succeeds
    And each of <passengers> passengers has <legs> legs of its own

    Examples:
      | passengers | legs | why                              |
      | 1          | 1    | one                              |
      | 3          | 2    | a family                         |
      | 11         | 1    | two digits in the index          |
      | 2          | 11   | two digits in the index of a leg |

  @req:AIR-01 @req:CART-01 @req:TRN-06
  Scenario Outline: A gap or a wrong start of an index is refused
    When the merchant debits 92.00 EUR with
      | <first>  | one |
      | <second> | two |
    Then the request is refused, naming <named>

    Examples:
      | first                                      | second                                     | named                                      | why                    |
      | cart.items[0].name                         | cart.items[2].name                         | cart.items[2].name                         | a gap                  |
      | cart.items[1].name                         | cart.items[2].name                         | cart.items[1].name                         | it starts with 1       |
      | cart.payments[1].name                      | cart.payments[2].name                      | cart.payments[1].name                      | it starts with 1       |
      | airline.passengers[0].name                 | airline.passengers[2].name                 | airline.passengers[2].name                 | a gap                  |
      | airline.passengers[0].legs[1].flightNumber | airline.passengers[0].legs[2].flightNumber | airline.passengers[0].legs[1].flightNumber | the legs start with 1  |
      | airline.passengers[0].legs[0].flightNumber | airline.passengers[0].legs[2].flightNumber | airline.passengers[0].legs[2].flightNumber | a gap between the legs |

  @req:CUSTOM-01 @req:TRN-07 @pattern:values
  Scenario: Twelve custom parameters are shown, each with its value
    When the merchant debits 92.00 EUR with
      | customParameters[key_0]  | value 0  |
      | customParameters[key_1]  | value 1  |
      | customParameters[key_2]  | value 2  |
      | customParameters[key_3]  | value 3  |
      | customParameters[key_4]  | value 4  |
      | customParameters[key_5]  | value 5  |
      | customParameters[key_6]  | value 6  |
      | customParameters[key_7]  | value 7  |
      | customParameters[key_8]  | value 8  |
      | customParameters[key_9]  | value 9  |
      | customParameters[key_10] | value 10 |
      | customParameters[key_11] | value 11 |
    Then the payment succeeds
    And the response shows
      | customParameters[key_0]  | value 0  |
      | customParameters[key_1]  | value 1  |
      | customParameters[key_2]  | value 2  |
      | customParameters[key_3]  | value 3  |
      | customParameters[key_4]  | value 4  |
      | customParameters[key_5]  | value 5  |
      | customParameters[key_6]  | value 6  |
      | customParameters[key_7]  | value 7  |
      | customParameters[key_8]  | value 8  |
      | customParameters[key_9]  | value 9  |
      | customParameters[key_10] | value 10 |
      | customParameters[key_11] | value 11 |

  @req:MERCH-02 @req:TRN-07 @pattern:values
  Scenario: Eleven entries of merchant data are shown, each with its value
    When the merchant debits 92.00 EUR with
      | merchant.data[key.0]  | value 0  |
      | merchant.data[key.1]  | value 1  |
      | merchant.data[key.2]  | value 2  |
      | merchant.data[key.3]  | value 3  |
      | merchant.data[key.4]  | value 4  |
      | merchant.data[key.5]  | value 5  |
      | merchant.data[key.6]  | value 6  |
      | merchant.data[key.7]  | value 7  |
      | merchant.data[key.8]  | value 8  |
      | merchant.data[key.9]  | value 9  |
      | merchant.data[key.10] | value 10 |
    Then the payment succeeds
    And the response shows
      | merchant.data[key.0]  | value 0  |
      | merchant.data[key.1]  | value 1  |
      | merchant.data[key.2]  | value 2  |
      | merchant.data[key.3]  | value 3  |
      | merchant.data[key.4]  | value 4  |
      | merchant.data[key.5]  | value 5  |
      | merchant.data[key.6]  | value 6  |
      | merchant.data[key.7]  | value 7  |
      | merchant.data[key.8]  | value 8  |
      | merchant.data[key.9]  | value 9  |
      | merchant.data[key.10] | value 10 |

  @req:CUSTOM-01 @req:TRN-02
  Scenario Outline: A custom parameter is shown letter by letter
    When the merchant debits 92.00 EUR with customParameters[note] "<value>"
    Then the payment succeeds
    And the response shows customParameters[note] "<value>"

    Examples:
      | value         | why                   |
      | 0             | a zero                |
      | false         | it looks like a truth |
      | 007           | zeros before a number |
      | 1.50          | a zero at the end     |
      | a=b&c=d       | the signs of a form   |
      | 100% + 5      | percent and plus      |
      | [0].name      | brackets              |
      | {"a": [1, 2]} | JSON                  |
      | Größe €       | letters outside ASCII |
      | 日本語           | another script        |
      | two  blanks   | two blanks            |

  @req:CUSTOM-02 @req:MERCH-02 @req:LIM-04 @pattern:limit
  Scenario Outline: The longest value comes back whole
    When the merchant debits 92.00 EUR with <name> of <length> characters
    Then the payment succeeds
    And the response shows <name> with <length> characters

    Examples:
      | name                      | length | why            |
      | customParameters[note]    | 2048   | the longest    |
      | customParameters[note]    | 255    | a usual column |
      | merchant.data[note]       | 2048   | the longest    |
      | cart.items[0].description | 2048   | the longest    |
      | merchant.name             | 100    | the longest    |
      | descriptor                | 127    | the longest    |
      | merchantTransactionId     | 255    | the longest    |

  @req:CUSTOM-01 @req:END-02 @pattern:place
  Scenario: Custom parameters of a payment are read with it
    Given a debit of 92.00 EUR with customParameters[order.note] "twice, please"
    When the merchant reads it
    Then the response shows customParameters[order.note] "twice, please"

  @req:RSP-08 @req:ADDR-02
  Scenario Outline: An address is shown with the members that were sent and no others
    When the merchant debits 92.00 EUR with
      | <address>.<member> | <value> |
    Then the payment succeeds
    And the response shows <address>.<member> "<value>"
    And the response shows no <address>.<other>

    Examples:
      | address  | member   | value         | other    | why              |
      | billing  | street1  | Main Street 5 | postcode | a street alone   |
      | billing  | postcode | 10115         | street1  | a postcode alone |
      | billing  | city     | Berlin        | country  | a city alone     |
      | billing  | country  | DE            | city     | a country alone  |
      | billing  | state    | BE.1          | city     | a state alone    |
      | shipping | street1  | Main Street 5 | postcode | a street alone   |
      | shipping | postcode | 10115         | street1  | a postcode alone |
      | shipping | city     | Graz          | country  | a city alone     |
      | shipping | country  | AT            | city     | a country alone  |

  @req:RSP-08 @req:CUST-05 @req:SHIP-01 @pattern:values
  Scenario: Billing, shipping and both customers are kept apart
    When the merchant debits 92.00 EUR with
      | billing.street1             | Main Street 5     |
      | billing.city                | Berlin            |
      | billing.postcode            | 10115             |
      | billing.country             | DE                |
      | shipping.street1            | High Street 7     |
      | shipping.city               | Graz              |
      | shipping.postcode           | 8010              |
      | shipping.country            | AT                |
      | customer.givenName          | Jane              |
      | customer.surname            | Jones             |
      | customer.email              | jane@shop.example |
      | shipping.customer.givenName | Ann               |
      | shipping.customer.surname   | Other             |
      | shipping.customer.email     | ann@shop.example  |
    Then the payment succeeds
    And the response shows
      | billing.street1             | Main Street 5     |
      | billing.city                | Berlin            |
      | billing.postcode            | 10115             |
      | billing.country             | DE                |
      | shipping.street1            | High Street 7     |
      | shipping.city               | Graz              |
      | shipping.postcode           | 8010              |
      | shipping.country            | AT                |
      | customer.givenName          | Jane              |
      | customer.surname            | Jones             |
      | customer.email              | jane@shop.example |
      | shipping.customer.givenName | Ann               |
      | shipping.customer.surname   | Other             |
      | shipping.customer.email     | ann@shop.example  |

  @req:CUST-02 @pattern:limit
  Scenario Outline: A name of exactly 48 characters is whole, one more is cut
    When the merchant debits 92.00 EUR for a customer whose names have <length> characters
    Then the payment succeeds
    And the response shows customer.givenName with <shown> characters
    And the response shows customer.surname with <shown> characters

    Examples:
      | length | shown | why                   |
      | 1      | 1     | the shortest          |
      | 47     | 47    | one less              |
      | 48     | 48    | the longest whole     |
      | 49     | 48    | the first that is cut |
      | 255    | 48    | far longer            |

  @req:RSP-07 @req:PAY-01 @pattern:limit
  Scenario Outline: An amount is shown as it was sent, with two decimals
    When the merchant debits <amount> <currency>
    Then the payment succeeds
    And the response shows
      | amount   | <shown>    |
      | currency | <currency> |

    Examples:
      | amount        | currency | shown         | why                          |
      | 0.01          | EUR      | 0.01          | the smallest                 |
      | 0.10          | USD      | 0.10          | a zero at the end            |
      | 1.99          | GBP      | 1.99          | no rounding up               |
      | 100           | CHF      | 100.00        | no decimals sent             |
      | 1000.00       | PLN      | 1000.00       | no separator of thousands    |
      | 92.50         | JPY      | 92.50         | a currency without decimals  |
      | 92.50         | KWD      | 92.50         | a currency of three decimals |
      | 8999999999.91 | HUF      | 8999999999.91 | more than a float keeps      |

  @req:TRN-05 @req:TRN-06 @req:CART-01 @req:CART-03 @req:AIR-01 @pattern:place @pattern:limit
  Scenario Outline: Every list of more than ten entries is shown in the order of its indexes
    When the merchant sends these with <kind>
      | <list>[11].<member> | V11 |
      | <list>[3].<member> | V3  |
      | <list>[0].<member> | V0  |
      | <list>[10].<member> | V10 |
      | <list>[7].<member> | V7  |
      | <list>[1].<member> | V1  |
      | <list>[12].<member> | V12 |
      | <list>[9].<member> | V9  |
      | <list>[4].<member> | V4  |
      | <list>[2].<member> | V2  |
      | <list>[6].<member> | V6  |
      | <list>[8].<member> | V8  |
      | <list>[5].<member> | V5  |
    Then it is accepted
    And the response shows
      | <list>[0].<member> | V0  |
      | <list>[1].<member> | V1  |
      | <list>[2].<member> | V2  |
      | <list>[3].<member> | V3  |
      | <list>[4].<member> | V4  |
      | <list>[5].<member> | V5  |
      | <list>[6].<member> | V6  |
      | <list>[7].<member> | V7  |
      | <list>[8].<member> | V8  |
      | <list>[9].<member> | V9  |
      | <list>[10].<member> | V10 |
      | <list>[11].<member> | V11 |
      | <list>[12].<member> | V12 |
    And what is read is what was answered

    Examples:
      | kind                             | list                        | member         | why                   |
      | an authorization                 | cart.items                  | name           | items                 |
      | a debit                          | cart.items                  | description    | another member        |
      | a debit                          | cart.payments               | name           | payments of a cart    |
      | a debit                          | airline.passengers          | name           | passengers            |
      | a debit                          | airline.passengers[0].legs  | flightNumber   | a list inside a list  |
      | a debit at the card host         | cart.items                  | merchantItemId | EXTERNAL              |
      | a payment in a checkout          | cart.items                  | name           | it is paid in a form  |
      | a payment in a checkout          | airline.passengers[0].legs  | flightNumber   | legs in a checkout    |
      | a payment from a registration    | cart.payments               | name           | a stored card         |
      | a wallet payment                 | airline.passengers          | ticketNumber   | a wallet              |
      | a payment from a virtual account | cart.items                  | sku            | a virtual account     |
      | a capture                        | cart.items                  | name           | it refers to another  |
      | a refund                         | cart.items                  | name           | it refers to another  |

  @req:AIR-01 @req:TRN-06 @pattern:place @pattern:values
  Scenario Outline: The legs of every passenger begin with 0, whatever another one has
    When the merchant sends these with <kind>
      | airline.passengers[0].legs[0].flightNumber | SG11 |
      | <second>                                   | SG21 |
      | <third>                                    | SG31 |
    Then the request is refused, naming <named>

    Examples:
      | kind                          | second                                     | third                                      | named                                      | why                            |
      | a debit                       | airline.passengers[1].legs[1].flightNumber | airline.passengers[2].legs[0].flightNumber | airline.passengers[1].legs[1].flightNumber | it goes on after another one's |
      | a debit                       | airline.passengers[1].legs[0].flightNumber | airline.passengers[2].legs[1].flightNumber | airline.passengers[2].legs[1].flightNumber | the third one                  |
      | an authorization              | airline.passengers[0].legs[1].flightNumber | airline.passengers[1].legs[2].flightNumber | airline.passengers[1].legs[2].flightNumber | it goes on after two legs      |
      | a payment in a checkout       | airline.passengers[1].legs[1].flightNumber | airline.passengers[2].legs[0].flightNumber | airline.passengers[1].legs[1].flightNumber | it is paid in a checkout       |
      | a checkout                    | airline.passengers[1].legs[1].flightNumber | airline.passengers[2].legs[0].flightNumber | airline.passengers[1].legs[1].flightNumber | it is prepared                 |
      | a payment from a registration | airline.passengers[1].legs[1].flightNumber | airline.passengers[2].legs[0].flightNumber | airline.passengers[1].legs[1].flightNumber | a stored card                  |
      | a wallet payment              | airline.passengers[1].legs[1].flightNumber | airline.passengers[2].legs[0].flightNumber | airline.passengers[1].legs[1].flightNumber | a wallet                       |

  @req:AIR-01 @req:TRN-06 @pattern:values
  Scenario: A passenger may have fewer legs than another one
    When the merchant debits 92.00 EUR with
      | airline.passengers[0].legs[0].flightNumber | SG11 |
      | airline.passengers[0].legs[1].flightNumber | SG12 |
      | airline.passengers[1].legs[0].flightNumber | SG21 |
      | airline.passengers[2].name                 | Ann  |
    Then the payment succeeds
    And the response shows
      | airline.passengers[0].legs[1].flightNumber | SG12 |
      | airline.passengers[1].legs[0].flightNumber | SG21 |
    And the response shows no airline.passengers[1].legs[1]
    And the response shows no airline.passengers[2].legs

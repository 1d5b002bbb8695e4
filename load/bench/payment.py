"""The measured payment: forty parameters, as an online shop with a cart sends them."""

from urllib.parse import urlencode, urlsplit

from load.bench.generator import NUMBER_DIGITS, RequestTemplate

PATH = "/v1/payments"
NUMBER_PLACE = "0" * NUMBER_DIGITS
PARAMETERS = {
    "paymentType": "DB",
    "amount": "92.00",
    "currency": "EUR",
    "paymentBrand": "VISA",
    "descriptor": "Corner Shop 4711",
    "merchantTransactionId": f"order-{NUMBER_PLACE}",
    "merchantInvoiceId": "invoice-2026-000123",
    "merchantMemo": "two items, paid at once",
    "transactionCategory": "EC",
    "card.number": "4200000000000000",
    "card.holder": "Jane Jones",
    "card.expiryMonth": "05",
    "card.expiryYear": "2034",
    "card.cvv": "123",
    "customer.merchantCustomerId": "customer-000042",
    "customer.givenName": "Jane",
    "customer.surname": "Jones",
    "customer.sex": "F",
    "customer.birthDate": "1984-02-29",
    "customer.phone": "+49 30 1234567",
    "customer.email": "jane.jones@shop.example",
    "customer.ip": "203.0.113.42",
    "customer.status": "EXISTING",
    "billing.street1": "Lindenallee 12",
    "billing.street2": "Second floor",
    "billing.city": "Berlin",
    "billing.state": "BE",
    "billing.postcode": "10115",
    "billing.country": "DE",
    "shipping.street1": "Am Alten Markt 3",
    "shipping.city": "Potsdam",
    "shipping.postcode": "14467",
    "shipping.country": "DE",
    "shipping.cost": "4.90",
    "cart.items[0].name": "Blue kettle",
    "cart.items[0].merchantItemId": "sku-1001",
    "cart.items[0].quantity": "2",
    "cart.items[0].price": "43.55",
    "customParameters[campaign]": "autumn-2026",
}


def payment_requests(base_url: str, *, token: str, entity_id: str, **more: str) -> RequestTemplate:
    """Return a template of requests that each create a payment of forty parameters, and `more`."""
    address = address_of(base_url)
    request = format_post(address, PATH, token=token, body=encode_form(entity_id, **more))
    before, _, after = request.partition(NUMBER_PLACE.encode())
    return RequestTemplate(address, before, after)


def format_post(address: tuple[str, int], path: str, *, token: str, body: str) -> bytes:
    """Return the bytes of one request with a form."""
    head = (
        f"POST {path} HTTP/1.1\r\nHost: {address[0]}:{address[1]}\r\n"
        f"Authorization: Bearer {token}\r\n"
        "Content-Type: application/x-www-form-urlencoded; charset=UTF-8\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    return (head + body).encode("ascii")


def encode_form(entity_id: str, **more: str) -> str:
    """Return the forty parameters and `more` as a form."""
    return urlencode({"entityId": entity_id, **PARAMETERS, **more})


def address_of(base_url: str) -> tuple[str, int]:
    """Return host and port of an address such as http://127.0.0.1:8080/."""
    parts = urlsplit(base_url)
    return parts.hostname or "", parts.port or 80

"""Pages of shops that embed the form, each as some shops are built; written from what was seen.

{script} is the address of the script for a checkout, {result} the page to come back to. The scripts
in them run in the oldest named browser too. They keep what is called in `seen`.
"""

from simulator.tests.browser.form_shop import HEAD

READY = "onReady: function (list) { seen.push(['ready', list]); }"
ERROR = "onError: function (error) { seen.push(['error', error.name, error.message]); }"
ELEMENT = '<form action="{result}" class="paymentWidgets" data-brands="VISA MASTER AMEX"></form>'
TAG = '<script src="{script}"></script>'


def script(text: str) -> str:
    """A script of the shop itself, as its policy allows."""
    return f'<script nonce="shop">{text}</script>'


def page_of(head: str, body: str) -> str:
    """A page with this at the end of its head, and this in its body."""
    return f"{HEAD}{head}</head><body><h1>Checkout</h1>{body}</body></html>\n"


OPTIONS = script(f"var wpwlOptions = {{{READY}, {ERROR}, brandDetection: true}};")

# Options are set when the document is there, long after the tag was read.
OPTIONS_LATE = page_of(
    TAG
    + script(
        "document.addEventListener('DOMContentLoaded', function () { window.wpwlOptions = {"
        f" style: 'plain', locale: 'es', {READY}, {ERROR},"
        " labels: {cardHolder: 'Titular'} }; });"
    ),
    ELEMENT,
)

# A promise decides, and what decides is exchanged while the form stands. Its `then` is older than
# promises of browsers.
PROMISES = page_of(
    script(
        f"""var wpwlOptions = {{ {READY}, {ERROR},
      onAfterSubmit: function () {{ seen.push(['after']); }},
      onBeforeSubmitCard: function () {{ seen.push(['first']); return false; }} }};
    function answer(value) {{ return {{ then: function (done) {{ window.setTimeout(function () {{
      seen.push(['answered', value]); done(value); }}, 60); }} }}; }}
    function decide(value) {{
      wpwlOptions.onBeforeSubmitCard = function (event) {{
        seen.push(['asked', this.tagName, typeof event.preventDefault]);
        return typeof value === 'boolean' ? answer(value) : undefined; }};
    }}"""
    )
    + TAG,
    ELEMENT,
)

# Groups are moved, texts inserted, the button renamed: the frames of moved groups load again.
MOVED = page_of(
    TAG,
    ELEMENT
    + script(
        f"""var wpwlOptions = {{ {ERROR}, brandDetection: true,
      onReadyIframeCommunication: function () {{
        seen.push(['frame', this.$iframe[0].name, this.$iframe.get(0).title]);
        this.$iframe.css({{height: '52px'}}); }},
      onReady: function (list) {{
        var form = document.querySelector('form.wpwl-form-card');
        var button = form.querySelector('.wpwl-button');
        var terms = document.createElement('div');
        terms.className = 'terms';
        terms.innerHTML = '<label><input type="checkbox" name="createRegistration" value="true">'
          + ' Keep my card</label>';
        button.parentNode.insertBefore(terms, button);
        button.innerHTML = 'Place my order';
        form.insertBefore(form.querySelector('.wpwl-group-cardNumber'), form.firstChild);
        form.insertBefore(form.querySelector('.wpwl-group-cvv'),
          form.querySelector('.wpwl-group-expiry'));
        seen.push(['ready', list]); }} }};"""
    ),
)

# The library fetches the script when the document is there, and adds an element to it.
JQUERY = page_of(
    '<script src="/jquery.js"></script>'
    + script(
        f"""$(function () {{
      window.wpwlOptions = {{ {ERROR}, style: 'plain', onReady: function (list) {{
        $('.wpwl-group-cardHolder').insertBefore('.wpwl-group-cardNumber');
        $('.wpwl-label-cvv').text('Code');
        $('.wpwl-button').before('<p class="terms">By paying you accept our terms</p>');
        $('form.wpwl-form-card').find('.wpwl-button').on('click', function () {{
          seen.push(['clicked']); }});
        seen.push(['ready', list]); }},
        onReadyIframeCommunication: function () {{
          this.$iframe.addClass('ours').height(50);
          seen.push(['library', Boolean(this.$iframe.jquery)]); }} }};
      $('#pay').append('<form action="{{result}}" class="paymentWidgets">VISA MASTER AMEX</form>');
      $.getScript('{{script}}', function () {{ seen.push(['fetched']); }});
    }});"""
    ),
    '<div id="pay"></div>',
)

TAG_LAST = page_of(OPTIONS, ELEMENT + TAG)
ASYNC = page_of(
    OPTIONS
    + '<script src="{script}" async integrity="{integrity}" crossorigin="anonymous"></script>',
    ELEMENT,
)
ADDED = page_of(
    OPTIONS,
    ELEMENT
    + script(
        """window.setTimeout(function () { var tag = document.createElement('script');
        tag.src = '{script}'; document.body.appendChild(tag); }, 100);"""
    ),
)
# The element comes when the shop has fetched the rest of its page.
ELEMENT_LATE = page_of(
    OPTIONS + TAG,
    '<div id="later"></div>'
    + script(
        "window.setTimeout(function () {"
        f" document.getElementById('later').innerHTML = '{ELEMENT}'; }}, 700);"
    ),
)

# The widget stands in the form of an order; both are sent on their own.
IN_A_FORM = page_of(
    OPTIONS + TAG,
    '<form id="order" action="/order"><input name="comment" value="ring twice">'
    '<div class="paymentWidgets" data-brands="VISA MASTER AMEX" data-action="{result}"></div>'
    '<button id="later">Order without paying</button></form>'
    + script(
        """var order = document.getElementById('order');
      order.addEventListener('submit', function (event) { event.preventDefault();
        seen.push(['order']); });
      function namesOfOrder() { seen.push(['names', [].map.call(order.elements,
        function (each) { return each.name || each.id; })]); }"""
    ),
)
NESTED = page_of(
    OPTIONS + TAG, f'<form id="order" action="/order"><input name="a">{ELEMENT}</form>'
)

TWO_ELEMENTS = page_of(
    OPTIONS + TAG,
    '<form action="{result}&form=card" class="paymentWidgets" data-brands="AMEX"></form><hr>'
    '<form action="{result}&form=other" class="paymentWidgets" data-brands="VISA GIROPAY"></form>',
)
BRANDS_AS_TEXT = page_of(
    OPTIONS + TAG, '<form action="{result}" class="paymentWidgets">\n  AMEX\n  VISA </form>'
)

# The cart changes: another checkout, the same place.
TWO_CHECKOUTS = page_of(
    script(
        f"""var wpwlOptions = {{ {READY}, {ERROR} }};
      function load(address) {{
        if (window.wpwl && window.wpwl.unload) {{
          window.wpwl.unload();
          [].slice.call(document.querySelectorAll('script[src*="paymentWidgets"]')).forEach(
            function (tag) {{ tag.parentNode.removeChild(tag); }});
        }}
        document.getElementById('pay').innerHTML = '{ELEMENT}';
        var tag = document.createElement('script');
        tag.src = address;
        document.getElementById('pay').appendChild(tag);
      }}"""
    ),
    '<div id="pay"></div>' + script("load('{script}');"),
)

# Fields of the shop in the form, and a token of its framework that it takes out again.
INPUTS = page_of(
    script(
        f"""var wpwlOptions = {{ {ERROR}, onReady: function (list) {{
        var form = document.querySelector('form.wpwl-form-card');
        [['customParameters[SHOPPER_order]', '4711'], ['recurring.numberOfInstallments', '3'],
         ['csrf', 'x'], ['locale', 'en']].forEach(function (pair) {{
          var input = document.createElement('input');
          input.type = 'hidden'; input.name = pair[0]; input.value = pair[1];
          form.appendChild(input); }});
        var box = document.createElement('div');
        box.innerHTML = '<input type="checkbox" name="createRegistration" value="true" id="keep">'
          + '<label for="keep">Keep</label>';
        form.insertBefore(box, form.querySelector('.wpwl-group-submit'));
        seen.push(['ready', list]); }},
      onBeforeSubmitCard: function () {{
        ['csrf', 'locale'].forEach(function (name) {{
          var found = document.querySelector('.wpwl-form [name=' + name + ']');
          if (found) {{ found.parentNode.removeChild(found); }} }});
        return true; }} }};"""
    )
    + TAG,
    ELEMENT,
)

# A button of the shop's own pays; the one of the form is hidden.
OWN_BUTTON = page_of(
    OPTIONS + TAG,
    ELEMENT
    + '<button id="own" type="button">Order now</button>'
    + script(
        """document.getElementById('own').onclick = function () {
        wpwl.executePayment(document.getElementById('own').getAttribute('data-classes')); };"""
    ),
)

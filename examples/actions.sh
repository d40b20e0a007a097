#!/usr/bin/env bash
# The backend actions (E14–E18) with the embedded backend: one document per project, which can be read as a cart, and one JSON value.
. "$(dirname "$0")/begin.sh"
ACTION=$URL/resource/namespace-action

# Before the first write the document is empty. → 200
api "$ACTION"

# Write a cart: a line item needs only a price. → 200
api "$ACTION" -d '{ "shippingAddress": { "city": "Graz" }, "lineItems": [
  { "name": "Oak chair", "count": 2, "price": { "centAmount": 12950, "currencyCode": "EUR" }, "variant": { "sku": "OAK-1" } },
  { "name": "Linen cloth", "price": { "centAmount": 2490, "currencyCode": "EUR" }, "variant": { "sku": "LIN-7" } }
] }'

# An object is merged: the line items stay, the street is added, null removes the city. → 200
api "$ACTION" -d '{ "shippingAddress": { "street": "Hauptplatz 1", "city": null } }'

# The cart: with ids and totals; the sum is 283.90. → 200
api "$ACTION-with-example"

# The same for a page that names its path. → 200
api -H 'Path-Header: /cart' -H 'Test-Header: { "version": 1 }' "$ACTION-with-headers"

# A page that does not. → 400
api "$ACTION-with-headers"

# Two requests with the same Idempotency-Key are written once. → 200
api -H 'Idempotency-Key: order-4711' "$ACTION" -d '{ "note": "Ring twice" }'

# This is the second one. → 200
api -H 'Idempotency-Key: order-4711' "$ACTION" -d '{ "note": "Ring twice" }'

# A document may have two currencies … → 200
api "$ACTION" -d '{ "lineItems": [
  { "name": "Oak chair", "price": { "centAmount": 12950, "currencyCode": "EUR" } },
  { "name": "Maple chair", "price": { "centAmount": 13900, "currencyCode": "USD" } }
] }'

# … but then it has no sum and is no cart; the response names the path. → 409
api "$ACTION-with-example"

# Any JSON but an object replaces the document; null makes it an empty cart. → 200
api "$ACTION" -d 'null'

# Any JSON value is kept. → 200
api -X PUT "$URL/resource/json-serializable-primitive-type" -d '"a bare string"'

# A long integer keeps all its digits. → 200
api -X PUT "$URL/resource/json-serializable-primitive-type" -d '9007199254740993'

# An empty body is not JSON. → 400
api -X PUT "$URL/resource/json-serializable-primitive-type"

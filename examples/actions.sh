#!/usr/bin/env bash
# The actions with the embedded backend: a document per project that is read as a cart, and a value of any JSON.
. "$(dirname "$0")/begin.sh"
ACTION=$URL/resource/namespace-action

# Before the first write the document is empty. → 200
api "$ACTION"

# Write a cart: the least that a line item needs is a price. → 200
api "$ACTION" -d '{ "shippingAddress": { "city": "Graz" }, "lineItems": [
  { "name": "Oak chair", "count": 2, "price": { "centAmount": 12950, "currencyCode": "EUR" }, "variant": { "sku": "OAK-1" } },
  { "name": "Linen cloth", "price": { "centAmount": 2490, "currencyCode": "EUR" }, "variant": { "sku": "LIN-7" } }
] }'

# An object is merged: the line items stay, the street comes in, null removes. → 200
api "$ACTION" -d '{ "shippingAddress": { "street": "Hauptplatz 1", "city": null } }'

# The cart: ids are made, totals are there, the sum is 283.90. → 200
api "$ACTION-with-example"

# The same for a page that says where it is. → 200
api -H 'Path-Header: /cart' -H 'Test-Header: { "version": 1 }' "$ACTION-with-headers"

# A page that does not say it. → 400
api "$ACTION-with-headers"

# A repeat with the same key is written once. → 200
api -H 'Idempotency-Key: order-4711' "$ACTION" -d '{ "note": "Ring twice" }'

# Here it is again. → 200
api -H 'Idempotency-Key: order-4711' "$ACTION" -d '{ "note": "Ring twice" }'

# Two currencies make no sum, and the answer says where they are. → 200
api "$ACTION" -d '{ "lineItems": [
  { "name": "Oak chair", "price": { "centAmount": 12950, "currencyCode": "EUR" } },
  { "name": "Maple chair", "price": { "centAmount": 13900, "currencyCode": "USD" } }
] }'

# The document is as it was written, only it is no cart. → 409
api "$ACTION-with-example"

# Anything that is no object replaces the document; null makes it an empty cart. → 200
api "$ACTION" -d 'null'

# Any JSON value, all digits of it. → 200
api -X PUT "$URL/resource/json-serializable-primitive-type" -d '"a bare string"'

# A long integer. → 200
api -X PUT "$URL/resource/json-serializable-primitive-type" -d '9007199254740993'

# Nothing is no JSON. → 400
api -X PUT "$URL/resource/json-serializable-primitive-type"

#!/usr/bin/env bash
# The update action of examples/actions. Start the service with ACTIONS_DIR=examples/actions.
. "$(dirname "$0")/begin.sh"
[[ $(curl -sS "$BASE/openapi.json") == *'"applyDiscount"'* ]] ||
  fail "The service at $BASE has no update action “applyDiscount”. Start it with ACTIONS_DIR=examples/actions."

# A resource with a price. → 201
api "$URL/resource" -d '{ "id": "sofa", "price": { "centAmount": 99900, "currencyCode": "EUR" } }'

# Take a fifth off. → 200
api "$URL/resource/sofa" -d '{ "version": 1, "actions": [{ "action": "applyDiscount", "percent": 20 }] }'

# A field of the wrong type is refused before the action runs. → 400
api "$URL/resource/sofa" -d '{ "version": 2, "actions": [{ "action": "applyDiscount", "percent": "20" }] }'

# The action itself refuses, and nothing of the request is applied. → 400
api "$URL/resource/sofa" -d '{ "version": 2, "actions": [
  { "action": "setField", "path": "sale", "value": true }, { "action": "applyDiscount", "percent": 120 }
] }'

# Clean up: the version is still 2. → 200
api -X DELETE "$URL/resource/sofa?version=2"

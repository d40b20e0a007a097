#!/usr/bin/env bash
# The operator's own update action of examples/actions; the service was started with ACTIONS_DIR=examples/actions.
. "$(dirname "$0")/begin.sh"

# Something with a price. → 201
api "$URL/resource" -d '{ "id": "sofa", "price": { "centAmount": 99900, "currencyCode": "EUR" } }'

# A fifth off. → 200
api "$URL/resource/sofa" -d '{ "version": 1, "actions": [{ "action": "applyDiscount", "percent": 20 }] }'

# A field of the wrong type is refused before the action runs. → 400
api "$URL/resource/sofa" -d '{ "version": 2, "actions": [{ "action": "applyDiscount", "percent": "20" }] }'

# The action itself refuses, and nothing of the request is done. → 400
api "$URL/resource/sofa" -d '{ "version": 2, "actions": [
  { "action": "setField", "path": "sale", "value": true }, { "action": "applyDiscount", "percent": 120 }
] }'

# Clean up, if nothing was done. → 200
api -X DELETE "$URL/resource/sofa?version=2"

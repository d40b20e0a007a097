#!/usr/bin/env bash
# Update actions, versions, and the staged projection (E10).
. "$(dirname "$0")/begin.sh"

# A resource to update. → 201
api "$URL/resource" -d '{ "id": "lamp", "price": { "centAmount": 1900 } }'

# Several update actions run in order, all or none of them, and raise the version by one. → 200
api "$URL/resource/lamp" -d '{ "version": 1, "actions": [
  { "action": "changeSomeProperty", "someProperty": "new" },
  { "action": "setField", "path": "price.centAmount", "value": 1700 },
  { "action": "setKey", "key": "lamp-1" }
] }'

# An unknown action is refused, and the response lists the known ones. → 400
api "$URL/resource/lamp" -d '{ "version": 2, "actions": [{ "action": "explode" }] }'

# A version that is not the current one: the response has currentVersion. → 409
api "$URL/resource/lamp" -d '{ "version": 1, "actions": [{ "action": "doSomeThing" }] }'

# Change the staged projection only … → 200
api "$URL/resource/key=lamp-1" -d '{ "version": 2, "actions": [
  { "action": "setField", "path": "price.centAmount", "value": 1500, "staged": true }
] }'

# … read it … → 200
api "$URL/resource/lamp?staged=true"

# … and drop it again. `publish` would make it current. → 200
api "$URL/resource/lamp" -d '{ "version": 3, "actions": [{ "action": "revertStagedChanges" }] }'

# Clean up. → 200
api -X DELETE "$URL/resource/lamp?version=4"

#!/usr/bin/env bash
# Lists, predicates and existence checks (E1, E5, E12).
. "$(dirname "$0")/begin.sh"

# Three resources. → 201
api "$URL/resource" -d '{ "id": "list-a", "shelf": 1, "tags": ["x", "y"], "objectTypeProperty": { "arrayOfIntExample": [1, 6] } }'
# → 201
api "$URL/resource" -d '{ "id": "list-b", "shelf": 2, "tags": [], "parent": { "typeId": "resource", "id": "list-a" } }'
# → 201
api "$URL/resource" -d '{ "id": "list-c", "shelf": 3, "dog": { "name": "Rex", "age": 4 } }'

list() { api -G "$URL/resource/sorted-query-parameters" "$@"; }

# A predicate, a sort order and a page. → 200
list --data-urlencode 'where=shelf >= 2' --data-urlencode 'sort=shelf desc' -d limit=10

# Several `where` must all hold; a variable keeps values out of the predicate's text. → 200
list --data-urlencode 'where=tags contains any :wanted' --data-urlencode 'where=shelf in (1, 2)' \
  -d var.wanted=x -d var.wanted=z

# Fields of objects; the object must satisfy all of the inner predicate. → 200
list --data-urlencode 'where=dog(name = "Rex" and age < 7)'

# References can be expanded: `obj` is the resource they refer to. → 200
list --data-urlencode 'where=parent is defined' -d expand=parent

# Read everything in pages, in any order: each page but the last has `next`, which gets the page that follows. → 200
list --data-urlencode 'sort=shelf desc' -d limit=2 -d fields=shelf,dog.name
NEXT=$(curl -s -G -H "Authorization: Bearer $TOKEN" "$URL/resource/sorted-query-parameters" \
  --data-urlencode 'sort=shelf desc' -d limit=2 | field next)
# → 200
list --data-urlencode 'sort=shelf desc' -d limit=2 -d "cursor=$NEXT"

# A predicate with a mistake: the response has its line and column. → 400
list --data-urlencode 'where=shelf >= and'

# A misspelled parameter is refused; it would otherwise list everything. → 400
list --data-urlencode 'wher=shelf = 1'

# E1: conditions by parameter, the merged arrays of all matches, and the matches themselves. → 200
api -G "$URL/resource" -d integerParameter=6

# E5: is there one? → 200
api -I "$URL/resource?integerParameter=6"

# None has a 7. → 404
api -I "$URL/resource?integerParameter=7"

# Clean up. → 200
api -X DELETE "$URL/resource/list-a"
# → 200
api -X DELETE "$URL/resource/list-b"
# → 200
api -X DELETE "$URL/resource/list-c"

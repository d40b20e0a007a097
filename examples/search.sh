#!/usr/bin/env bash
# A tour of search (E4) through a catalogue of 200 products in three languages, made by catalogue.ts. It stays in the
# project "catalogue", so that you can go on trying; running the tour again writes the same products again.
PROJECT=catalogue
. "$(dirname "$0")/begin.sh"
SEARCH=$URL/resource/searchApiPattern

# Each line of the catalogue is one product; PUT makes it, or overwrites the one with its key. One curl sends them all.
load() {
  node "$(dirname "$0")/catalogue.ts" | node -e '
    const [url, token] = process.argv.slice(1);
    // As bytes first: Node 26.10 crashes now and then over a pipe that it is to read as UTF-8 at once.
    const products = fs.readFileSync(0).toString().trim().split("\n");
    const requests = products.map((product) => [
      `url = ${url}/resource`, "request = PUT", `header = "Authorization: Bearer ${token}"`,
      `header = "Content-Type: application/json"`, `data-binary = ${JSON.stringify(product)}`,
      "output = /dev/null", `write-out = "%{http_code}\\n"`].join("\n"));
    console.log(requests.join("\nnext\n"));' "$URL" "$TOKEN" |
    curl -s -K - | sort | uniq -c | while read -r count status; do echo "$count products answered $status"; done
}

# Prints an answer in short: how many match, the first three, the counts of the facets, the status.
show() {
  node -e '
    const [body, status] = fs.readFileSync(0).toString().trim().split(/\n(?=HTTP)/);
    const { total, results = [], facets = {}, message } = JSON.parse(body);
    console.log(message ?? `${total} found`);
    for (const { key, name, color, price } of results.slice(0, 3)) {
      console.log(`  ${key}  ${Object.values(name).join(" / ")}, ${color}, ${(price / 100).toFixed(2)}`);
    }
    for (const [name, { terms, ranges, count, missing }] of Object.entries(facets)) {
      const line = (text, number) => console.log(`    ${text}: ${number}`);
      console.log(`  facet ${name}${missing ? `, ${missing} without a value` : ""}`);
      for (const { term, count } of terms ?? []) line(term, count);
      for (const range of ranges ?? []) line(`${range.fromStr || "*"} to ${range.toStr || "*"}`, range.count);
      if (count !== undefined) line("with one of the values", count);
    }
    console.log(`${status}\n`);'
}
search() { curl -s -w "$STATUS" -H "Authorization: Bearer $TOKEN" -G "$SEARCH" "$@" | show; }

load

# Text in English; all words must be there. → 200
search --data-urlencode 'text.en=oak chair'

# In German … → 200
search --data-urlencode 'text.de=Stuhl Eiche'

# … and in French, without the accent that the text has (chêne). → 200
search --data-urlencode 'text.fr=chaise chene'

# Several languages are alternatives: it is enough to match in one. → 200
search --data-urlencode 'text.en=armchair velvet' --data-urlencode 'text.de=Sessel Samt'

# Another form of a word finds it: the products are called "Summer dress" … → 200
search --data-urlencode 'text.en=summer dresses'

# … and "Sommerkleid". → 200
search --data-urlencode 'text.de=Sommerkleider'

# A typo finds nothing … → 200
search --data-urlencode 'text.en=sandle'

# … unless it is forgiven. Six letters may be two edits away. → 200
search --data-urlencode 'text.en=sandle' -d fuzzy=true

# Fewer edits on request; zero means exact. → 200
search --data-urlencode 'text.en=sandle' -d fuzzy=true -d fuzzyLevel=0

# A locale is taken literally. "Sessel" is an armchair in German … → 200
search --data-urlencode 'text.de=Sessel'

# … and a plain chair in Austria. → 200
search --data-urlencode 'text.de-AT=Sessel'

# Filters need no text: values, a range with both ends, and what must be there. → 200
search --data-urlencode 'filter=color:"red","blue"' --data-urlencode 'filter=price:range(3000 to 5000)' \
  --data-urlencode 'filter=size:exists' --data-urlencode 'sort=price asc'

# A filter may be a predicate, too. → 200
search --data-urlencode 'filter=size contains all (38, 40) and stock = true and brand = "Tannwald"'

# Facets count what there is: terms, ranges without their upper end, single values. → 200
search --data-urlencode 'text.en=shoe' --data-urlencode 'facet=color' --data-urlencode 'facet=material' \
  --data-urlencode 'facet=price:range(* to 8000),(8000 to 12000),(12000 to *) as prices' \
  --data-urlencode 'facet=brand:"Lumen","Moor" as ours' -d limit=0

# filter.query narrows the results and every facet … → 200
search --data-urlencode 'filter.query=type:"lamp"' --data-urlencode 'facet=color' --data-urlencode 'facet=material' -d limit=0

# … filter narrows the results and no facet … → 200
search --data-urlencode 'filter.query=type:"lamp"' --data-urlencode 'filter=color:"red"' \
  --data-urlencode 'facet=color' --data-urlencode 'facet=material'

# … and filter.facets all facets but those of its own path. So a shop shows red lamps, the materials of red lamps, and
# how many there would be in each other color. → 200
search --data-urlencode 'filter.query=type:"lamp"' --data-urlencode 'filter=color:"red"' \
  --data-urlencode 'filter.facets=color:"red"' --data-urlencode 'facet=color' --data-urlencode 'facet=material'

# Prepare a change without publishing it: a staged name. → 200
VERSION=$(curl -s -H "Authorization: Bearer $TOKEN" "$URL/resource/key=product-001" | field version)
api "$URL/resource/key=product-001" -d '{ "version": '"$VERSION"', "actions": [
  { "action": "setField", "path": "name.en", "value": "Trail shoe Alma, waterproof", "staged": true }] }'

# Customers do not find it yet … → 200
search --data-urlencode 'text.en=waterproof'

# … the preview does … → 200
search --data-urlencode 'text.en=waterproof' -d staged=true

# … and once it is published, all do, with the next search. → 200
api "$URL/resource/key=product-001" -d '{ "version": '"$((VERSION + 1))"', "actions": [{ "action": "publish" }] }'
# → 200
search --data-urlencode 'text.en=waterproof'

# The same as a form by POST, for queries that are too long for an address. → 200
post() { curl -s -w "$STATUS" -H "Authorization: Bearer $TOKEN" "$SEARCH" "$@" | show; }
post --data-urlencode "filter=sku:$(printf '"SH-%d",' {1000..1150})\"LA-1006\""

# A mistake is answered with what would be right. → 400
search --data-urlencode 'filter=price:range(10 20)'

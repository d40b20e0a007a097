# Sourced by the examples: ends one that lacks what it needs, and says what to do. Run the examples in the folder where
# the service was started, or set BASE (its address) and ADMIN ("id:secret" of the administrator's client).
set -euo pipefail
fail() {
  echo "$(basename "$0"): $1" >&2
  exit 1
}
# The Node that `npm ci` installs, before any other: it runs TypeScript.
PATH=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)/node_modules/.bin:$PATH
for tool in curl node; do
  command -v "$tool" >/dev/null || fail "$tool is not installed."
done
BASE=${BASE:-http://127.0.0.1:8080}
curl -fs -m 30 -o /dev/null "$BASE/health/live" ||
  fail "There is no service at $BASE. Start it in another terminal (npm start), or set BASE to its address."
[ -n "${ADMIN:-}" ] || [ -r data/admin-client.json ] ||
  fail "There is no data/admin-client.json here. Change to the folder where the service was started, or set ADMIN=id:secret."

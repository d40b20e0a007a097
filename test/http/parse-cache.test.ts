import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiRequest } from '../../src/http/route.ts';
import { cacheParsed } from '../../src/http/routes/resources/lists.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';

/** A cached parser that counts its calls, and the metrics that it reports to. */
function cached() {
  const metrics = createMetrics();
  let calls = 0;
  const parse = cacheParsed(metrics, () => {
    calls += 1;
    return { call: calls };
  });
  return { metrics, callFor: (url: string) => parse({ url } as ApiRequest).call };
}

test('a query is parsed once while it is in use', () => {
  const { callFor, metrics } = cached();
  assert.deepEqual([callFor('/a'), callFor('/b'), callFor('/a')], [1, 2, 1]);
  for (let count = 0; count < 999; count += 1) callFor(`/${count}`);
  // The thousandth other query took the entry of the one used least recently.
  assert.deepEqual([callFor('/a'), callFor('/b')], [1, 1002]);
  assert.match(metrics.render(), /grs_cache_requests_total\{cache="queries",result="hit"\} 2\n/);
});

test('the query of a very long URL is parsed each time', () => {
  const { callFor } = cached();
  const long = `/${'x'.repeat(2000)}`;
  assert.deepEqual([callFor(long), callFor(long)], [1, 2]);
});

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { StoreStatus } from '../../src/domain/ports/store.ts';
import { healthRoutes } from '../../src/http/routes/operations/health.ts';
import { createLog, maxUnwrittenBytes } from '../../src/telemetry/log.ts';
import { startLoopDelay } from '../../src/telemetry/loop-delay.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { registerProcessMetrics } from '../../src/telemetry/process-metrics.ts';
import { build, routes } from './fixture.ts';

const writable: StoreStatus = { writable: true, isWarm: true, sizeBytes: 0, logBytes: 0, damagedRows: 0 };

function server(store: StoreStatus = writable) {
  const metrics = createMetrics();
  const loopDelay = startLoopDelay();
  loopDelay.stop();
  registerProcessMetrics(metrics, loopDelay);
  const health = healthRoutes({
    status: async () => store,
    renderMetrics: metrics.render,
  });
  const others = routes.filter(({ operationId }) => operationId !== 'openThing');
  return build({}, { routes: [...others, ...health], metrics, loopDelay });
}

describe('health', () => {
  test('/health/live → 200 without a token', async () => {
    const response = await server().inject({ url: '/health/live' });
    assert.equal(response.statusCode, 200);
    assert.deepEqual(response.json(), { status: 'live' });
    assert.equal(response.headers['cache-control'], 'no-store');
  });

  test('/health/ready → 200 when the checks are good, 503 with the reason when not', async () => {
    const good = await server().inject({ url: '/health/ready' });
    assert.equal(good.statusCode, 200);
    assert.deepEqual(good.json(), {
      status: 'ready',
      checks: { store: 'ok', queries: 'ok', process: 'ok', rows: 'ok', resources: 'ok' },
    });
    const full = server({ ...writable, writable: false, reason: 'the disk is full' });
    const bad = await full.inject({ url: '/health/ready' });
    assert.equal(bad.statusCode, 503);
    assert.deepEqual(bad.json(), {
      status: 'unready',
      checks: { store: 'the disk is full', queries: 'ok', process: 'ok', rows: 'ok', resources: 'ok' },
    });
    const ending = server();
    await ending.drain();
    const draining = await ending.inject({ url: '/health/ready' });
    assert.equal(draining.statusCode, 503);
    assert.deepEqual(draining.json(), {
      status: 'unready',
      checks: { store: 'ok', queries: 'ok', process: 'shutting down', rows: 'ok', resources: 'ok' },
    });
    const cold = await server({ ...writable, isWarm: false }).inject({ url: '/health/ready' });
    assert.equal(cold.statusCode, 503);
    assert.deepEqual(cold.json(), {
      status: 'unready',
      checks: { store: 'ok', queries: 'starting', process: 'ok', rows: 'ok', resources: 'ok' },
    });
    const rebuilding = 'The indexes are being built again (40 % are done).';
    const building = await server({ ...writable, rebuilding }).inject({ url: '/health/ready' });
    assert.equal(building.statusCode, 200);
    assert.equal(building.json().checks.queries, rebuilding);
  });

  test('/metrics → requests by operation and status class, in flight, memory, event loop', async () => {
    const app = server();
    const headers = { authorization: 'Bearer read-p' };
    await app.inject({ url: '/p/things/secret-id', headers });
    await app.inject({ url: '/p/things/secret-id', headers });
    await app.inject({ url: '/p/things' });
    const { body, headers: fields } = await app.inject({ url: '/metrics' });
    assert.equal(fields['content-type'], 'text/plain; version=0.0.4; charset=utf-8');
    assert.match(body, /^http_request_duration_seconds_count\{operation="getThing",status="2xx"\} 2$/m);
    assert.match(body, /^http_request_duration_seconds_count\{operation="listThings",status="4xx"\} 1$/m);
    assert.match(body, /^http_responses_total\{status="2xx"\} 2$/m);
    assert.match(body, /^http_responses_total\{status="5xx"\} 0$/m);
    // A series of each operation and class would be 300 KB.
    assert.equal(body.match(/^http_request_duration_seconds_count/gm)?.length, 2);
    assert.match(body, /^http_requests_in_flight 1$/m);
    assert.match(body, /^process_resident_memory_bytes \d+$/m);
    assert.match(body, /^nodejs_eventloop_delay_seconds\{quantile="0.99"\} \d/m);
    assert.equal(body.includes('secret-id'), false);
  });
});

describe('metrics', () => {
  test('a histogram counts up to each bound, in all and in sum', () => {
    const metrics = createMetrics();
    const histogram = metrics.histogram('h', 'Help.', [1, 2], { a: 'x"y' });
    for (const value of [0.5, 1, 1.5, 9]) histogram.observe(value);
    const lines = metrics.render().split('\n');
    assert.deepEqual(lines, [
      '# HELP h Help.',
      '# TYPE h histogram',
      'h_bucket{a="x\\"y",le="1"} 2',
      'h_bucket{a="x\\"y",le="2"} 3',
      'h_bucket{a="x\\"y",le="+Inf"} 4',
      'h_sum{a="x\\"y"} 12',
      'h_count{a="x\\"y"} 4',
      '',
    ]);
  });

  test('a histogram that is shown once observed is not there before', () => {
    const metrics = createMetrics();
    const histogram = metrics.histogram('h', 'Help.', [1], { a: 'b' }, 'onceObserved');
    assert.equal(metrics.render(), '# HELP h Help.\n# TYPE h histogram\n');
    histogram.observe(2);
    assert.match(metrics.render(), /^h_count\{a="b"\} 1$/m);
  });

  test('counters add, gauges are read when asked, families stand together, a series is made once', () => {
    const metrics = createMetrics();
    const counter = metrics.counter('c_total', 'C.', { kind: 'a' });
    metrics.gauge('g', 'G.', () => undefined);
    metrics.counter('c_total', 'C.', { kind: 'b' }).add(2);
    counter.add();
    assert.equal(
      metrics.render(),
      '# HELP c_total C.\n# TYPE c_total counter\nc_total{kind="a"} 1\nc_total{kind="b"} 2\n# HELP g G.\n# TYPE g gauge\n',
    );
    assert.throws(() => metrics.counter('c_total', 'C.', { kind: 'a' }), /exists already/);
  });
});

describe('logs', () => {
  const logTo = (lines: string[], writableLength = 0) =>
    createLog({ level: 'info', stream: { writableLength, write: (line) => lines.push(line) }, nowMs: () => 0 });

  test('a line is one line of JSON, whatever is in it, and without secrets', () => {
    const lines: string[] = [];
    const circular: Record<string, unknown> = {};
    circular.self = circular;
    const log = logTo(lines);
    log.write('info', 'login\n', {
      authorization: 'Bearer x',
      nested: { client_secret: 'x', path: '/\r\n\u001b[31m' },
      n: 1n,
    });
    log.write('error', 'failed', { error: new Error('a\nb', { cause: 'c' }) });
    log.write('info', 'odd', { circular });
    log.write('debug', 'not written');
    assert.equal(lines.length, 3);
    for (const line of lines) assert.match(line, /^[^\n]*\n$/);
    const first = JSON.parse(lines[0]!);
    assert.equal(first.authorization, '[redacted]');
    assert.equal(first.nested.client_secret, '[redacted]');
    assert.equal(first.time, '1970-01-01T00:00:00.000Z');
    assert.equal(JSON.parse(lines[1]!).error.message, 'a\nb');
    assert.equal(JSON.parse(lines[2]!).unloggable, true);
    assert.equal(log.enabled('debug'), false);
  });

  test('a reader that stopped reading costs lines, counted, and nothing else', () => {
    const lines: string[] = [];
    const log = logTo(lines, maxUnwrittenBytes + 1);
    log.write('info', 'a');
    log.write('error', 'b');
    assert.deepEqual(lines, []);
    assert.equal(log.dropped(), 2);
  });
});

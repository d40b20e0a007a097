import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { describe, test } from 'node:test';
import { responseHeaders } from '../../src/http/openapi/operation.ts';
import { addressGroup, createRemoteAddress, localAddress, publicAddress } from '../../src/http/request/address.ts';
import { createRateLimit } from '../../src/http/request/rate-limit.ts';
import { startLoopDelay } from '../../src/telemetry/loop-delay.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { assertError, build, settings } from './fixture.ts';

const read = { url: '/p/things', headers: { authorization: 'Bearer read-p' } };
const login = (headers: Readonly<Record<string, string>> = {}) =>
  ({
    method: 'POST',
    url: '/oauth/token',
    headers: { authorization: 'Basic Y2xpZW50OnNlY3JldA==', ...headers },
  }) as const;

function rateLimit(perSecond: number, burst: number, nowMs: () => number) {
  return createRateLimit({ name: 'api', perSecond, burst, nowMs, metrics: createMetrics() })!.take;
}

describe('rate limits', () => {
  test('the API is without limit by default', async () => {
    const server = build();
    for (let at = 0; at < 50; at += 1) assert.equal((await server.inject(read)).statusCode, 200);
  });

  test('a client over its rate → 429 with Retry-After and RateLimit, others go on, and time refills it', async () => {
    let nowMs = 0;
    const server = build({ API_RATE_PER_SECOND: '2' }, { nowMs: () => nowMs });
    for (let at = 0; at < 4; at += 1) assert.equal((await server.inject(read)).statusCode, 200);
    const refused = await server.inject(read);
    assert.equal(refused.statusCode, 429);
    assertError({ status: 429, text: refused.body, type: refused.headers['content-type'] }, 'TooManyRequests');
    assert.equal(refused.headers['retry-after'], '1');
    assert.equal(refused.headers.ratelimit, '"api";r=0;t=1');
    assert.equal(refused.headers['ratelimit-policy'], '"api";q=4;w=2');
    const other = await server.inject({ ...read, headers: { authorization: 'Bearer write-p' } });
    assert.equal(other.statusCode, 200);
    nowMs = 500;
    assert.equal((await server.inject(read)).statusCode, 200);
    assert.equal((await server.inject(read)).statusCode, 429);
  });

  test('a key that was quiet for an hour may send its burst and no more', () => {
    let nowMs = 0;
    const take = rateLimit(2, 3, () => nowMs);
    take('a');
    nowMs = 3_600_000;
    for (let at = 0; at < 3; at += 1) take('a');
    assert.throws(() => take('a'), { code: 'TooManyRequests' });
  });

  test('a clock that jumps back refuses no client that had tokens left', () => {
    let nowMs = 10_000;
    const take = rateLimit(1, 2, () => nowMs);
    take('a');
    nowMs = 0;
    take('a');
    assert.throws(() => take('a'));
  });

  test('the memory of keys is bounded', () => {
    const take = rateLimit(1, 1, () => 0);
    take('first');
    assert.throws(() => take('first'));
    for (let at = 0; at < 20_001; at += 1) take(`key ${at}`);
    assert.doesNotThrow(() => take('first'));
  });

  test('the token endpoint counts by client and address', async () => {
    const server = build({ TOKEN_RATE_PER_SECOND: '1' }, { nowMs: () => 0 });
    for (let at = 0; at < 20; at += 1) assert.equal((await server.inject(login())).statusCode, 200);
    assert.equal((await server.inject(login())).statusCode, 429);
    assert.equal((await server.inject({ ...login(), remoteAddress: '10.0.0.1' })).statusCode, 200);
    const otherClient = await server.inject(login({ authorization: 'Basic b3RoZXI6c2VjcmV0' }));
    assert.equal(otherClient.statusCode, 200);
  });

  test('addresses of one IPv6 /64 count as one', () => {
    assert.equal(addressGroup('2001:db8:1:2:3:4:5:6'), addressGroup('2001:db8:1:2::9'));
    assert.notEqual(addressGroup('2001:db8:1:2::9'), addressGroup('2001:db8:1:3::9'));
    assert.equal(addressGroup('10.0.0.1'), '10.0.0.1');
    assert.equal(addressGroup('::ffff:10.0.0.1'), '::ffff:10.0.0.1');
  });
});

describe('X-Forwarded-For', () => {
  const from = (trusted: string, forwarded: string, remoteAddress: string) => {
    const { trustProxy } = settings({ TRUST_PROXY: trusted });
    const headers = { 'x-forwarded-for': forwarded };
    return createRemoteAddress(trustProxy)({ headers, socket: { remoteAddress } } as unknown as IncomingMessage);
  };
  const rows: readonly (readonly [string, string, string, string, string])[] = [
    ['is ignored without trusted proxies', '', '1.1.1.1', '10.0.0.1', '10.0.0.1'],
    ['is ignored from a peer that is no trusted proxy', '10.0.0.0/8', '1.1.1.1', '9.9.9.9', '9.9.9.9'],
    ['is believed from a trusted proxy', '10.0.0.0/8', '1.1.1.1', '10.0.0.1', '1.1.1.1'],
    [
      'is read from the right: what the client wrote itself does not count',
      '10.0.0.0/8',
      '6.6.6.6, 1.1.1.1, 10.0.0.2',
      '10.0.0.1',
      '1.1.1.1',
    ],
    ['may have a port', '10.0.0.0/8', '1.1.1.1:4711, 10.0.0.2:80', '10.0.0.1', '1.1.1.1'],
    ['may have IPv6 in brackets', '10.0.0.0/8, fd00::/8', '[2001:db8::1], [fd00::2]', '10.0.0.1', '2001:db8::1'],
    ['may have IPv6 in brackets with a port', '10.0.0.0/8', '"[2001:db8::1]:4711"', '10.0.0.1', '2001:db8::1'],
    ['with a word in brackets ends the search', '10.0.0.0/8', '[proxy]:80', '10.0.0.1', '10.0.0.1'],
    ['that is no address ends the search', '10.0.0.0/8', 'unknown', '10.0.0.1', '10.0.0.1'],
  ];
  for (const [claim, trusted, forwarded, peer, expected] of rows) {
    test(`X-Forwarded-For ${claim}`, () => assert.equal(from(trusted, forwarded, peer), expected));
  }

  test('a range that is none → the server is not made', () => {
    assert.throws(() => build({ TRUST_PROXY: 'proxy.local' }), /TRUST_PROXY/);
  });
});

describe('load', () => {
  test('a late event loop → 503 OverCapacity with Retry-After; health checks still respond', async () => {
    const loopDelay = startLoopDelay();
    loopDelay.stop();
    const server = build({}, { loopDelay });
    assert.equal((await server.inject(read)).statusCode, 200);
    for (let at = 0; at < 20; at += 1) loopDelay.sample(300);
    const shed = await server.inject(read);
    assert.equal(shed.statusCode, 503);
    assertError({ status: 503, text: shed.body, type: shed.headers['content-type'] }, 'OverCapacity');
    assert.match(String(shed.headers['retry-after']), /^[1-5]$/);
    assert.equal((await server.inject({ url: '/health/live' })).statusCode, 200);
    for (let at = 0; at < 20; at += 1) loopDelay.sample(0);
    assert.equal((await server.inject(read)).statusCode, 200);
  });

  test('one late turn sheds nothing, and SHED_DELAY_MS=0 switches it off', async () => {
    const loopDelay = startLoopDelay();
    loopDelay.stop();
    loopDelay.sample(700);
    assert.equal((await build({}, { loopDelay }).inject(read)).statusCode, 200);
    for (let at = 0; at < 20; at += 1) loopDelay.sample(9000);
    assert.equal((await build({ SHED_DELAY_MS: '0' }, { loopDelay }).inject(read)).statusCode, 200);
  });
});

describe('address', () => {
  const placed = { REGION: 'eu-1', CLOUD_PROVIDER: 'gcp', DOMAIN: 'example.org' };
  const statusFor = async (host: string, environment: Readonly<Record<string, string>> = placed) =>
    (await build(environment).inject({ ...read, headers: { ...read.headers, host } })).statusCode;

  test('the issuer that HOST and PORT make is a URL, whatever the host', () => {
    const addresses = {
      '127.0.0.1': 'http://127.0.0.1:8080',
      '0.0.0.0': 'http://0.0.0.0:8080',
      '::': 'http://localhost:8080',
      '0:0:0:0:0:0:0:0': 'http://localhost:8080',
      '::1': 'http://[::1]:8080',
      'fd00::1': 'http://[fd00::1]:8080',
    };
    for (const [host, address] of Object.entries(addresses)) {
      assert.equal(localAddress({ host, port: 8080 }), address);
      assert.ok(URL.canParse(address));
    }
  });

  test('the public address comes from the settings', () => {
    assert.equal(publicAddress(settings(placed)), 'https://api.eu-1.gcp.example.org');
    assert.equal(publicAddress(settings()), undefined);
  });

  test('a Host of the domain with another region or provider → 421', async () => {
    assert.equal(await statusFor('api.us-1.gcp.example.org'), 421);
    assert.equal(await statusFor('API.eu-1.AWS.example.org:443'), 421);
  });

  test('the own Host and Hosts of other domains are served; without settings every Host is', async () => {
    for (const host of [
      'api.eu-1.gcp.example.org',
      'Api.EU-1.gcp.example.org:8080',
      'localhost',
      '10.0.0.1',
      '[::1]:80',
    ]) {
      assert.equal(await statusFor(host), 200, host);
    }
    assert.equal(await statusFor('api.us-1.gcp.example.org', {}), 200);
  });
});

describe('CORS', () => {
  const allowed = { CORS_ORIGINS: 'https://app.example.org' };
  const preflight = (origin: string, url = '/p/things') =>
    ({ method: 'OPTIONS', url, headers: { origin, 'access-control-request-method': 'POST' } }) as const;

  test('is off by default: no header, and a preflight is like any other request', async () => {
    const response = await build().inject({ ...read, headers: { ...read.headers, origin: 'https://app.example.org' } });
    assert.equal(response.headers['access-control-allow-origin'], undefined);
    assert.equal((await build().inject(preflight('https://app.example.org'))).statusCode, 405);
  });

  test('an allowed origin may read the response, errors included; others may not', async () => {
    const server = build(allowed);
    const from = (origin: string, headers = read.headers) =>
      server.inject({ ...read, headers: { ...headers, origin } });
    const good = await from('https://app.example.org');
    assert.equal(good.headers['access-control-allow-origin'], 'https://app.example.org');
    const exposed = String(good.headers['access-control-expose-headers']).split(', ');
    const sent = [...Object.keys(responseHeaders), 'X-Events-After', 'RateLimit', 'RateLimit-Policy'];
    for (const name of sent) assert.ok(exposed.includes(name), name);
    assert.equal(good.headers['access-control-allow-credentials'], undefined);
    assert.equal(good.headers.vary, 'authorization, accept-encoding, origin');
    const refused = await from('https://app.example.org', { authorization: 'Bearer x' });
    assert.equal(refused.headers['access-control-allow-origin'], 'https://app.example.org');
    for (const origin of [
      'null',
      'https://evil-app.example.org',
      'https://app.example.org.evil',
      'http://app.example.org',
    ]) {
      assert.equal((await from(origin)).headers['access-control-allow-origin'], undefined, origin);
    }
  });

  test('a preflight → 204 without token and without handler; of an unknown path → 404', async () => {
    const server = build(allowed);
    const response = await server.inject(preflight('https://app.example.org'));
    assert.equal(response.statusCode, 204);
    const sendable = String(response.headers['access-control-allow-headers']).split(', ');
    for (const name of ['Content-Encoding', 'Prefer', 'Last-Event-ID']) assert.ok(sendable.includes(name), name);
    assert.equal(response.body, '');
    assert.equal(response.headers['access-control-allow-methods'], 'GET, HEAD, POST');
    assert.match(String(response.headers['access-control-allow-headers']), /Authorization.*Idempotency-Key/);
    assert.equal((await server.inject(preflight('https://app.example.org', '/p/nothing'))).statusCode, 404);
    assert.equal((await server.inject(preflight('https://other.example.org'))).statusCode, 405);
  });
});

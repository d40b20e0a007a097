import assert from 'node:assert/strict';
import { test } from 'node:test';
import { authenticateClient, parseBasic, readCredentials } from '../../src/auth/credentials.ts';
import { parseParameters, requireParameter } from '../../src/auth/parameters.ts';
import { hashSecret } from '../../src/auth/secrets.ts';
import { ServiceError } from '../../src/contract/errors.ts';
import { openTestClients } from './open-test-clients.ts';

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
const bytes = (text: string) => new TextEncoder().encode(text);
const formType = 'application/x-www-form-urlencoded';

function thrown(run: () => unknown): ServiceError {
  try {
    run();
  } catch (error) {
    assert.ok(error instanceof ServiceError, String(error));
    return error;
  }
  return assert.fail('nothing was thrown');
}

test('parameters come from the body or the query, raw spaces and colons included', () => {
  const body = bytes('grant_type=client_credentials&scope=manage_project:pk view_test:pk');
  const parameters = parseParameters('/oauth/token?a=1%20x', formType, body);
  assert.deepEqual(
    [...parameters],
    [
      ...[
        ['a', '1 x'],
        ['grant_type', 'client_credentials'],
        ['scope', 'manage_project:pk view_test:pk'],
      ],
    ],
  );
  assert.equal(
    parseParameters('/oauth/token', `${formType}; charset=utf-8`, bytes('scope=a+b%3Ac')).get('scope'),
    'a b:c',
  );
});

test('a JSON content type is fine on an empty body, and refused on any other', () => {
  assert.equal(parseParameters('/t?token=x', 'application/json', bytes('')).get('token'), 'x');
  assert.equal(thrown(() => parseParameters('/t', 'application/json', bytes('{}'))).code, 'invalid_request');
  assert.equal(thrown(() => parseParameters('/t', `${formType}x`, bytes('a=b'))).code, 'invalid_request');
});

test('a parameter given twice is refused, wherever it stands', () => {
  for (const [url, body] of [
    ...[
      ['/t?scope=a&scope=b', ''],
      ['/t?scope=a', 'scope=b'],
      ['/t', 'scope=a&scope=a'],
      ['/t', 'a=1&%61=2'],
    ],
  ] as [string, string][]) {
    assert.equal(thrown(() => parseParameters(url, formType, bytes(body))).code, 'invalid_request', url + body);
  }
});

test('a secret in the address is refused, bytes that are no UTF-8 too', () => {
  assert.match(
    thrown(() => parseParameters('/t?client_secret=x', undefined, bytes(''))).message,
    /must not be in the address/,
  );
  assert.match(thrown(() => parseParameters('/t', formType, new Uint8Array([0x61, 0x3d, 0xff]))).message, /UTF-8/);
});

test('a missing and an empty parameter are the same', () => {
  for (const parameters of [new Map(), new Map([['grant_type', '']])]) {
    assert.equal(
      thrown(() => requireParameter(parameters, 'grant_type')).message,
      'Missing required parameter: grant_type.',
    );
  }
});

test('Basic credentials are read raw first, form-decoded second', () => {
  assert.deepEqual(parseBasic(basic('id:sec:ret')), [{ clientId: 'id', secret: 'sec:ret' }]);
  assert.deepEqual(parseBasic(basic('id:a+b%3Ac')), [
    { clientId: 'id', secret: 'a+b%3Ac' },
    { clientId: 'id', secret: 'a b:c' },
  ]);
  assert.deepEqual(parseBasic(basic('id:100%')), [{ clientId: 'id', secret: '100%' }]);
  assert.deepEqual(parseBasic(basic('id:sécrèt').replace('Basic', 'bAsIc ')), [{ clientId: 'id', secret: 'sécrèt' }]);
});

test('anything else in the Authorization header is 401 invalid_client', () => {
  for (const header of [
    '',
    'Basic',
    'Basic ',
    'Basic !!!!',
    basic('no colon'),
    'Bearer abc',
    `${basic('a:b')} x`,
    'Digest a',
  ]) {
    const error = thrown(() => parseBasic(header));
    assert.equal(error.code, 'invalid_client', header);
    assert.equal(error.message, 'Please provide valid client credentials using HTTP Basic Authentication.');
  }
  for (const text of [':', 'id:', ':secret']) {
    assert.equal(thrown(() => parseBasic(basic(text))).message, 'Client credentials are missing.');
  }
});

test('credentials come by Basic or in the form, never by both', () => {
  const form = new Map([
    ['client_id', 'id'],
    ['client_secret', 's'],
  ]);
  assert.deepEqual(readCredentials(undefined, form), [{ clientId: 'id', secret: 's' }]);
  assert.equal(thrown(() => readCredentials(basic('id:s'), form)).code, 'invalid_request');
  assert.equal(thrown(() => readCredentials(basic('id:s'), new Map([['client_id', 'other']]))).code, 'invalid_request');
  assert.equal(readCredentials(basic('id:s'), new Map([['client_id', 'id']])).length, 1);
  for (const partial of [new Map(), new Map([['client_id', 'id']]), new Map([['client_secret', 's']])]) {
    assert.equal(thrown(() => readCredentials(undefined, partial)).code, 'invalid_client');
  }
});

test('a client is authenticated by any reading of its secret, and by nothing else', async (t) => {
  const { clients, close } = openTestClients();
  t.after(close);
  const client = { id: 'p.1', projectKey: 'p', name: 'n', scopes: [], secretHash: hashSecret('a b'), createdAtMs: 0 };
  await clients.createClient(client);
  assert.deepEqual(await authenticateClient(clients, parseBasic(basic('p.1:a+b'))), client);
  for (const text of ['p.1:a', 'p.2:a b', 'P.1:a b', `p.1:${client.secretHash}`, "' OR 1=1 --:a b"]) {
    await assert.rejects(authenticateClient(clients, parseBasic(basic(text))), { code: 'invalid_client' }, text);
  }
});

test('failed attempts are counted once each, before which too many are refused; a success is told', async (t) => {
  const { clients, close } = openTestClients();
  t.after(close);
  await clients.createClient({
    ...{ id: 'p.1', projectKey: 'p', name: 'n', scopes: [], secretHash: hashSecret('a b'), createdAtMs: 0 },
  });
  const told: string[] = [];
  const tooMany = new Error('too many');
  let isFull = false;
  const limit = {
    check(id: string) {
      told.push(`check ${id}`);
      if (isFull) throw tooMany;
    },
    failed: (id: string) => void told.push(`failed ${id}`),
    succeeded: (id: string) => void told.push(`succeeded ${id}`),
  };
  const login = (text: string) => authenticateClient(clients, parseBasic(basic(text)), limit);
  await login('p.1:a+b');
  await assert.rejects(login('p.1:wrong+secret'), { code: 'invalid_client' });
  await assert.rejects(login('p.2:a b'), { code: 'invalid_client' });
  assert.deepEqual(told, ['check p.1', 'succeeded p.1', 'check p.1', 'failed p.1', 'check p.2', 'failed p.2']);
  isFull = true;
  await assert.rejects(login('p.1:a b'), tooMany);
});

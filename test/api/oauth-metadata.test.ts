import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLocalJWKSet, jwtVerify } from 'jose';
import { startWithClient, tokenOf } from './oauth-requests.ts';

const metadataPath = '/.well-known/oauth-authorization-server';

test('GET /.well-known/…: with metadata and key set alone anybody can verify a token', async (t) => {
  const { api, client } = await startWithClient(t, ['view_test']);
  const { json: metadata } = await api.call({ path: metadataPath, scope: 'none' });
  const { issuer } = metadata;
  assert.equal(metadata.token_endpoint, `${issuer}/oauth/token`);
  assert.equal(metadata.jwks_uri, `${issuer}/.well-known/jwks.json`);
  assert.deepEqual(metadata.grant_types_supported, ['client_credentials']);
  const { json: keySet } = await api.call({ path: '/.well-known/jwks.json', scope: 'none' });
  for (const key of keySet.keys) assert.ok(!('d' in key));
  const checks = { issuer, audience: issuer, typ: 'at+jwt' };
  const { payload } = await jwtVerify(await tokenOf(api, client), createLocalJWKSet(keySet), checks);
  assert.equal(payload.client_id, client.id);
});

test('GET /.well-known/oauth-authorization-server: the Host header does not reach the issuer', async (t) => {
  const { api } = await startWithClient(t, ['view_test']);
  const headers = { host: 'evil.test', 'x-forwarded-host': 'evil.test' };
  const plain = await api.call({ path: metadataPath, scope: 'none' });
  const forged = await api.call({ path: metadataPath, headers, scope: 'none' });
  assert.equal(forged.text, plain.text);
  assert.ok(!plain.text.includes('evil.test'));
});

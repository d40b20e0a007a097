import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expandScopes, grantScopes, splitScope, splitScopeText } from '../../src/auth/scopes.ts';
import { ServiceError } from '../../src/contract/errors.ts';
import type { ApiClient } from '../../src/domain/ports/client-store.ts';

const noClient = { name: '', secretHash: '', createdAtMs: 0 };
const client: ApiClient = { ...noClient, id: 'p.1', projectKey: 'p', scopes: ['manage_test:p', 'manage_products:p'] };
const admin: ApiClient = { ...noClient, id: 'admin', projectKey: undefined, scopes: [] };

function refused(grantee: ApiClient, text: string | undefined): string {
  try {
    assert.fail(`granted ${grantScopes(grantee, text)}`);
  } catch (error) {
    assert.ok(error instanceof ServiceError, String(error));
    assert.equal(error.code, 'invalid_scope');
    assert.equal(error.status, 400);
    return error.message;
  }
}

test('a scope is exactly a known name, one colon and a legal project key', () => {
  assert.deepEqual(splitScope('manage_test:my-shop'), { name: 'manage_test', projectKey: 'my-shop' });
  for (const text of [
    ...[
      'manage_test',
      'manage_test:',
      ':p',
      '',
      'manage_test:p:x',
      'manage_test:p*',
      'manage_test: p',
      'manage_test:p ',
    ],
    ...['Manage_test:p', 'view:p', 'constructor:p', '__proto__:p', 'toString:p', `view_test:${'p'.repeat(65)}`],
    ...['view_test:oauth', 'view_test:health', 'manage_test:p\n', 'manage_test\u0000:p', 'manage_test:p/q'],
  ]) {
    assert.equal(splitScope(text), undefined, JSON.stringify(text));
  }
});

test('scopes imply only what the table says, in their own project only', () => {
  assert.deepEqual([...expandScopes(['manage_test:p', 'manage_products:q'])].sort(), [
    'manage_products:q',
    'manage_test:p',
    'view_test:p',
  ]);
  const project = expandScopes(['manage_project:p']);
  for (const scope of ['manage_project:p', 'manage_test:p', 'view_test:p', 'manage_products:p']) {
    assert.ok(project.has(scope), scope);
  }
  for (const scope of ['manage_api_clients:p', 'manage_test:P', 'manage_test:p2', 'manage_test']) {
    assert.ok(!project.has(scope), scope);
  }
  assert.equal(expandScopes(['manage_test', 'manage_test:p:x', 'x:p']).size, 0);
});

test('a scope text is separated by any number of spaces and keeps each scope once', () => {
  assert.deepEqual(splitScopeText('  b:p a:p  b:p '), ['b:p', 'a:p']);
  assert.deepEqual(splitScopeText('a:p\tb:p'), ['a:p\tb:p']);
});

test('an omitted or empty scope grants all that the client has', () => {
  for (const text of [undefined, '', '  ']) assert.deepEqual(grantScopes(client, text), client.scopes);
});

test('a client gets what it holds and what that implies, in the words of the request', () => {
  assert.deepEqual(grantScopes(client, 'manage_test:p'), ['manage_test:p']);
  assert.deepEqual(grantScopes(client, 'view_test:p manage_products:p'), ['view_test:p', 'manage_products:p']);
});

test('one scope too many refuses the whole request', () => {
  for (const text of [
    ...['manage_project:p', 'manage_api_clients:p', 'manage_test:q', 'manage_test:P', 'manage_test:p2', 'manage_test'],
    ...['manage_test:p*', 'manage_test:p:x', 'manage_test:p manage_test:q', 'manage_test:p nonsense', '*', '__proto__'],
  ]) {
    const allowed = 'This client may request manage_test:p, view_test:p, manage_products:p.';
    const scope = text.split(' ').at(-1);
    assert.equal(refused(client, text), `Malformed parameter: scope: Invalid scope. '${scope}' is refused. ${allowed}`);
  }
});

test('the administrator gets any scope of any project, but only those it names', () => {
  assert.deepEqual(grantScopes(admin, 'manage_project:a manage_api_clients:b'), [
    'manage_project:a',
    'manage_api_clients:b',
  ]);
  assert.match(refused(admin, undefined), /scope=manage_project:my-shop/);
  for (const text of ['manage_everything:a', 'manage_project:oauth', 'manage_project:*', 'manage_project']) {
    const form = /is refused\. A scope is one of manage_test, .*manage_project, then a colon and the project key/;
    assert.match(refused(admin, text), form);
    assert.ok(refused(admin, `view_test:p ${text}`).includes(`Invalid scope. '${text}' is refused.`));
  }
});

test('a refused scope is shown in the characters that RFC 6749 allows, and shortened', () => {
  assert.match(refused(admin, 'a"b\\c\nü'), /Invalid scope\. 'a\?b\?c\?\?' is refused/);
  assert.match(refused(admin, 'x'.repeat(1000)), /'x{80}' is refused/);
});

test('more scopes than fit into a header are refused', () => {
  const text = Array.from({ length: 300 }, (_, index) => `view_test:project-${index}`).join(' ');
  assert.match(refused(admin, text), /4096 characters/);
});

import assert from 'node:assert/strict';
import { basename } from 'node:path';
import { test } from 'node:test';
import { BackendsFileError, readBackendSettings } from '../../src/backend/settings.ts';
import { startTestApi } from '../start-test-api.ts';
import { writeConfigFile } from './backend-server.ts';
import { certificate } from './tls-fixture.ts';

function problemsOf(content: unknown): string {
  try {
    readBackendSettings(writeConfigFile(content));
  } catch (error) {
    assert.ok(error instanceof BackendsFileError, String(error));
    return error.message;
  }
  return 'no problem';
}
const http = (more: object) => ({ projects: { shop: { kind: 'http', url: 'https://backend.example/x', ...more } } });

test('backends: without a file, and with an empty one, all are local', () => {
  for (const file of [undefined, writeConfigFile({})]) {
    const { fallback, projects } = readBackendSettings(file);
    assert.deepEqual([fallback, projects.size], [{ kind: 'local' }, 0]);
  }
});

test('backends: a file with each kind is read, with the usual values where it says none', () => {
  writeConfigFile(certificate, 'ca.pem');
  const { fallback, projects } = readBackendSettings(
    writeConfigFile({
      default: { kind: 'module', file: './backend.ts' },
      projects: {
        plain: { kind: 'local' },
        shop: {
          kind: 'http',
          url: 'https://backend.example/{projectKey}',
          caFile: 'ca.pem',
          headers: { 'X-Key': 'k' },
        },
      },
    }),
  );
  assert.equal(fallback.kind === 'module' && basename(fallback.file), 'backend.ts');
  assert.deepEqual(projects.get('plain'), { kind: 'local' });
  const shop = projects.get('shop');
  assert.ok(shop?.kind === 'http');
  const { allow, ca, maxConcurrent, failuresToOpen, openMs, actions } = shop;
  assert.deepEqual([allow, ca, maxConcurrent, failuresToOpen, openMs], [[], certificate, 50, 5, 5000]);
  assert.deepEqual({ ...shop.headers }, { 'x-key': 'k' });
  assert.equal(actions.length, 5);
});

for (const [content, problem] of [
  ['{', /expected/],
  ['[]', /the file: expected an object/],
  [{ defaults: {} }, /defaults: unknown; expected default, projects/],
  [{ default: { kind: 'remote' } }, /default\.kind: expected local, http or module/],
  [{ projects: { 'a/b': { kind: 'local' } } }, /projects\.a\/b: expected a project key/],
  [{ projects: { a: 'local' } }, /projects\.a: expected an object/],
  [{ default: { kind: 'module' } }, /default\.file: expected the path/],
  [{ default: { kind: 'local', url: 'x' } }, /default\.url: unknown/],
  [http({ url: undefined }), /url: expected a URL such as/],
  [http({ url: 'backend.example' }), /url: expected a URL such as/],
  [http({ url: 'file:///etc/passwd' }), /expected https:, not file:/],
  [http({ url: 'data:application/json,1' }), /expected https:, not data:/],
  [http({ url: 'gopher://backend.example/' }), /expected https:, not gopher:/],
  [http({ url: 'ftp://backend.example/' }), /expected https:, not ftp:/],
  [http({ url: 'http://backend.example/' }), /expected https:; plain http:/],
  [http({ url: 'https://user:pass@backend.example/' }), /no user and password/],
  [http({ url: 'https://backend.example/?a=1' }), /no query/],
  [http({ url: 'https://backend.example/#a' }), /no query and no fragment/],
  [http({ url: 'https://backend.example:22/' }), /port 22 is not for HTTP/],
  [http({ url: 'https://backend.example:25/' }), /port 25/],
  [http({ url: 'https://backend.example:6379/' }), /port 6379/],
  [http({ url: 'https://{projectKey}.example/' }), /expected \{projectKey\} in the path only/],
  [http({ url: 'https://127.0.0.1/' }), /127\.0\.0\.1 is not a public address/],
  [http({ url: 'https://127.0.0.1./' }), /127\.0\.0\.1 is not a public address/],
  [http({ url: 'https://2130706433/' }), /127\.0\.0\.1 is not a public address/],
  [http({ url: 'https://①②⑦.⓪.⓪.①/' }), /127\.0\.0\.1 is not a public address/],
  [http({ url: 'https://[::ffff:127.0.0.1]/' }), /is not a public address/],
  [http({ url: 'https://[fe80::1%25eth0]/' }), /url: expected a URL/],
  [http({ url: 'https://169.254.169.254/latest' }), /is not a public address/],
  [http({ url: 'http://10.0.0.1/', allow: ['10.0.1.0/24'] }), /10\.0\.0\.1 is not a public address, and allow/],
  [http({ allow: 'all' }), /allow: expected an array/],
  [http({ allow: ['10.0.0.0/40'] }), /allow: expected an array/],
  [http({ headers: { Host: 'x' } }), /headers\.Host: the service sets/],
  [http({ headers: { 'a b': 'x' } }), /headers\.a b: expected a header name/],
  [http({ headers: { a: 'x\r\ny' } }), /headers\.a: expected a text of printable/],
  [http({ actions: ['GET everything'] }), /actions: expected an array of some of/],
  [http({ caFile: 'not-there.pem' }), /caFile: expected the path of a readable file/],
  [http({ maxConcurrent: 0 }), /maxConcurrent: expected a whole number from 1/],
  [http({ openMs: '5' }), /openMs: expected a whole number/],
] as const) {
  test(`backends: ${JSON.stringify(content).slice(0, 90)} is refused with what would be right`, () => {
    assert.match(problemsOf(content), problem);
  });
}

test('backends: all problems are told at once, and no secret among them', () => {
  const text = problemsOf({
    default: { kind: 'http', url: 'ftp://backend.example', headers: { 'x-key': 'sécret' } },
    projects: { 'a b': { kind: 'none' } },
  });
  assert.match(text, /default\.url: expected https/);
  assert.match(text, /default\.headers\.x-key/);
  assert.match(text, /projects\.a b: expected a project key/);
  assert.match(text, /projects\.a b\.kind/);
  assert.equal(text.includes('sécret'), false);
});

test('a start with a file of backends that is not usable, or not there, fails and says why', async () => {
  await assert.rejects(startTestApi({ BACKENDS_FILE: writeConfigFile({ default: {} }) }), /default\.kind/);
  await assert.rejects(startTestApi({ BACKENDS_FILE: '/not/there.json' }), /\/not\/there\.json/);
  const missing = { default: { kind: 'module', file: './not-there.ts' } };
  await assert.rejects(
    startTestApi({ BACKENDS_FILE: writeConfigFile(missing) }),
    /not-there\.ts: the backend cannot be/,
  );
});

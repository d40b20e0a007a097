import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { unknownVariables } from '../../src/cli/unknown-variables.ts';
import { parseConfig } from '../../src/config/parse.ts';
import { type Setting, settingTable } from '../../src/config/settings.ts';
import { runCommand } from '../faults/service-process.ts';

const secrets = { ADMIN_CLIENT_SECRET: 'canary-of-the-admin', DATABASE_URL: 'sqlite:/canary-of-the-store.db' };

test('config shows every setting with its value and where it comes from, and no secret', async () => {
  const { code, stdout, stderr } = await runCommand(['config'], { PORT: '9000', ADMIN_CLIENT_ID: 'root', ...secrets });
  assert.deepEqual([code, stderr], [0, '']);
  for (const { variable } of Object.values(settingTable)) assert.match(stdout, new RegExp(`^${variable} +\\S`, 'm'));
  assert.match(stdout, /^PORT +9000 +from the environment$/m);
  assert.match(stdout, /^HOST +127\.0\.0\.1 +default$/m);
  assert.match(stdout, /^REGION +\(unset\) +default$/m);
  for (const variable of Object.keys(secrets)) {
    assert.match(stdout, new RegExp(`^${variable} +\\(set, not shown\\) +from the environment$`, 'm'));
  }
  assert.ok(!stdout.includes('canary'));
});

test('config --help shows the meaning and the default of every setting', async () => {
  const { code, stdout } = await runCommand(['config', '--help'], {});
  assert.equal(code, 0);
  for (const { variable } of Object.values(settingTable))
    assert.match(stdout, new RegExp(`^ {2}${variable} {2}\\(`, 'm'));
  assert.match(stdout, /TOKEN_LIFETIME_SECONDS {2}\(integer in seconds, 600–172800; default 3600\)/);
});

test('config with wrong settings lists all of them without a secret: exit code 78', async () => {
  const environment = { PORT: 'x', LOG_LEVEL: 'loud', ADMIN_CLIENT_ID: 'root', ADMIN_CLIENT_SECRET: 'canary' };
  const { code, stdout, stderr } = await runCommand(['config'], environment);
  assert.deepEqual([code, stdout], [78, '']);
  for (const problem of [/PORT must be .*x/, /LOG_LEVEL must be .*loud/, /ADMIN_CLIENT_SECRET must have at least 16/])
    assert.match(stderr, problem);
  assert.ok(!stderr.includes('canary'));
});

test('config with one wrong setting says so in one line', async () => {
  const { stderr } = await runCommand(['config'], { PORT: '80000' });
  assert.match(stderr, /^Invalid configuration: PORT must be 0–65535 \(got 80000\)$/m);
  const lifetime = await runCommand(['config'], { TOKEN_LIFETIME_SECONDS: '5' });
  assert.match(
    lifetime.stderr,
    /^Invalid configuration: TOKEN_LIFETIME_SECONDS must be 600–172800 seconds \(got 5\)$/m,
  );
  const quota = await runCommand(['config'], { IMAGE_QUOTA_COUNT: '-1' });
  assert.match(quota.stderr, /IMAGE_QUOTA_COUNT must be at least 0 \(got -1\)/);
});

test('config refuses what a start could only fail at, or would not take as it is meant', async () => {
  const environment = {
    ...{ TRUST_PROXY: '10.0.0.0/8, zz', CORS_ORIGINS: 'https://a.example, http://a/', INDEXED_PATHS: 'a..b' },
    ...{ DATABASE_URL: 'mysql://h/canary', ACTIONS_DIR: '/nowhere/at/all' },
    ...{ ADMIN_CLIENT_ID: 'a:b', ADMIN_CLIENT_SECRET: 'a secret that is long enough' },
    ...{ REGION: 'a/b', CLOUD_PROVIDER: 'x', DOMAIN: 'y' },
  };
  const { code, stderr } = await runCommand(['config'], environment);
  assert.equal(code, 78);
  for (const problem of [
    /TRUST_PROXY must be a list of which each item is an address or a CIDR range, not zz/,
    /CORS_ORIGINS must be .* an origin as browsers send it, .*, not http:\/\/a\//,
    /INDEXED_PATHS must be .* names separated by dots, .*, not a\.\.b/,
    /DATABASE_URL must be sqlite:<file> or .+ \(got a value that is not shown\)/,
    /ACTIONS_DIR must be an existing folder \(got \/nowhere\/at\/all\)/,
    /ADMIN_CLIENT_ID must be .*a:b/,
    /REGION must be .*a\/b/,
  ]) {
    assert.match(stderr, problem);
  }
  assert.doesNotMatch(stderr, /set all of them or none|canary/);
});

for (const [variable, values] of Object.entries({
  TRUST_PROXY: ['127.0.0.1', '10.0.0.0/8,::1', 'fd00::/8'],
  CORS_ORIGINS: ['https://shop.example.com', 'http://localhost:3000,https://a.example'],
  INDEXED_PATHS: ['name.en', 'a, b.c'],
  DATABASE_URL: ['sqlite:/tmp/x.db', 'postgres://h/d', 'postgresql://u:p@a:1,b:2/d'],
})) {
  test(`config takes ${variable} of ${values.join(' or ')}`, async () => {
    for (const value of values) assert.equal((await runCommand(['config'], { [variable]: value })).code, 0, value);
  });
}

for (const [variable, value] of [
  ['TRUST_PROXY', '10.0.0.0/33'],
  ['TRUST_PROXY', 'fe80::1%lo'],
  ['TRUST_PROXY', '10.0.0.0/8/8'],
  ['TRUST_PROXY', '10.0.0.0/'],
  ['CORS_ORIGINS', '*'],
  ['CORS_ORIGINS', 'shop.example.com'],
  ['INDEXED_PATHS', '.a'],
  ['DATABASE_URL', 'sqlite:'],
] as const) {
  test(`config refuses ${variable}=${value}`, async () => {
    assert.equal((await runCommand(['config'], { [variable]: value })).code, 78);
  });
}

test('each secret can be in a file that its variable with _FILE names', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'grs-secrets-'));
  try {
    const secretSettings = (Object.entries(settingTable) as [keyof typeof settingTable, Setting][]).filter(
      ([, { type }]) => type === 'secret',
    );
    const others = { ADMIN_CLIENT_ID: 'root', OIDC_ISSUER: 'https://id.test', OIDC_AUDIENCE: 'a' };
    const environment: Record<string, string> = {
      ...others,
      CONSOLE_OIDC_CLIENT_ID: 'c',
      S3_ACCESS_KEY_ID: 'k',
      IMAGE_STORE_URL: 's3://b/p?region=r',
    };
    const values = new Map<string, string>();
    for (const [name, { variable }] of secretSettings) {
      const value = name.startsWith('database') ? `postgres://u:p@${name.toLowerCase()}/d` : `canary of the ${name}`;
      values.set(name, value);
      const file = join(folder, variable);
      writeFileSync(file, `${value}\n`);
      environment[`${variable}_FILE`] = file;
    }
    const config = parseConfig(environment);
    for (const [name, value] of values) assert.equal(config[name as keyof typeof config], value);
    assert.deepEqual(unknownVariables(environment), []);
    const shown = await runCommand(['config'], environment);
    assert.match(shown.stdout, /^ADMIN_CLIENT_SECRET +\(set, not shown\) +from .*ADMIN_CLIENT_SECRET$/m);
    assert.ok(!shown.stdout.includes('canary'));

    const file = join(folder, 'admin');
    writeFileSync(file, 'a secret of Windows\r\n');
    const admin = { ADMIN_CLIENT_ID: 'root', ADMIN_CLIENT_SECRET_FILE: file };
    assert.equal(parseConfig(admin).adminClientSecret, 'a secret of Windows');
    const refused = (more: Readonly<Record<string, string>>, message: RegExp) =>
      assert.throws(() => parseConfig({ ...admin, ...more }), message);
    refused({ ADMIN_CLIENT_SECRET: 'another that is long' }, /ADMIN_CLIENT_SECRET_FILE are both set: set one/);
    refused(
      { ADMIN_CLIENT_SECRET_FILE: join(folder, 'none') },
      /_FILE: .*none cannot be read: there is no such file; mount it/,
    );
    refused({ ADMIN_CLIENT_SECRET_FILE: folder }, /cannot be read: it is a folder; name the file in it/);
    writeFileSync(file, '\n');
    refused({}, /_FILE: .*admin is empty; write the value of ADMIN_CLIENT_SECRET into it/);
    // Only secrets: of others the variable does not count.
    assert.equal(parseConfig({ HOST_FILE: file }).host, '127.0.0.1');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

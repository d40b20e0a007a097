import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settingTable } from '../../src/config.ts';
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
  for (const problem of [/PORT: “x”/, /LOG_LEVEL: “loud”/, /ADMIN_CLIENT_SECRET: at least 16/])
    assert.match(stderr, problem);
  assert.ok(!stderr.includes('canary'));
});

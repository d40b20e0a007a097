import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { findTool } from '../optional-tools.ts';
import { untilReady } from '../until-ready.ts';
import { dataFolder, main, runCommand, sources, startService } from './service-process.ts';

test('a second service on one data folder ends with exit code 70 and says why; the first goes on', async () => {
  const folder = dataFolder();
  const first = await startService(folder.path);
  const second = await runCommand(['serve'], { DATA_DIR: folder.path, PORT: '0' });
  assert.equal(second.code, 70);
  assert.match(second.stderr, /The store was not opened\.\s+Another process serves this data folder .+ set DATA_DIR/s);
  assert.equal((await untilReady(() => first.request({ path: '/health/ready' }))).status, 200);
  first.kill('SIGKILL');
  await first.ended;
  const third = await startService(folder.path);
  third.kill('SIGTERM');
  assert.equal((await third.ended).code, 0);
  folder.remove();
});

test('a start with wrong settings ends with exit code 78 and lists all of them, without the secret', async () => {
  const folder = dataFolder();
  const environment = {
    ...{ DATA_DIR: folder.path, PORT: '70000', LOG_LEVEL: 'loud', ACCEPT_LOSS: 'yes', MAX_BODY_BYTES: '1.5' },
    ...{ REGION: 'eu', ADMIN_CLIENT_ID: 'root', ADMIN_CLIENT_SECRET: 'too short' },
  };
  const { code, stdout, stderr } = await runCommand(['serve'], environment);
  assert.equal(code, 78);
  for (const problem of [
    /PORT must be 0–65535 \(got 70000\)/,
    /LOG_LEVEL must be .*silent.* \(got loud\)/,
    /ACCEPT_LOSS must be true or false \(got yes\)/,
    /MAX_BODY_BYTES must be a whole number, 1024–16777216 bytes \(got 1\.5\)/,
    /REGION, CLOUD_PROVIDER, DOMAIN: set all of them or none/,
    /ADMIN_CLIENT_SECRET must have at least 16 characters/,
  ]) {
    assert.match(stderr, problem);
  }
  assert.ok(!`${stdout}${stderr}`.includes('too short'));
  folder.remove();
});

test('a start with a port that is taken ends with an exit code that is not 0, and leaves the folder free', async () => {
  const [folder, other] = [dataFolder(), dataFolder()];
  const first = await startService(folder.path);
  const second = await runCommand(['serve'], { DATA_DIR: other.path, PORT: String(first.port) });
  assert.equal(second.code, 70);
  assert.match(
    second.stderr,
    new RegExp(`^Port ${first.port} is in use\\. Stop the other process or set PORT\\.$`, 'm'),
  );
  const third = await startService(other.path);
  for (const service of [first, third]) {
    service.kill('SIGTERM');
    assert.equal((await service.ended).code, 0);
  }
  folder.remove();
  other.remove();
});

test('a start at a host name that is none ends with exit code 78 and says so without a stack', async () => {
  const folder = dataFolder();
  const { code, stderr } = await runCommand(['serve'], { DATA_DIR: folder.path, PORT: '0', HOST: 'nowhere.invalid' });
  assert.equal(code, 78);
  assert.match(stderr, /Cannot listen on nowhere\.invalid: getaddrinfo .+ Set HOST to an address of this machine\./);
  assert.doesNotMatch(stderr, /\n +at /);
  folder.remove();
});

test('a request may have less time than its header fields by default', async () => {
  const folder = dataFolder();
  const service = await startService(folder.path, { REQUEST_TIMEOUT_MS: '15000' });
  assert.equal((await service.request({ path: '/health/live' })).status, 200);
  service.kill('SIGTERM');
  assert.equal((await service.ended).code, 0);
  folder.remove();
});

test("a start with an operator's action that is none ends with exit code 70 and names the file", async () => {
  const [folder, actions] = [dataFolder(), dataFolder()];
  writeFileSync(join(actions.path, 'broken.ts'), 'export default { name: "broken" };\n');
  const { code, stderr } = await runCommand(['serve'], { DATA_DIR: folder.path, PORT: '0', ACTIONS_DIR: actions.path });
  assert.equal(code, 70);
  assert.match(stderr, /broken\.ts: broken: summary: expected a sentence/);
  folder.remove();
  actions.remove();
});

test('a start of an incomplete installation ends with exit code 70, names what is missing and leaves the folder free', async () => {
  const folder = dataFolder();
  const hooks = `import { registerHooks } from 'node:module';
    registerHooks({
      resolve(name, context, next) {
        if (name === 'find-my-way') throw new Error('Cannot find package find-my-way');
        return next(name, context);
      },
    });`;
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(hooks)}`;
  const { code, stderr } = await runCommand(
    ['serve'],
    { DATA_DIR: folder.path, PORT: '0', NODE_OPTIONS },
    { program: sources },
  );
  assert.equal(code, 70);
  assert.match(stderr, /Cannot find package find-my-way/);
  const complete = await startService(folder.path);
  complete.kill('SIGTERM');
  assert.equal((await complete.ended).code, 0);
  folder.remove();
});

test('a first start creates an administrator, says in which file the secret is, and shows it to nothing but a terminal', async () => {
  const folder = dataFolder();
  const settings = { ADMIN_CLIENT_ID: '', ADMIN_CLIENT_SECRET: '' };
  const service = await startService(folder.path, settings);
  service.kill('SIGTERM');
  const { stdout, stderr } = await service.ended;
  const file = join(folder.path, 'admin-client.json');
  const { clientId, clientSecret } = JSON.parse(readFileSync(file, 'utf8'));
  assert.ok(stderr.includes(`Admin client  ${clientId}, in ${file}`), stderr);
  assert.ok(!stdout.includes(clientSecret) && !stderr.includes(clientSecret));
  assert.equal(statSync(file).mode & 0o777, 0o600);
  folder.remove();
});

const script = findTool('script');
if (!script) console.log('The test of the first start on a terminal is skipped: there is no program script.');

test('a first start on a terminal shows the secret once', { skip: !script }, async () => {
  const folder = dataFolder();
  const env = { PATH: process.env.PATH, DATA_DIR: folder.path, PORT: '0' };
  const shown: (string | undefined)[] = [];
  for (let start = 0; start < 2; start += 1) {
    const child = spawn(script!, ['-qec', `${process.execPath} ${main} serve`, '/dev/null'], { env, stdio: 'pipe' });
    let text = '';
    // The last lines of what is shown; a terminal sends the signal of Control-C.
    for await (const part of child.stdout) {
      text += part;
      if (text.includes('/oauth/token')) child.stdin.end('\x03');
    }
    if (child.exitCode === null) await once(child, 'close');
    shown.push(/Admin secret +(\S+) +\(shown only once\)/.exec(text)?.[1]);
  }
  const { clientSecret } = JSON.parse(readFileSync(join(folder.path, 'admin-client.json'), 'utf8'));
  assert.deepEqual(shown, [clientSecret, undefined]);
  folder.remove();
});

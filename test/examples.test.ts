import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

/** Runs the service as its users do, in a folder of its own, and the examples against it. */
const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'grs-examples-'));
const scripts = globSync('examples/*.sh', { cwd: root }).sort();
const environment = {
  ...process.env,
  ...{ PORT: '0', HOST: '127.0.0.1', DATA_DIR: '', LOG_LEVEL: 'info' },
  ACTIONS_DIR: join(root, 'examples/actions'),
  ...{ ADMIN_CLIENT_ID: '', ADMIN_CLIENT_SECRET: '', REGION: '', CLOUD_PROVIDER: '', DOMAIN: '' },
  // The examples call node: it is to be this one.
  PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}`,
};

function missingTool(): string | undefined {
  return ['bash', 'curl'].find((tool) => spawnSync(tool, ['--version']).error !== undefined);
}

const missing = missingTool();
const skip = missing === undefined ? false : `${missing} is not here`;
if (skip) process.stdout.write(`examples by curl: skipped, ${skip}\n`);

let service: ChildProcess;
let base = '';

before(async () => {
  service = spawn(process.execPath, [join(root, 'src/main.ts'), 'serve'], {
    cwd: folder,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let complaint = '';
  service.stderr!.on('data', (text) => {
    complaint += text;
  });
  const ended = new Promise<never>((_, reject) => {
    service.once('exit', (code) => reject(new Error(`The service ended with ${code}: ${complaint}`)));
  });
  const address = new Promise<string>((resolve) => {
    createInterface({ input: service.stdout! }).on('line', (line) => {
      const found = (JSON.parse(line) as { address?: string }).address;
      if (found) resolve(found);
    });
  });
  ended.catch(() => {});
  base = await Promise.race([address, ended]);
});

after(async () => {
  if (service.exitCode === null) {
    const ended = new Promise((resolve) => service.once('exit', resolve));
    service.kill('SIGTERM');
    assert.equal(await ended, 0, 'exit code after SIGTERM');
  }
  rmSync(folder, { recursive: true, force: true });
});

function run(command: string, args: readonly string[]): Promise<{ code: number | null; output: string }> {
  const child = spawn(command, args, { cwd: folder, env: { ...environment, BASE: base } });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text) => {
      output += text;
    });
  }
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, output })));
}

/** What a script promises (`… → 201` in its comments), in order. */
function promised(script: string): readonly number[] {
  const text = readFileSync(join(root, script), 'utf8');
  return [...text.matchAll(/^#.*→ (\d{3})$/gm)].map(([, status]) => Number(status));
}

for (const script of scripts.filter((name) => name !== 'examples/begin.sh')) {
  test(`${script}: every call is answered with the status that its comment promises`, { skip }, async () => {
    const expected = promised(script);
    const calls = readFileSync(join(root, script), 'utf8').match(/^(api|list|curl) /gm) ?? [];
    assert.ok(expected.length > 3 && expected.length === calls.length, `${expected.length} of ${calls.length} calls`);
    const { output } = await run('bash', [join(root, script)]);
    const statuses = [...output.matchAll(/^HTTP (\d{3})$/gm)].map(([, status]) => Number(status));
    assert.deepEqual(statuses, expected, output);
  });
}

test('examples/tour.sh: shows the versions, the conflict and the staged weight that its text speaks of', {
  skip,
}, async () => {
  const { output } = await run('bash', [join(root, 'examples/tour.sh')]);
  const answers = output.split(/^HTTP \d{3}$/m);
  assert.match(answers[0]!, /9007199254740993/);
  assert.match(answers[1]!, /^etag: "1"/im);
  assert.match(answers[3]!, /"currentVersion":2,"changedFields":\["someProperty"\]/);
  assert.match(answers[5]!, /"total":1/);
  assert.match(answers[9]!, /"weight":210/);
  assert.match(answers[10]!, /"weight":190/);
  assert.match(answers[11]!, /"weight":190/);
  assert.match(answers[12]!, /"version":5/);
});

test('examples/client.ts: ten buyers at once each take one piece', async () => {
  const { code, output } = await run(process.execPath, [join(root, 'examples/client.ts')]);
  assert.equal(output, '10 buyers at once: stock 10, version 11\n');
  assert.equal(code, 0);
});

test("GET /openapi.json: an operator's own action is described beside the built-in ones", async () => {
  const response = await fetch(`${base}/openapi.json`);
  assert.equal(response.status, 200);
  const text = await response.text();
  for (const action of ['changeSomeProperty', 'applyDiscount']) assert.match(text, new RegExp(`"${action}"`));
});

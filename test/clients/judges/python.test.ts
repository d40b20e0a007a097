import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { openJudges } from '../../../tools/judges/judges.ts';
import { startTestApi, type TestApi } from '../../start-test-api.ts';
import { execute, importAll, type Judge, python, testGenerator } from './judge.ts';

/** The judges in Python, which are cheap enough for every run. */

const pythonClient: Judge = {
  name: 'openapi-python-client',
  kinds: ['python'],
  program: ['openapi_python_client.py', 'program.py'],
  generate: (at) => [
    [
      join(at.tools('python'), 'bin/openapi-python-client'),
      ...['generate', '--path', at.document, '--meta', 'none', '--output-path', 'generated_client'],
    ],
  ],
  // It generates nothing for images, CSV and responses in a form, whatever a document says.
  omissions: (output) =>
    output
      .split('WARNING ')
      .slice(1)
      .filter((part) => !/Unsupported content[ _]type/.test(part)),
  compile: (at) => [[python(at), ...importAll('.', 'generated_client')]],
  run: (at) => [python(at), 'program.py'],
};
testGenerator(pythonClient);
testGenerator({
  ...pythonClient,
  name: 'openapi-python-client, for types',
  isTyped: true,
  program: ['typed/openapi_python_client.py', 'program.py'],
});

/**
 * `npm run judges` takes two minutes of random requests to all paths. Without it they are always the same: the bounds of each
 * parameter and of each member, once, of resources and images. Paths with a key have the handlers of those with an id.
 */
const seconds = process.env.SCHEMATHESIS_SECONDS;
const limits =
  seconds === undefined
    ? [
        '--phases',
        'coverage',
        '--exclude-path-regex',
        [
          'key=|searchApiPattern|suggestions|sorted-query|artificially|primitive|namespace|backend|settings|schema.json|openapi.json',
          'history|deleted|restore|references|events|subscriptions|api-clients|oauth|sessions|searches|health|metrics|well-known',
        ].join('|'),
      ]
    : ['--max-time', seconds];
const tools = openJudges('python');
const skip = tools === undefined && 'the tools of python are not installed';
if (skip) process.stdout.write(`Schemathesis: skipped, ${skip}\n`);

describe('Schemathesis finds no request that the service treats otherwise than the document says', { skip }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'grs-schemathesis-'));
  let api: TestApi;
  let address = '';
  const configuration = readFileSync(new URL('schemathesis/schemathesis.toml', import.meta.url), 'utf8');

  before(async () => {
    api = await startTestApi();
    address = await api.listen();
    cpSync(fileURLToPath(new URL('schemathesis', import.meta.url)), folder, { recursive: true });
  });
  after(async () => {
    await api.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Rejects with the findings. */
  async function run(settings: string, environment: Readonly<Record<string, string>>) {
    writeFileSync(join(folder, 'schemathesis.toml'), settings);
    const command = [join(tools!, 'bin/schemathesis'), '--no-color', 'run', `${address}/openapi.json`] as const;
    const output = await execute(folder, [...command, ...limits], { PYTHONPATH: '.', ...environment });
    const [, count] = /Test cases:\n\s*(\d+) generated/.exec(output) ?? [];
    assert.ok(Number(count) > 300, output);
  }

  test('with a token that may do everything in its project', async () => {
    const names = ['manage_project', 'manage_test', 'manage_products', 'manage_api_clients', 'manage_subscriptions'];
    const token = await api.token(`${names.map((name) => `${name}:judge`).join(' ')} view_service`);
    const client = Buffer.from('test-admin:a secret for tests only').toString('base64');
    await run(configuration, { AUTHORIZATION: `Bearer ${token}`, CLIENT: `Basic ${client}` });
  });

  test('without a token', { skip: seconds === undefined && '`npm run judges` has it' }, async () => {
    const credentials = /^headers = .*\n|^\[\[operations\]\]\n.*\nheaders = .*\n/gm;
    await run(configuration.replaceAll(credentials, ''), {});
  });
});

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { isUnreachable, npm, pack } from './pack.ts';

/** The installed package in test runners that load modules in ways of their own. */
const folder = mkdtempSync(join(tmpdir(), 'grs-runners-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const project = join(folder, 'project');
mkdirSync(project);
writeFileSync(join(project, 'package.json'), '{ "private": true }\n');
const installed = npm(
  [
    ...['install', '--no-audit', '--no-fund', '--prefer-offline', '--no-package-lock', '--fetch-retries=0'],
    ...[pack().file, 'jest@30.4.2', 'vitest@4.1.12'],
  ],
  project,
);
const reason = isUnreachable(installed) ? 'npm reaches no packages' : undefined;
if (reason !== undefined) console.log(`test/package/runners: skipped: ${reason}`);

const ready = `
    const server = await createTestServer();
    const scope = 'manage_project:my-shop';
    const created = await server.inject({ method: 'POST', path: '/my-shop/resource', body: { key: 'a' }, scope });
    const { status } = await fetch(new URL('/health/ready', server.url));
    await server.close();
    expect([created.status, status]).toEqual([201, 200]);`;

const runners: readonly (readonly [name: string, files: Readonly<Record<string, string>>, args: readonly string[]])[] =
  [
    [
      'Jest with ES modules',
      {
        'esm.test.mjs': `import { createTestServer } from 'generic-resource-service';\ntest('it', async () => {${ready}\n});`,
      },
      ['--experimental-vm-modules', 'node_modules/jest/bin/jest.js', '--testMatch', '**/esm.test.mjs'],
    ],
    [
      'Jest with CommonJS',
      {
        'common.test.cjs': `const { createTestServer } = require('generic-resource-service');\ntest('it', async () => {${ready}\n});`,
      },
      ['--experimental-vm-modules', 'node_modules/jest/bin/jest.js', '--testMatch', '**/common.test.cjs'],
    ],
    [
      'Jest without options of Node, by a global set-up',
      {
        'up.mjs': `import { createTestServer } from 'generic-resource-service';
        export default async () => { globalThis.server = await createTestServer(); process.env.SHOP_URL = globalThis.server.url; };`,
        'down.mjs': 'export default () => globalThis.server.close();',
        'plain.test.cjs': `test('it', async () => {
        expect((await fetch(new URL('/health/ready', process.env.SHOP_URL))).status).toBe(200); });`,
      },
      [
        'node_modules/jest/bin/jest.js',
        '--testMatch',
        '**/plain.test.cjs',
        '--globalSetup',
        './up.mjs',
        '--globalTeardown',
        './down.mjs',
      ],
    ],
    ...['threads', 'forks', 'vmThreads'].map(
      (pool) =>
        [
          `Vitest with ${pool}`,
          {
            'vitest.test.mjs': `import { expect, test } from 'vitest';\nimport { createTestServer } from 'generic-resource-service';\ntest('it', async () => {${ready}\n});`,
          },
          ['node_modules/vitest/vitest.mjs', 'run', 'vitest.test.mjs', `--pool=${pool}`],
        ] as const,
    ),
  ];
for (const [name, files, args] of runners) {
  test(`createTestServer works in ${name}`, (context) => {
    if (reason !== undefined) {
      context.skip(reason);
      return;
    }
    assert.equal(installed.status, 0, installed.stderr);
    for (const [file, text] of Object.entries(files)) writeFileSync(join(project, file), text);
    const { NODE_TEST_CONTEXT: _, NODE_OPTIONS: _options, ...env } = process.env;
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: project, env, encoding: 'utf8' });
    assert.equal(status, 0, stdout + stderr);
  });
}

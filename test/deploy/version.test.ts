import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { test } from 'node:test';
import { version } from '../../src/version.ts';
import { packageVersion, readText, root } from './deployment-files.ts';

test('version: the code, the lock file and the newest heading of the changelog have that of package.json', () => {
  assert.equal(version, packageVersion);
  assert.equal(JSON.parse(readText('packages/client/package.json')).version, packageVersion);
  const lock = JSON.parse(readText('package-lock.json'));
  assert.deepEqual([lock.version, lock.packages[''].version], [packageVersion, packageVersion]);
  const [, newest, state] = /^## \[(\d+\.\d+\.\d+)\] - (.+)$/m.exec(readText('CHANGELOG.md')) ?? [];
  assert.equal(newest, packageVersion);
  assert.match(state ?? '', /^(Unreleased|\d{4}-\d{2}-\d{2})$/);
});

test('version: every page and file that names an image or a package of the service names this one', () => {
  const files = globSync(['*.{md,yaml}', 'docs/*.md', 'deploy/**/*.*'], { cwd: root });
  const named = files.flatMap((file) => {
    const found = readText(file).matchAll(/generic-resource-service[-:](\d+\.\d+\.\d+)/g);
    return [...found].map(([, given]) => `${file}: ${given}`);
  });
  assert.ok(named.length >= 5, named.join('\n'));
  assert.deepEqual(
    named.filter((line) => !line.endsWith(`: ${packageVersion}`)),
    [],
  );
});

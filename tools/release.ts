/**
 * Publishes the two packages of a release, after it has seen that they are one: the versions agree, the changelog has a
 * date, and the tree is that of the tag. CONTRIBUTING.md says what comes before.
 *
 *   npm run release -- --dry-run    does all but publish
 *   npm run release
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { version } from '../src/version.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const folders = ['.', 'packages/client'];
const read = (file: string) => readFileSync(join(root, file), 'utf8');

function outputOf(command: string, args: readonly string[]): string {
  return spawnSync(command, args, { cwd: root, encoding: 'utf8' }).stdout.trim();
}

/** What keeps this tree from being released, a sentence each. */
function problems(): readonly string[] {
  const found: string[] = [];
  for (const file of [...folders.map((folder) => join(folder, 'package.json')), 'package-lock.json']) {
    const other = JSON.parse(read(file)).version;
    if (other !== version) found.push(`${file} has version ${other}, src/version.ts has ${version}.`);
  }
  if (!new RegExp(`^## \\[${version}\\] - \\d{4}-\\d\\d-\\d\\d$`, 'm').test(read('CHANGELOG.md'))) {
    found.push(`CHANGELOG.md has no heading “[${version}] - <date>”.`);
  }
  for (const [, image] of read('Dockerfile').matchAll(/^FROM \S+\/(\S+)/gm)) {
    if (!/@sha256:[0-9a-f]{64}$/.test(image!)) found.push(`The base image ${image} of the Dockerfile has no digest.`);
  }
  if (outputOf('git', ['status', '--porcelain']) !== '') found.push('There are changes that are not committed.');
  if (!outputOf('git', ['tag', '--points-at', 'HEAD']).split('\n').includes(`v${version}`)) {
    found.push(`The commit has no tag v${version}.`);
  }
  return found;
}

const args = process.argv.slice(2);
const isDry = args.length === 1 && args[0] === '--dry-run';
if (args.length > 0 && !isDry) throw new Error('Usage: npm run release [-- --dry-run]');
const found = problems();
for (const problem of found) console.error(problem);
if (found.length > 0 && !isDry) process.exit(1);
for (const folder of folders) {
  // The service first: where it fails, there is no client without one.
  const publish = ['publish', ...args, '--access', 'public'];
  const { status } = spawnSync('npm', publish, { cwd: join(root, folder), stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
if (found.length > 0) process.exitCode = 1;

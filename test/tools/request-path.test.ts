import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** What a warm request may run on the main thread: files and functions. A number may only fall. */
const budgets: Readonly<Record<string, readonly [files: number, functions: number]>> = {
  read: [18, 36],
  list: [35, 110],
  search: [50, 167],
  update: [43, 125],
  create: [38, 97],
};

/** Timers that happen to fire in each of the requests only add to the counts; on a busy machine another run has fewer. */
const attempts = 3;

/** The counts of one run of the tool, by request. */
function countOnce(): ReadonlyMap<string, readonly number[]> {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['tools/request-path.ts'], {
    cwd: root,
    encoding: 'utf8',
  });
  assert.equal(status, 0, stderr);
  const counts = new Map(
    [...stdout.matchAll(/^(\w+) +(\d+) +(\d+)$/gm)].map(([, name, ...numbers]) => [name!, numbers.map(Number)]),
  );
  assert.deepEqual([...counts.keys()], ['read', 'list', 'search', 'update', 'create']);
  return counts;
}

/** What is above its budget, in words. */
function findExceeded(counts: ReadonlyMap<string, readonly number[]>): readonly string[] {
  return Object.entries(budgets).flatMap(([name, budget]) => {
    const [files = 0, functions = 0] = counts.get(name)!;
    // A program that counts nothing would be within any budget.
    assert.ok(files > 10 && functions > files, `${name}: ${files} files and ${functions} functions`);
    if (files <= budget[0] && functions <= budget[1]) return [];
    return [`${name}: ${files} files and ${functions} functions; node tools/request-path.ts ${name} names them`];
  });
}

test('request path: warm requests run no more files and functions than their budgets', (context) => {
  let exceeded: readonly string[] = [];
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    exceeded = findExceeded(countOnce());
    if (exceeded.length === 0) return;
    context.diagnostic(exceeded.join(', '));
  }
  assert.fail(exceeded.join('\n'));
});

import assert from 'node:assert/strict';
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createLog } from '../../src/telemetry/log.ts';
import { checkInProcess, scheduleCheck } from '../../src/telemetry/scheduled-check.ts';
import { creation, document } from '../storage/records.ts';
import { fileOf, openTestStore, withDatabase } from '../storage/sqlite/open-test-store.ts';

const program = fileURLToPath(new URL('../../src/main.js', import.meta.url));

test('a check in a process of its own beside the store: an entry that an index lacks is found', async (t) => {
  const file = fileOf(t);
  const store = await openTestStore(file);
  t.after(store.close);
  for (const id of ['a', 'b']) {
    assert.equal(await store.resources.commit(creation('p', document(id, 1, {}, `k-${id}`))), 'committed');
  }
  const folder = file.slice(0, file.lastIndexOf('/'));
  const before = process.env.DATA_DIR;
  process.env.DATA_DIR = folder;
  t.after(() => {
    if (before === undefined) delete process.env.DATA_DIR;
    else process.env.DATA_DIR = before;
  });
  const check = () => checkInProcess(program, new AbortController().signal);
  assert.deepEqual(await check(), []);
  // The entry of the index of keys has project and key one behind the other, the row of the resource has not.
  withDatabase(file, (db) => db.exec('PRAGMA wal_checkpoint(TRUNCATE)'));
  const at = readFileSync(file).indexOf('pk-a');
  assert.ok(at > 0);
  const fd = openSync(file, 'r+');
  writeSync(fd, Buffer.from('pk-c'), 0, 4, at);
  closeSync(fd);
  const findings = await check();
  assert.match(findings.join(), /^structure: row 1 missing from index resource_key/);
});

test('a scheduled check: findings go to the log and to the result, a check that fails is tried again', async () => {
  const lines: string[] = [];
  const log = createLog({
    ...{ level: 'info', nowMs: () => 0 },
    stream: { writableLength: 0, write: (line: string) => lines.push(line) },
  });
  const results: (() => readonly string[])[] = [
    () => [],
    () => ['structure: row 1 missing from index resource_key'],
    () => {
      throw new Error('no memory');
    },
  ];
  let runs = 0;
  const seen: (string | undefined)[] = [];
  const scheduled = scheduleCheck({
    ...{ everyMs: 1, nowMs: () => 0, log },
    async check() {
      seen.push(scheduled.result());
      runs += 1;
      return results[Math.min(runs, 3) - 1]!();
    },
  });
  while (runs < 4) await pause(1);
  scheduled.stop();
  const found =
    '1 finding(s) at 1970-01-01T00:00:00.000Z, see the log: structure: row 1 missing from index resource_key';
  assert.deepEqual(seen.slice(0, 4), [undefined, 'ok at 1970-01-01T00:00:00.000Z', found, found]);
  assert.match(lines.join(''), /check-found.*row 1 missing from index resource_key/);
  assert.match(lines.join(''), /check-failed/);
});

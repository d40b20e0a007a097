import assert from 'node:assert/strict';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { openAcknowledgedFile, readAcknowledged } from '../../../src/sqlite/acknowledged-file.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'grs-acknowledged-'));
  file = join(folder, 'acknowledged');
});
afterEach(() => rmSync(folder, { recursive: true }));

test('acknowledged file: what is read is the last commit that was acknowledged, after a new start as well', () => {
  assert.equal(existsSync(file), false);
  assert.equal(readAcknowledged(file), undefined);
  const opened = openAcknowledgedFile(file, { instanceId: 'i', commits: 7 });
  assert.deepEqual(readAcknowledged(file), { instanceId: 'i', commits: 7 });
  for (const commits of [8, 9, 10, 13, 15]) {
    opened.acknowledge(commits);
    assert.deepEqual(readAcknowledged(file), { instanceId: 'i', commits });
  }
  opened.close();
  openAcknowledgedFile(file, { instanceId: 'j', commits: 3 }).close();
  assert.deepEqual(readAcknowledged(file), { instanceId: 'j', commits: 3 }, 'a start says what is true from then on');
});

test('acknowledged file: a write that is torn at any byte leaves the commit before it readable', () => {
  const opened = openAcknowledgedFile(file, { instanceId: 'i', commits: 3 });
  for (let commits = 4; commits <= 9; commits += 1) {
    copyFileSync(file, `${file}.before`);
    opened.acknowledge(commits);
    const [before, after] = [readFileSync(`${file}.before`), readFileSync(file)];
    const changed = [...after.keys()].filter((at) => after[at] !== before[at]);
    for (const from of changed) {
      for (const rest of [before, Buffer.alloc(before.length)]) {
        // Bytes up to here were written; those behind hold what was there, or nothing.
        const torn = Buffer.from(after);
        for (const at of changed) if (at >= from) torn[at] = rest[at]!;
        writeFileSync(`${file}.torn`, torn);
        const { commits: read } = readAcknowledged(`${file}.torn`)!;
        assert.ok(read === commits || read === commits - 1, `${read} after commit ${commits}`);
      }
    }
  }
  opened.close();
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createProgress, progressText } from '../../src/cli/progress.ts';

test('progress: a line reports the share, the number, the rate and the time left', () => {
  const state = { records: 250_000, elapsedMs: 60_000, share: 0.25 };
  assert.equal(progressText(state, false), '25 %  250,000 records, 4,167/s, 3:00 left');
  assert.equal(
    progressText(state, true),
    `[${'='.repeat(6)}${' '.repeat(18)}] 25 %  250,000 records, 4,167/s, 3:00 left`,
  );
  assert.equal(progressText({ ...state, share: undefined }, true), '250,000 records, 4,167/s');
  assert.equal(
    progressText({ records: 1, elapsedMs: 7_322_000, share: 0.5 }, false),
    '50 %  1 records, 0/s, 2:02:02 left',
  );
  assert.equal(progressText({ records: 0, elapsedMs: 0, share: 0 }, false), '0 %  0 records, 0/s');
});

function shown(isTTY: boolean, times: readonly number[]): string {
  let text = '';
  let now = 0;
  const stream = { isTTY, write: (part: string) => (text += part) };
  const progress = createProgress('import', stream, () => now);
  for (const time of times) {
    now = time;
    progress.update(time, undefined);
  }
  progress.end();
  return text;
}

test('progress: a terminal has one line that is written over, anything else a plain line every five seconds', () => {
  const times = [10, 99, 100, 150, 250, 4999, 5000, 9000, 10_000];
  assert.equal(shown(false, times), 'import: 5,000 records, 1,000/s\nimport: 10,000 records, 1,000/s\n');
  const lines = shown(true, times).split('\r\x1b[K');
  assert.deepEqual(lines.slice(0, 2), ['', 'import: 100 records, 1,000/s']);
  assert.equal(lines.length, 6);
  assert.ok(lines.at(-1)?.endsWith('/s\n'));
});

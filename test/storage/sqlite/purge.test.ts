import assert from 'node:assert/strict';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { assertFilesHave, untilNoFileHas } from '../files-without.ts';
import { originBy } from '../logged-changes.ts';
import { creation, deletion, document, replacement } from '../records.ts';
import { openTestStore, temporaryFolder } from './open-test-store.ts';

const marks = ['zebrafinkenhof', 'quittengelee', 'mark-of-a-code'];
const everything = { projectKey: 'p', where: [], sort: [], limit: 500, offset: 0, withTotal: true, staged: false };

test('what was forgotten is in no file of the store', async () => {
  const folder = temporaryFolder();
  const store = await openTestStore(folder.file);
  try {
    const commit = async (change: Parameters<typeof store.resources.commit>[0]) =>
      assert.equal(await store.resources.commit(change), 'committed');
    for (let n = 0; n < 300; n += 1)
      await commit(creation('p', document(`r${n}`, 1, { name: { en: `shoe ${n}` }, n })));
    const first = document('secret', 1, { name: { en: marks[0]! }, code: marks[2]! });
    const second = document('secret', 2, { name: { en: `${marks[1]} shoe` }, long: `${'x'.repeat(9000)}${marks[2]}` });
    await commit(creation('p', first));
    await store.resources.list(everything);
    await commit(replacement('p', first, second));
    await store.resources.list(everything);
    await commit(deletion('p', second));
    for (const mark of marks) assertFilesHave(dirname(folder.file), mark);
    assert.equal(await store.changes.forget('p', 'secret', originBy('forgotten')), true);
    for (const mark of marks) await untilNoFileHas(dirname(folder.file), mark);
    // What was there before is found as before, and what comes is followed.
    await commit(creation('p', document('later', 1, { name: { en: 'shoe' } })));
    const { total, results } = await store.resources.list(everything);
    assert.equal(total, 301);
    assert.ok(results.join().includes('"later"'));
  } finally {
    await store.close();
    folder.remove();
  }
});

test('a purge that was interrupted goes on with the next start', async () => {
  const folder = temporaryFolder();
  const store = await openTestStore(folder.file);
  const secret = document('secret', 1, { name: { en: marks[0]! } });
  await store.resources.commit(creation('p', secret));
  await store.resources.commit(deletion('p', secret));
  const forgotten = store.changes.forget('p', 'secret', originBy('forgotten'));
  await forgotten;
  await store.close();
  const again = await openTestStore(folder.file);
  try {
    await untilNoFileHas(dirname(folder.file), marks[0]!);
  } finally {
    await again.close();
    folder.remove();
  }
});

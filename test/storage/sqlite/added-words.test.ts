import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { checkStore } from '../../../src/storage/sqlite/maintenance/maintain.ts';
import { documentOf } from '../document-of.ts';
import { changesBy } from '../logged-changes.ts';
import { openTestIndex } from './open-test-index.ts';
import { openTestStore, temporaryFolder } from './open-test-store.ts';

const listOf = (db: DatabaseSync) =>
  db
    .prepare('SELECT born, locale, words FROM added_word')
    .all()
    .map((row) => Object.values(row));

test('a run lists the words that nobody had, and none that was there', () => {
  using index = openTestIndex([]);
  index.write('p', 'a', { current: documentOf('a', { name: { en: 'red shoe', de: '"Schuh", rot' } }) });
  index.write('p', 'b', { current: documentOf('b', { name: { en: 'red boot' } }) });
  index.write('p', 'c', { current: documentOf('c', { name: { en: 'red boot' } }) });
  assert.deepEqual(listOf(index.db), [
    [1, 'de', '"rot","schuh"'],
    [1, 'en', '"red","shoe"'],
    [2, 'en', '"boot"'],
  ]);
});

test('a rebuild lists nothing: no vocabulary has been read before it', async () => {
  const folder = temporaryFolder();
  try {
    const store = await openTestStore(folder.file);
    await changesBy(store, 'p').create('a', { name: { en: 'red shoe' } });
    await store.close();
    assert.deepEqual(await checkStore(folder.file, true, () => {}), []);
    const db = new DatabaseSync(folder.file);
    assert.deepEqual(listOf(db), []);
    db.close();
    assert.deepEqual(await checkStore(folder.file, false, () => {}), []);
  } finally {
    folder.remove();
  }
});

import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { checkStore } from '../../../src/storage/sqlite/maintenance/maintain.ts';
import { listMigrations, migrate } from '../../../src/storage/sqlite/open/migrate.ts';
import { createBuildPolicy } from '../../../src/storage/sqlite/search/build-policy.ts';
import { createVocabularies } from '../../../src/storage/sqlite/search/known/vocabulary.ts';
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

test('a folder of the version before keeps its words, and goes on', async () => {
  using index = openTestIndex([]);
  index.write('p', 'a', { current: documentOf('a', { name: { en: 'red shoe' } }) });
  const words = () => index.db.prepare('SELECT project_key, locale, word FROM word').all();
  const before = words();
  // As it was, with what the migration takes away.
  index.db.exec(`DROP TABLE added_word; ALTER TABLE word ADD COLUMN born INTEGER NOT NULL DEFAULT 1;
    CREATE INDEX word_born ON word (project_key, locale, born); PRAGMA user_version = 6`);
  assert.deepEqual(
    migrate(index.db, listMigrations().slice(0, 7)).map(({ version }) => version),
    [7],
  );
  assert.deepEqual(words(), before);
  const policy = createBuildPolicy(() => {}, 0);
  const vocabularies = createVocabularies(index.db, policy);
  const near = (word: string) => vocabularies.of('p', 'en', index.position()).near(word, 1);
  assert.deepEqual(near('shoes'), ['shoe']);
  index.write('p', 'b', { current: documentOf('b', { name: { en: 'shoos' } }) });
  assert.deepEqual(near('shoes').toSorted(), ['shoe', 'shoos']);
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

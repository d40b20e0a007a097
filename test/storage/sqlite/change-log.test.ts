import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { checkStore } from '../../../src/store/sqlite/maintenance/maintain.ts';
import { changeLogSuite } from '../change-log.suite.ts';
import { openTestStore, temporaryFolder } from './open-test-store.ts';

const folders = [temporaryFolder(), temporaryFolder()];
after(() => {
  for (const folder of folders) folder.remove();
});
changeLogSuite({
  name: 'SQLite',
  open: (keepsHistory) => openTestStore(folders[keepsHistory ? 1 : 0]!.file, { keepsHistory }),
});

describe('After all of that', () => {
  it('check finds nothing: checksums hold, changes lead to those before them, sizes and indexes are right', async () => {
    for (const { file } of folders) assert.deepEqual(await checkStore(file, false, () => {}), []);
  });
});

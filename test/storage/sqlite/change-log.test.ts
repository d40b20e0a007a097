import { after } from 'node:test';
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

import { after } from 'node:test';
import { resourceStoreSuite } from '../resource-store.suite.ts';
import { openTestStore, temporaryFolder } from './open-test-store.ts';

const folder = temporaryFolder();
after(() => folder.remove());
resourceStoreSuite({ name: 'SQLite', open: () => openTestStore(folder.file) });

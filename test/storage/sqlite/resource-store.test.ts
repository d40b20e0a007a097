import { after } from 'node:test';
import { sqlite } from '../../../src/store/sqlite/engine.ts';
import { resourceStoreSuite } from '../resource-store.suite.ts';
import { openTestStore, temporaryFolder } from './open-test-store.ts';

const folder = temporaryFolder();
after(() => folder.remove());
resourceStoreSuite({ name: 'SQLite', engine: sqlite, open: (metrics) => openTestStore(folder.file, { metrics }) });

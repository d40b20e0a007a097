import { after, before } from 'node:test';
import type { Store } from '../../../src/domain/ports/store.ts';
import { registerPaths } from '../../../src/record/postgres/generations/generation.ts';
import { buildIndex } from '../../../src/record/postgres/maintenance/build-index.ts';
import type { Connection } from '../../../src/record/postgres/open/connection.ts';
import { roundsOf } from '../../rounds.ts';
import { type AgreementStore, declaredPaths, predicateAgreementSuite } from '../predicate-agreement.suite.ts';
import { createDocumentWriter } from '../write-documents.ts';
import { connectToStore, openTestStore, startTestPostgres, type TestPostgres } from './start-test-postgres.ts';

/** Random predicates and orders on a store whose index is built meanwhile, a few resources at a time. */
let postgres: TestPostgres;
let connection: Connection;
before(async () => {
  postgres = await startTestPostgres();
  await (await openTestStore(postgres)).close();
  connection = await connectToStore(postgres);
});
after(async () => {
  await connection.close();
  await postgres.close();
});

/** Lists between two portions. */
const pace = 25;

async function open(): Promise<AgreementStore> {
  await postgres.run('TRUNCATE resource, ordered_value, word, index_generation');
  // The service that wrote the resources has other paths than the one that is asked; neither builds.
  const writing: Store = await openTestStore(postgres, { declaredPaths: ['arrayOfObjectType.a'], access: 'shared' });
  const asked: Store = await openTestStore(postgres, { declaredPaths, access: 'shared' });
  let calls = 0;

  /** A portion more. When the index is ready, it is built from nothing. */
  async function build(): Promise<void> {
    await connection.run({ text: 'BEGIN' });
    const isAnew = calls > pace;
    if (calls === pace || isReady) await registerPaths(connection, 'p', declaredPaths, [], isAnew);
    await connection.commit();
    let portions = 1;
    const outcome = await buildIndex(connection, 'p', { owner: 'test', portion: 2, isStopped: () => portions-- <= 0 });
    isReady = outcome === 'ready';
  }
  let isReady = false;

  return {
    write: createDocumentWriter(writing),
    async lists(query) {
      calls += 1;
      if (calls % pace === 0) await build();
      return [await asked.resources.list(query), await writing.resources.list(query)];
    },
    exists: (where, staged) => asked.resources.exists('p', where, staged),
    async close() {
      await asked.close();
      await writing.close();
    },
  };
}

const batches = roundsOf(1, 1);
predicateAgreementSuite({ name: 'PostgreSQL, while an index is built', batches, walks: 25, open });

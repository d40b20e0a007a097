import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import type { ListQuery } from '../../../src/domain/ports/list-query.ts';
import type { Store } from '../../../src/domain/ports/store.ts';
import { compilePredicate } from '../../../src/index/plan/compile-predicate.ts';
import { normalise } from '../../../src/index/plan/normalise.ts';
import { raw } from '../../../src/index/plan/sql.ts';
import type { Connection } from '../../../src/record/postgres/open/connection.ts';
import { findBroadRanges } from '../../../src/record/postgres/query/broad-ranges.ts';
import { postgresDialect } from '../../../src/record/postgres/query/dialect.ts';
import { fieldsOf, ofDocument } from '../../../src/record/postgres/query/document.ts';
import { type CompiledList, compileList, compileSelection } from '../../../src/record/postgres/query/plan-list.ts';
import { runList } from '../../../src/record/postgres/query/run-list.ts';
import { hasMatches } from '../../../src/record/postgres/query/run-sql.ts';
import { roundsOf } from '../../rounds.ts';
import { type AgreementStore, declaredPaths, predicateAgreementSuite } from '../predicate-agreement.suite.ts';
import { createDocumentWriter } from '../write-documents.ts';
import { connectToStore, openTestStore, startTestPostgres, type TestPostgres } from './start-test-postgres.ts';

let postgres: TestPostgres;
let store: Store;
let connection: Connection;
before(async () => {
  postgres = await startTestPostgres();
  store = await openTestStore(postgres, { declaredPaths });
  connection = await connectToStore(postgres);
});
after(async () => {
  await connection.close();
  await store.close();
  await postgres.close();
});

/** By the documents alone: also what terms and entries would decide. */
function withoutIndexes(query: ListQuery, list: CompiledList): CompiledList {
  const { id, key, version } = { id: raw('r.id'), key: raw('r.key'), version: raw('r.version') };
  const columns = { id, key, version, createdAt: raw('r.created_at'), lastModifiedAt: raw('r.modified_at') };
  const conditions = normalise(query.where).map((each) =>
    ofDocument(query.staged, fieldsOf(each), (json) =>
      compilePredicate(each, { dialect: postgresDialect, json, columns }),
    ),
  );
  return { ...list, conditions, isNarrowed: false };
}

let broadLists = 0;

/** Gathering all matches, giving up on that, reading along the order, and (without an order) the documents alone. */
async function lists(query: ListQuery, choice: number) {
  const list = compileList(query, declaredPaths);
  const pages = [await runList(connection, list, 1e9, { fewRows: choice % 2 === 0 ? 5000 : choice % 3 })];
  const broad = await findBroadRanges(connection, query, declaredPaths, { many: 0, part: 1e6 });
  if (broad.size > 0) broadLists += 1;
  pages.push(await runList(connection, compileList(query, declaredPaths, broad), 1e9, { fewRows: choice % 3 }));
  if (query.sort.length === 0) pages.push(await runList(connection, withoutIndexes(query, list), 1e9));
  return pages;
}

async function open(): Promise<AgreementStore> {
  await postgres.run('TRUNCATE resource, ordered_value, word');
  return {
    write: createDocumentWriter(store),
    lists,
    exists: (where, staged) =>
      hasMatches(connection, compileSelection({ projectKey: 'p', where, staged }, declaredPaths)),
    close: async () => {},
  };
}

after(() => assert.ok(broadLists > 2, `${broadLists} lists of broad ranges`));

predicateAgreementSuite({ name: 'PostgreSQL', batches: roundsOf(1, 1), walks: 25, open });

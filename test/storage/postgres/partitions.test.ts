import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Store } from '../../../src/domain/ports/store.ts';
import { logDiscoveryTexts } from '../../../src/record/postgres/changes/projects-with-log.ts';
import { countTexts } from '../../../src/record/postgres/maintenance/check.ts';
import { publicationTexts } from '../../../src/record/postgres/mirror-positions.ts';
import { createConnect } from '../../../src/record/postgres/open/connection.ts';
import { allTables, migrate } from '../../../src/record/postgres/open/migrate.ts';
import { projectListTexts } from '../../../src/record/postgres/read/projects.ts';
import { postgres as postgresEngine } from '../../../src/store/postgres/engine.ts';
import type { PostgresOptions } from '../../../src/store/postgres/store.ts';
import { changeLogSuite } from '../change-log.suite.ts';
import { resourceStoreSuite } from '../resource-store.suite.ts';
import { ruleStoreSuite } from '../rule-store.suite.ts';
import { exercise } from './exercise.ts';
import { type Recorded, recordStatements, tableStatements } from './recorded-statements.ts';
import {
  openEmptyStore,
  openTestStore,
  partitionedMigrations,
  startTestPostgres,
  type TestPostgres,
} from './start-test-postgres.ts';

let postgres: TestPostgres;
before(async () => {
  postgres = await startTestPostgres();
  const connection = await createConnect({ url: postgres.url, statementTimeoutMs: 120_000 })();
  // The tables are there when the store looks for them: spread over partitions as they would be over servers.
  await migrate(connection, partitionedMigrations());
  await connection.close();
});
after(() => postgres.close());

/** As on several servers, of which this is one. */
const apart: Partial<PostgresOptions> = {
  locate: async (projectKeys) => new Map(projectKeys.map((projectKey) => [projectKey, 'one'])),
};
const openApart = (more: Partial<PostgresOptions> = {}) => openTestStore(postgres, { ...apart, ...more });

resourceStoreSuite({
  ...{ name: 'PostgreSQL, partitioned by project', engine: postgresEngine },
  open: (metrics) => openApart({ metrics }),
});

ruleStoreSuite({
  ...{ name: 'PostgreSQL, partitioned by project', rounds: 50 },
  open: async () => [await openApart(), await openApart()],
});

changeLogSuite({
  ...{ name: 'PostgreSQL, partitioned by project' },
  open: (keepsHistory) => openEmptyStore(postgres, keepsHistory, apart),
});

test('every table of the schema is distributed by project, and its keys and indexes begin with it', async () => {
  const indexes = await postgres.run<{ name: string; definition: string }>(
    `SELECT indexname AS name, indexdef AS definition FROM pg_indexes
     WHERE schemaname = current_schema() AND tablename <> 'schema_migration'`,
  );
  assert.ok(indexes.length > 20, `${indexes.length} indexes found`);
  const others = indexes.filter(({ definition }) => !/\(project_key\b/.test(definition));
  assert.deepEqual(others, []);
  const found = await postgres.run<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind = 'p'`,
  );
  assert.deepEqual(found.map(({ name }) => name).sort(), tables.toSorted());
});

test('every table says which row was deleted: by its primary key, or by all columns', async () => {
  const found = await postgres.run<{ name: string }>(
    `SELECT relname AS name FROM pg_class c WHERE relnamespace = current_schema()::regnamespace AND relkind = 'p'
     AND relreplident <> 'f' AND NOT EXISTS (SELECT 1 FROM pg_index i WHERE i.indrelid = c.oid AND i.indisprimary)`,
  );
  assert.deepEqual(found, []);
});

const tables = allTables();
const partition = new RegExp(`\\bon (${tables.join('|')})_([0-3])\\b`, 'g');

/** The partitions that a plan reads or writes, by table. */
async function touchedPartitions({ text, values }: Recorded): Promise<readonly string[]> {
  const plan = await postgres.run<{ 'QUERY PLAN': string }>(`EXPLAIN ${text}`, values);
  const names = plan.flatMap((line) => [...line['QUERY PLAN'].matchAll(partition)]);
  const touched = new Set(names.map(([, table, number]) => `${table} ${number}`));
  return [...touched];
}

/** Statements that find projects, or count what there is. No request waits for them. */
const ofAllProjects: ReadonlySet<string> = new Set([
  ...logDiscoveryTexts,
  ...projectListTexts,
  ...publicationTexts,
  ...Object.values(countTexts),
]);

async function assertOnePartition(recorded: readonly Recorded[], atLeast: number): Promise<void> {
  const statements = new Map(tableStatements(recorded).map((each) => [each.text, each]));
  assert.ok(statements.size > atLeast, `${statements.size} statements recorded`);
  for (const statement of statements.values()) {
    // What a function does is not in the plan of the statement that calls it.
    if (
      statement.text.includes('grs_commit(') ||
      ofAllProjects.has(statement.text) ||
      statement.text.includes('pg_dist_placement')
    )
      continue;
    // A check reads these tables as a whole.
    if (/FROM (?:api_client|signing_key|revocation|idempotent_answer)\s+WHERE \(/.test(statement.text)) continue;
    const touched = await touchedPartitions(statement);
    const names = touched.map((each) => each.split(' ')[0]);
    assert.equal(new Set(names).size, names.length, `${statement.text}\n${touched}`);
    // Where an INSERT puts its rows is no part of its plan; they all have the one project that is bound.
    const isInsert = /^\s*INSERT\b/.test(statement.text);
    const isOther = isInsert || /schema_migration|\bAND FALSE\b/.test(statement.text);
    assert.ok(touched.length > 0 || isOther, statement.text);
  }
}

test('the function that commits: each of its statements is for one project, and it finds its tables on any server', async () => {
  const [commit] = await postgres.run<{ body: string; settings: readonly string[] | null }>(
    `SELECT prosrc AS body, proconfig AS settings FROM pg_proc
     WHERE proname = 'grs_commit' AND pronamespace = current_schema()::regnamespace`,
  );
  const { body, settings } = commit!;
  const projects = body.split(/;\s*$/m).map((statement) => {
    return new Set([...statement.matchAll(/\bproject_key = (p|r_project|p_owner)\b/g)].map(([, project]) => project));
  });
  // Servers refuse a statement about rows of several of them, as those of a project and of its responses may be.
  assert.deepEqual(
    projects.filter(({ size }) => size > 1),
    [],
  );
  assert.ok(projects.some((found) => found.has('r_project')) && projects.some((found) => found.has('p')));
  const schema = /search_path%3D(\w+)/.exec(postgres.url)![1];
  assert.deepEqual(settings, [`search_path=${schema}`]);
});

test('what machines publish of their mirrors asks no function whose result changes within a statement', () => {
  for (const text of publicationTexts) assert.doesNotMatch(text, /clock_timestamp|random|timeofday/);
});

test('no statement of a request touches more than one partition of a table', async () => {
  const store: Store = await openApart({ declaredPaths: ['price'] });
  const recorder = recordStatements();
  await exercise(store);
  recorder.stop();
  await store.close();
  await assertOnePartition(recorder.statements, 20);
});

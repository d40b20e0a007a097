import { escapeLiteral } from 'pg';
import type { Connection } from '../../../src/record/postgres/open/connection.ts';
import type { TestPostgres } from './start-test-postgres.ts';

/** Runs a statement, and returns the lines of its plan as it really went; those of a shard have the names of the table. */
export async function explain(
  { isCluster }: TestPostgres,
  connection: Connection,
  { text, values = [] }: { readonly text: string; readonly values?: readonly unknown[] },
): Promise<readonly string[]> {
  const explained = 'EXPLAIN (ANALYZE, TIMING OFF, COSTS OFF, SUMMARY OFF)';
  // A worker of a cluster explains what it would do without knowing the values, which is not what it does.
  const asked = isCluster
    ? { text: `${explained} ${withLiterals(text, values)}` }
    : { text: `${explained} ${text}`, values };
  const plan = await connection.query<{ 'QUERY PLAN': string }>(asked);
  return plan.map((line) => (isCluster ? line['QUERY PLAN'].replaceAll(/_\d{6,}\b/g, '') : line['QUERY PLAN']).trim());
}

/** A statement with its values in it. */
function withLiterals(text: string, values: readonly unknown[]): string {
  return text.replaceAll(/\$(\d+)/g, (_, n) => literal(values[Number(n) - 1]));
}

function literal(value: unknown): string {
  if (value === null) return 'NULL';
  return escapeLiteral(Array.isArray(value) ? `{${value.map((each) => JSON.stringify(String(each)))}}` : String(value));
}

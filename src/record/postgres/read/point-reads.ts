import type { IdempotentResponse } from '../../../domain/ports/resource-store.ts';
import type { DamageLog, Row } from '../../row/checked-table.ts';
import { responseOf } from '../../row/response-row.ts';
import { recordOf, type StoredRow } from '../../row/stored-row.ts';
import { responses, selected } from '../checked-tables.ts';
import type { ProjectNodes } from '../open/nodes.ts';
import type { Pool } from '../open/pool.ts';
import { createReadOfProject, type ReadOfProject } from '../open/read-again.ts';
import { responseKey, responsePartition, rowColumns } from '../rows.ts';

export interface PointReadsParts {
  readonly pool: Pool;
  readonly nodes: ProjectNodes;
  readonly damage: DamageLog;
}

/** The statements: each reads the rows of a project for a list of names. */
export const pointReadTexts = {
  id: `SELECT ${rowColumns} FROM resource r WHERE r.project_key = $1 AND r.id = ANY($2::text[])`,
  key: `SELECT ${rowColumns} FROM resource r WHERE r.project_key = $1 AND r.key = ANY($2::text[])`,
  response: `SELECT ${selected(responses)}, body FROM idempotent_answer
    WHERE project_key = $1 AND scope_hash = ANY($2::text[])`,
} as const;

/** One of these statements; prepared once on each connection, by its name. */
export function pointRead(by: keyof typeof pointReadTexts, projectKey: string, names: readonly string[]) {
  return { name: `read-by-${by}`, text: pointReadTexts[by], values: [projectKey, names] };
}

/** The names of a statement, and the rows that it finds by them. */
interface Batch<Row> {
  readonly names: Set<string>;
  readonly found: Promise<ReadonlyMap<string | null, Row>>;
}

/** Reads rows by name. The reads of a project in one turn of the event loop share a statement. */
function createReader<Row>(
  read: ReadOfProject,
  statement: keyof typeof pointReadTexts,
  nameOf: (row: Row) => string | null,
) {
  /** By project, until they are sent. */
  const waiting = new Map<string, Batch<Row>>();

  function begin(projectKey: string): Batch<Row> {
    const names = new Set<string>();
    async function find(): Promise<ReadonlyMap<string | null, Row>> {
      await new Promise(setImmediate);
      waiting.delete(projectKey);
      const rows = await read(projectKey, (connection) =>
        connection.query<Row>(pointRead(statement, projectKey, [...names])),
      );
      return new Map(rows.map((row) => [nameOf(row), row]));
    }
    const batch = { names, found: find() };
    waiting.set(projectKey, batch);
    return batch;
  }

  return async (projectKey: string, name: string): Promise<Row | undefined> => {
    const { names, found } = waiting.get(projectKey) ?? begin(projectKey);
    names.add(name);
    return (await found).get(name);
  };
}

/** No text of PostgreSQL has a NUL, so that no row has such a name. */
const isStorable = (name: string) => !name.includes('\0');

/** Creates the reads of single rows over a pool. */
export function createPointReads({ pool, nodes, damage }: PointReadsParts) {
  const read = createReadOfProject(pool, nodes);
  const readId = createReader<StoredRow>(read, 'id', ({ id }) => id);
  const readKey = createReader<StoredRow>(read, 'key', ({ key }) => key);
  const readResponse = createReader<Row>(read, 'response', ({ scope_hash }) => scope_hash as string);
  const toRecord = (row: StoredRow | undefined) => row && recordOf(row);
  return {
    byId: async (projectKey: string, id: string) =>
      isStorable(id) ? toRecord(await readId(projectKey, id)) : undefined,
    byKey: async (projectKey: string, key: string) =>
      isStorable(key) ? toRecord(await readKey(projectKey, key)) : undefined,
    async response(scope: string, nowMs: number): Promise<IdempotentResponse | undefined> {
      const row = await readResponse(responsePartition(scope), responseKey(scope));
      return responseOf(responses, damage, scope, row, nowMs);
    },
  };
}

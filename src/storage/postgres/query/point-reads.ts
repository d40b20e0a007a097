import type { IdempotentResponse, ResourceRecord } from '../../../domain/ports/resource-store.ts';
import type { DamageLog, Row } from '../../row/checked-table.ts';
import { damagedResponse, isIntactResponse, responseOf } from '../../row/response-row.ts';
import { recordOf, type StoredRow } from '../../row/stored-row.ts';
import { responses, selected } from '../checked-tables.ts';
import type { Connection } from '../open/connection.ts';
import { isUnavailable, refusalOf } from '../open/errors.ts';
import type { Pool } from '../open/pool.ts';
import { responseKey, responsePartition, rowColumns } from '../rows.ts';

/** Reads of single rows. */
export interface PointReads {
  byId(projectKey: string, id: string): Promise<ResourceRecord | undefined>;
  byKey(projectKey: string, key: string): Promise<ResourceRecord | undefined>;
  response(scope: string, nowMs: number): Promise<IdempotentResponse | undefined>;
}

/** The statements: each reads the rows of a project for a list of names. */
export const pointReadTexts = {
  id: `SELECT ${rowColumns} FROM resource r WHERE r.project_key = $1 AND r.id = ANY($2::text[])`,
  key: `SELECT ${rowColumns} FROM resource r WHERE r.project_key = $1 AND r.key = ANY($2::text[])`,
  response: `SELECT ${selected(responses)}, body FROM idempotent_answer
    WHERE project_key = $1 AND scope_hash = ANY($2::text[])`,
} as const;

interface Caller<Row> {
  readonly resolve: (row: Row | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/** Those who wait for rows, by the names of the rows, by project. */
type Callers<Row> = Map<string, Map<string, Caller<Row>[]>>;

/** Batches that run at the same time; reads that come meanwhile share the next one. */
const maxBatches = 2;

/** Reads rows by name. The reads of one turn of the event loop share a batch: one statement for each project. */
function createReader<Row>(pool: Pool, statement: keyof typeof pointReadTexts, nameOf: (row: Row) => string | null) {
  let waiting: Callers<Row> = new Map();
  let running = 0;
  let isScheduled = false;

  async function readProject(connection: Connection, projectKey: string, callers: Map<string, Caller<Row>[]>) {
    const rows = await connection.query<Row>({
      ...{ name: `read-by-${statement}`, text: pointReadTexts[statement] },
      values: [projectKey, [...callers.keys()]],
    });
    const found = new Map(rows.map((row) => [nameOf(row), row]));
    for (const [name, ofName] of callers) for (const { resolve } of ofName) resolve(found.get(name));
  }

  /** A project fails alone: only its part of the database may be away. */
  async function readBatch(batch: Callers<Row>, mayRepeat: boolean): Promise<void> {
    const again: Callers<Row> = new Map();
    const failed = (projectKey: string, error: unknown) => {
      const callers = batch.get(projectKey)!;
      if (mayRepeat && isUnavailable(error)) again.set(projectKey, callers);
      else for (const { reject } of [...callers.values()].flat()) reject(refusalOf(error));
    };
    try {
      await pool.use((connection) =>
        Promise.all(
          [...batch].map(([projectKey, callers]) =>
            readProject(connection, projectKey, callers).catch((error: unknown) => failed(projectKey, error)),
          ),
        ),
      );
    } catch (error) {
      for (const projectKey of batch.keys()) failed(projectKey, error);
    }
    if (again.size > 0) await readBatch(again, false);
  }

  function flush(): void {
    isScheduled = false;
    if (waiting.size === 0 || running >= maxBatches) return;
    const batch = waiting;
    waiting = new Map();
    running += 1;
    void readBatch(batch, true).finally(() => {
      running -= 1;
      flush();
    });
  }

  return (projectKey: string, name: string): Promise<Row | undefined> =>
    new Promise((resolve, reject) => {
      const ofProject = waiting.get(projectKey) ?? new Map<string, Caller<Row>[]>();
      waiting.set(projectKey, ofProject);
      const callers = ofProject.get(name);
      if (callers) callers.push({ resolve, reject });
      else ofProject.set(name, [{ resolve, reject }]);
      if (!isScheduled) setImmediate(flush);
      isScheduled = true;
    });
}

/** No text of PostgreSQL has a NUL, so that no row has such a name. */
const isStorable = (name: string) => !name.includes('\0');

/** Creates the reads of single rows over a pool. */
export function createPointReads(pool: Pool, damage: DamageLog): PointReads {
  const readId = createReader<StoredRow>(pool, 'id', ({ id }) => id);
  const readKey = createReader<StoredRow>(pool, 'key', ({ key }) => key);
  const readResponse = createReader<Row>(pool, 'response', ({ scope_hash }) => scope_hash as string);
  const toRecord = (row: StoredRow | undefined) => row && recordOf(row);
  return {
    byId: async (projectKey, id) => (isStorable(id) ? toRecord(await readId(projectKey, id)) : undefined),
    byKey: async (projectKey, key) => (isStorable(key) ? toRecord(await readKey(projectKey, key)) : undefined),
    async response(scope, nowMs) {
      const row = await readResponse(responsePartition(scope), responseKey(scope));
      if (!row) return undefined;
      if (!isIntactResponse(responses, row)) {
        damage.add(responses, row);
        throw damagedResponse();
      }
      return (row.expires_at as number) > nowMs ? responseOf(scope, row) : undefined;
    },
  };
}

import type { IdempotentResponse, ResourceRecord } from '../../../domain/ports/resource-store.ts';
import type { DamageLog, Row } from '../../row/checked-table.ts';
import { damagedResponse, isIntactResponse, responseOf } from '../../row/response-row.ts';
import { recordOf, type StoredRow } from '../../row/stored-row.ts';
import { responses, selected } from '../checked-tables.ts';
import type { Connection } from '../open/connection.ts';
import { isWorthRepeating, refusalOf } from '../open/errors.ts';
import type { ProjectNodes } from '../open/nodes.ts';
import type { Pool } from '../open/pool.ts';
import { responseKey, responsePartition, rowColumns } from '../rows.ts';

/** Reads of single rows. */
export interface PointReads {
  byId(projectKey: string, id: string): Promise<ResourceRecord | undefined>;
  byKey(projectKey: string, key: string): Promise<ResourceRecord | undefined>;
  response(scope: string, nowMs: number): Promise<IdempotentResponse | undefined>;
}

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

interface Caller<Row> {
  readonly resolve: (row: Row | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/** Callers that wait for rows, by the names of the rows, by project. */
type Callers<Row> = Map<string, Map<string, Caller<Row>[]>>;

/** Reads rows by name. The reads of one turn of the event loop share a batch: one statement for each project. */
function createReader<Row>(
  { pool, nodes }: PointReadsParts,
  statement: keyof typeof pointReadTexts,
  nameOf: (row: Row) => string | null,
) {
  /** The next batch of each server: one that hangs holds up no others, which have connections of their own (`createShares`). */
  const waiting = new Map<string, Callers<Row>>();

  async function readProject(connection: Connection, projectKey: string, callers: Map<string, Caller<Row>[]>) {
    const rows = await connection.query<Row>(pointRead(statement, projectKey, [...callers.keys()]));
    const found = new Map(rows.map((row) => [nameOf(row), row]));
    for (const [name, ofName] of callers) for (const { resolve } of ofName) resolve(found.get(name));
  }

  /** A project fails alone: only its part of the database may be away. */
  async function readBatch(group: string, batch: Callers<Row>, mayRepeat: boolean): Promise<void> {
    const begunMs = performance.now();
    const again: Callers<Row> = new Map();
    const failed = (projectKey: string, error: unknown) => {
      const callers = batch.get(projectKey)!;
      if (mayRepeat && isWorthRepeating(error, begunMs)) again.set(projectKey, callers);
      else rejectAll([callers], refusalOf(error));
    };
    const read = (connection: Connection) =>
      Promise.all(
        [...batch].map(([projectKey, callers]) =>
          readProject(connection, projectKey, callers).catch((error: unknown) => failed(projectKey, error)),
        ),
      );
    try {
      await pool.use(read, group);
    } catch (error) {
      for (const projectKey of batch.keys()) failed(projectKey, error);
    }
    if (again.size > 0) await readBatch(group, again, false);
  }

  function enqueue(group: string, projectKey: string, name: string): Promise<Row | undefined> {
    const batch: Callers<Row> = waiting.get(group) ?? new Map();
    if (!waiting.has(group)) {
      waiting.set(group, batch);
      setImmediate(() => {
        waiting.delete(group);
        void readBatch(group, batch, true);
      });
    }
    const ofProject = batch.get(projectKey) ?? new Map<string, Caller<Row>[]>();
    batch.set(projectKey, ofProject);
    const callers = ofProject.get(name) ?? [];
    ofProject.set(name, callers);
    return new Promise((resolve, reject) => callers.push({ resolve, reject }));
  }

  return (projectKey: string, name: string): Promise<Row | undefined> => {
    const group = nodes.groupOf(projectKey);
    if (typeof group === 'string') return enqueue(group, projectKey, name);
    return group.then((found) => enqueue(found, projectKey, name));
  };
}

function rejectAll<Row>(projects: Iterable<ReadonlyMap<string, readonly Caller<Row>[]>>, reason: unknown): void {
  for (const callers of projects) for (const { reject } of [...callers.values()].flat()) reject(reason);
}

/** No text of PostgreSQL has a NUL, so that no row has such a name. */
const isStorable = (name: string) => !name.includes('\0');

/** Creates the reads of single rows over a pool. */
export function createPointReads(parts: PointReadsParts): PointReads {
  const { damage } = parts;
  const readId = createReader<StoredRow>(parts, 'id', ({ id }) => id);
  const readKey = createReader<StoredRow>(parts, 'key', ({ key }) => key);
  const readResponse = createReader<Row>(parts, 'response', ({ scope_hash }) => scope_hash as string);
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

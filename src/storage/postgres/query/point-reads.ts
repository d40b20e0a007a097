import type { IdempotentResponse, ResourceRecord } from '../../../domain/ports/resource-store.ts';
import { recordOf, type StoredRow } from '../../row/stored-row.ts';
import type { Connection } from '../open/connection.ts';
import { isUnavailable, refusalOf } from '../open/errors.ts';
import { answerKey, answerPartition } from '../open/partition.ts';
import type { Pool } from '../open/pool.ts';
import { rowColumns } from './rows.ts';

export interface PointReads {
  byId(projectKey: string, id: string): Promise<ResourceRecord | undefined>;
  byKey(projectKey: string, key: string): Promise<ResourceRecord | undefined>;
  answer(scope: string, nowMs: number): Promise<IdempotentResponse | undefined>;
}

interface AnswerRow {
  readonly scope_hash: string;
  readonly request_hash: string;
  readonly status: number;
  readonly headers: string;
  readonly body: string;
  readonly expires_at: number;
}

/** A kind of reads by one text each: what finds the rows of many, and which of them a row is for. */
interface Reading<Row> {
  readonly name: string;
  readonly text: string;
  readonly nameOf: (row: Row) => string;
}

const readings = {
  id: {
    name: 'by-id',
    text: `SELECT ${rowColumns} FROM resource r WHERE r.project_key = $1 AND r.id = ANY($2::text[])`,
    nameOf: ({ id }) => id,
  },
  key: {
    name: 'by-key',
    text: `SELECT ${rowColumns} FROM resource r WHERE r.project_key = $1 AND r.key = ANY($2::text[])`,
    nameOf: ({ key }) => key!,
  },
} as const satisfies Record<string, Reading<StoredRow>>;

const answers: Reading<AnswerRow> = {
  name: 'answers',
  text: 'SELECT * FROM idempotent_answer WHERE project_key = $1 AND scope_hash = ANY($2::text[])',
  nameOf: ({ scope_hash }) => scope_hash,
};

/** The texts of the statements, for a look at their plans. */
export const pointReadTexts: Readonly<Record<string, string>> = {
  id: readings.id.text,
  key: readings.key.text,
  answers: answers.text,
};

interface Waiting<Row> {
  readonly resolve: (row: Row | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/** Batches on their way at the same time; what comes meanwhile shares the next one. */
const mostOnTheWay = 2;

/** Reads by one text, those of a turn of the event loop together: one statement for each project. */
function createReader<Row>(pool: Pool, { name, text, nameOf }: Reading<Row>) {
  let waiting = new Map<string, Map<string, Waiting<Row>[]>>();
  let onTheWay = 0;
  let scheduled = false;

  async function readProject(connection: Connection, projectKey: string, asked: Map<string, Waiting<Row>[]>) {
    const rows = await connection.query<Row>({ name, text, values: [projectKey, [...asked.keys()]] });
    const found = new Map(rows.map((row) => [nameOf(row), row]));
    for (const [each, callers] of asked) for (const { resolve } of callers) resolve(found.get(each));
  }

  /** What fails for one project, whose part of the database may be away, is no answer to the others. */
  async function readAll(batch: typeof waiting, mayRepeat: boolean): Promise<void> {
    const again: typeof waiting = new Map();
    const failed = (projectKey: string, asked: Map<string, Waiting<Row>[]>, error: unknown) => {
      if (mayRepeat && isUnavailable(error)) again.set(projectKey, asked);
      else for (const callers of asked.values()) for (const { reject } of callers) reject(refusalOf(error));
    };
    try {
      await pool.use((connection) =>
        Promise.all(
          [...batch].map(([projectKey, asked]) =>
            readProject(connection, projectKey, asked).catch((error: unknown) => failed(projectKey, asked, error)),
          ),
        ),
      );
    } catch (error) {
      for (const [projectKey, asked] of batch) failed(projectKey, asked, error);
    }
    if (again.size > 0) await readAll(again, false);
  }

  function flush(): void {
    scheduled = false;
    if (waiting.size === 0 || onTheWay >= mostOnTheWay) return;
    const batch = waiting;
    waiting = new Map();
    onTheWay += 1;
    void readAll(batch, true).finally(() => {
      onTheWay -= 1;
      flush();
    });
  }

  return (projectKey: string, text: string): Promise<Row | undefined> =>
    new Promise((resolve, reject) => {
      const ofProject = waiting.get(projectKey) ?? new Map<string, Waiting<Row>[]>();
      waiting.set(projectKey, ofProject);
      const callers = ofProject.get(text);
      if (callers) callers.push({ resolve, reject });
      else ofProject.set(text, [{ resolve, reject }]);
      if (!scheduled) setImmediate(flush);
      scheduled = true;
    });
}

/** PostgreSQL has no text with a NUL, so that nothing is under such a one. */
const isStorable = (text: string) => !text.includes('\0');

/** Reads single rows. */
export function createPointReads(pool: Pool): PointReads {
  const readId = createReader(pool, readings.id);
  const readKey = createReader(pool, readings.key);
  const readAnswer = createReader(pool, answers);
  const toRecord = (row: StoredRow | undefined) => row && recordOf(row);
  return {
    byId: async (projectKey, id) => (isStorable(id) ? toRecord(await readId(projectKey, id)) : undefined),
    byKey: async (projectKey, key) => (isStorable(key) ? toRecord(await readKey(projectKey, key)) : undefined),
    async answer(scope, nowMs) {
      const row = await readAnswer(answerPartition(scope), answerKey(scope));
      if (!row || row.expires_at <= nowMs) return undefined;
      return {
        scope,
        requestHash: row.request_hash,
        status: row.status,
        headers: JSON.parse(row.headers) as Record<string, string>,
        body: row.body,
        expiresAtMs: row.expires_at,
      };
    },
  };
}

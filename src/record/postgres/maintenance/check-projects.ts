import { availableParallelism } from 'node:os';
import { startPieceThread } from '../../../threads/piece-thread.ts';
import { type PieceWorker, workInOrder } from '../../../threads/work-in-order.ts';
import type { CheckPart, Progress } from '../../engine.ts';
import { projectsWithLog } from '../changes/projects-with-log.ts';
import { endOfNumbers } from '../event-row.ts';
import type { RecordedPaths } from '../generations/generation.ts';
import type { Connection } from '../open/connection.ts';
import { hasCitus } from '../open/migrate.ts';
import { type CountedEntries, countedFindings } from './check.ts';
import { beginSnapshot, type CheckedPart, checkPiece, type Piece } from './check-piece.ts';
import type { CheckThreadData } from './check-thread.ts';
import { projectsWithResources } from './index-builder.ts';

export interface ProjectsCheck {
  readonly url: string;
  readonly connection: Connection;
  readonly recorded: RecordedPaths;
  readonly progress: Progress;
  readonly report: (finding: string) => void;
  readonly part?: CheckPart | undefined;
  readonly jobs?: number | undefined;
  /** Rows that a thread takes at a time. */
  readonly pieceRows?: number | undefined;
}

const defaultPieceRows = 2000;
/** For fewer rows one more thread takes longer to start than it saves. */
const rowsPerJob = 10_000;
/** More have to be asked for: each has a session of its own, and a server takes a limited number. */
const maxDefaultJobs = 8;

type Table = Piece['table'];
type Worker = PieceWorker<Piece, CheckedPart, CountedEntries>;

const labels: Readonly<Record<Table, string>> = { resource: 'resources', event: 'log of changes' };

/** Checks resources with their indexes, project by project, and then the logs of the projects, or a part of all that. */
export async function checkProjects(check: ProjectsCheck): Promise<void> {
  const { connection, part } = check;
  const from = part && 'from' in part ? placeOf(part.from) : undefined;
  const tables: readonly Table[] = from?.table === 'event' ? ['event'] : ['resource', 'event'];
  const first = await countRows(check, tables[0]!, from);
  const jobs = check.jobs ?? defaultJobs(connection, first);
  const workers = openWorkers(check, jobs);
  // The nodes of a cluster have snapshots of their own, and a pooler may have no second session: there, a project is
  // checked by one session.
  const shares = jobs > 1 && !connection.isPooled && !(await hasCitus(connection));
  try {
    for (const table of tables) {
      const total = table === tables[0] ? first : await countRows(check, table, from);
      await checkTable(check, { table, from, shares, workers, total });
    }
  } finally {
    await Promise.all(workers.map((worker) => worker.close()));
  }
}

function defaultJobs(connection: Connection, rows: number): number {
  if (connection.isPooled) return 1;
  return Math.max(1, Math.min(availableParallelism(), maxDefaultJobs, Math.ceil(rows / rowsPerJob)));
}

function openWorkers({ url, connection, recorded }: ProjectsCheck, jobs: number): readonly Worker[] {
  if (jobs === 1) {
    // In this thread, where the connection is free whenever a piece is being worked on.
    return [{ run: (piece, onPart) => checkPiece(connection, recorded, piece, onPart), close: async () => {} }];
  }
  const data: CheckThreadData = { url, recorded };
  return Array.from({ length: jobs }, () => startPieceThread(new URL('./check-thread.ts', import.meta.url), data));
}

/** Where a check begins. */
interface Place {
  readonly table: Table;
  readonly projectKey: string;
  readonly behind: string;
}

/** What is before all rows of a project. */
const beginnings: Readonly<Record<Table, string>> = { resource: '', event: '0' };

/** No project key has a slash; an id may. */
function placeOf(text: string): Place {
  const [, log, projectKey = '', , behind = ''] = /^(log:)?([^/]*)(\/(.*))?$/s.exec(text)!;
  const table = log === undefined ? 'resource' : 'event';
  return { table, projectKey, behind: behind === '' ? beginnings[table] : behind };
}

/** The projects of a table that are to be checked, each from a place on. */
async function* startsOf({ connection, part }: ProjectsCheck, table: Table, from: Place | undefined) {
  const behind = beginnings[table];
  if (part !== undefined && 'project' in part) {
    yield { projectKey: part.project, behind };
    return;
  }
  const first = from?.table === table && from.projectKey !== '' ? from : undefined;
  if (first) yield { projectKey: first.projectKey, behind: first.behind };
  const projects =
    table === 'resource'
      ? projectsWithResources(connection, first?.projectKey)
      : projectsWithLog((work) => work(connection), first?.projectKey);
  for await (const projectKey of projects) yield { projectKey, behind };
}

/** The statements that count the rows of several projects at once. */
export const countTexts: Readonly<Record<Table, string>> = {
  resource: 'SELECT count(*) AS total FROM resource',
  event: 'SELECT count(*) AS total FROM event',
};

const places: Readonly<Record<Table, string>> = { resource: 'id', event: 'sequence' };

/** The number of rows to be checked, for the time that is left. */
async function countRows({ connection, part }: ProjectsCheck, table: Table, from: Place | undefined): Promise<number> {
  const first = from?.table === table ? from : undefined;
  let condition = '';
  let values: readonly string[] = [];
  if (part !== undefined && 'project' in part) {
    condition = ' WHERE project_key = $1';
    values = [part.project];
  } else if (first) {
    condition = ` WHERE project_key > $1 OR (project_key = $1 AND ${places[table]} > $2)`;
    values = [first.projectKey, first.behind];
  }
  const [row] = await connection.query<{ total: number }>({ text: countTexts[table] + condition, values });
  return row!.total;
}

interface TableCheck {
  readonly table: Table;
  readonly from: Place | undefined;
  /** Pieces of one project may be of several sessions. */
  readonly shares: boolean;
  readonly workers: readonly Worker[];
  readonly total: number;
}

async function checkTable(check: ProjectsCheck, { table, from, shares, workers, total }: TableCheck): Promise<void> {
  const { connection, recorded, progress, report, pieceRows = defaultPieceRows } = check;
  const tally = createTally();
  let done = 0;

  /** The place of the last row of a piece that begins there; undefined if there are fewer rows. */
  async function endOf({ projectKey, behind }: Piece): Promise<string | undefined> {
    const values = [projectKey, behind, pieceRows - 1];
    const [row] = await connection.query<{ at: string | number }>({ text: endTexts[table], values });
    return row && String(row.at);
  }

  async function* pieces(signal: AbortSignal): AsyncGenerator<Piece> {
    for await (const start of startsOf(check, table, from)) {
      const whole: Piece = { table, ...start };
      if (shares && (await endOf(whole)) !== undefined) yield* piecesOfSeveral(whole, signal);
      else yield whole;
    }
  }

  async function* piecesOfSeveral(whole: Piece, signal: AbortSignal): AsyncGenerator<Piece> {
    await beginSnapshot(connection);
    const [exported] = await connection.query<{ snapshot: string }>({
      text: 'SELECT pg_export_snapshot() AS snapshot',
    });
    for (let behind: string | undefined = whole.behind; behind !== undefined; ) {
      const piece: Piece = { ...whole, behind, rows: pieceRows, snapshot: exported!.snapshot };
      behind = await endOf(piece);
      tally.begin();
      yield piece;
    }
    const counted = await tally.sum(signal);
    if (table === 'resource' && whole.behind === beginnings.resource) {
      for (const finding of await countedFindings(connection, whole.projectKey, counted, recorded)) report(finding);
    }
    await connection.commit();
  }

  await workInOrder(pieces, workers, {
    part({ projectKey }, { rows, at, findings }) {
      for (const finding of findings) report(finding);
      if (at === undefined) return;
      done += rows;
      progress(labels[table], done, Math.max(done, total), `${table === 'event' ? 'log:' : ''}${projectKey}/${at}`);
    },
    end({ snapshot }, counted) {
      if (snapshot !== undefined) tally.end(counted);
    },
  });
}

const endTexts: Readonly<Record<Table, string>> = {
  resource: 'SELECT id AS at FROM resource WHERE project_key = $1 AND id > $2 ORDER BY id OFFSET $3 LIMIT 1',
  event: `SELECT sequence AS at FROM event WHERE project_key = $1 AND sequence > $2 AND sequence < ${endOfNumbers}
      ORDER BY sequence OFFSET $3 LIMIT 1`,
};

/** Adds up what the pieces of a project give. */
interface Tally {
  begin(): void;
  end(counted: CountedEntries): void;
  /** What all pieces since the last sum give, once they have ended. Rejects when the signal is aborted. */
  sum(signal: AbortSignal): Promise<CountedEntries>;
}

function createTally(): Tally {
  let [open, entries, damaged] = [0, 0, 0];
  let onEnd = () => {};
  return {
    begin() {
      open += 1;
    },
    end(counted) {
      open -= 1;
      entries += counted.entries;
      damaged += counted.damaged;
      if (open === 0) onEnd();
    },
    async sum(signal) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      onEnd = resolve;
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      if (open > 0) await promise;
      const sum = { entries, damaged };
      [entries, damaged] = [0, 0];
      return sum;
    },
  };
}

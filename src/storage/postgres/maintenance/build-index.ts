import { documentsOf, isIntact, type StoredRow } from '../../row/stored-row.ts';
import { type Generation, parseReady, pathList, withoutTerms } from '../generations/generation.ts';
import { entryRow, keyDigits, placesAt } from '../index/entry-row.ts';
import { entriesOf, type Indexed, indexResource } from '../index/index-columns.ts';
import { encodedDeclared, encodedForms, endMarks, missingClass } from '../index/ordered-entries.ts';
import type { Connection } from '../open/connection.ts';
import { rowColumns, scanText } from '../rows.ts';
import { runPairs } from '../write/apply.ts';

export interface BuildOptions {
  /** A name that no other builder has. */
  readonly owner: string;
  /** Rows, or entries to delete, of one transaction. */
  readonly portion?: number;
  /** True to stop after the current portion. */
  readonly isStopped?: () => boolean;
  /** Called after each portion with the rows scanned since the last call. */
  readonly onScanned?: (rows: number) => void;
}

const defaultPortion = 500;
const leaseMs = 10_000;

/**
 * Builds the entries that the newest generation of a project lacks, a portion in each transaction; a build that was
 * given up is continued. Each portion locks the row of the generation, so that portions of two builders never overlap,
 * and a builder whose lease another one took changes nothing more. Every statement is about the one project.
 */
export async function buildIndex(
  connection: Connection,
  projectKey: string,
  options: BuildOptions,
): Promise<'ready' | 'busy' | 'stopped'> {
  const build = await claim(connection, projectKey, options.owner);
  if (build === 'ready' || build === 'busy') return build;
  await endOlderGenerations(connection, build);
  for (const portion of build.isCleaned ? [scanPortion] : [cleanPortion, scanPortion]) {
    for (let outcome = 'more'; outcome === 'more'; ) {
      if (options.isStopped?.()) {
        await release(connection, build);
        return 'stopped';
      }
      outcome = await portion(connection, build, options);
      if (outcome === 'lost') return 'busy';
    }
  }
  return 'ready';
}

interface Build extends Generation {
  readonly projectKey: string;
  readonly owner: string;
  /** True if another build came as far as the scan. */
  readonly isCleaned: boolean;
  /** The paths that are not ready, and the entries that there are only because these are declared. */
  readonly missing: readonly string[];
  readonly prefixes: Declared;
}

interface NewestRow {
  readonly generation: number;
  readonly paths: string;
  readonly ready: string;
  readonly step: string;
}

async function claim(connection: Connection, projectKey: string, owner: string): Promise<Build | 'ready' | 'busy'> {
  const [row] = await connection.query<NewestRow>({
    text: `SELECT generation, paths, ready, step FROM index_generation WHERE project_key = $1
      ORDER BY generation DESC LIMIT 1`,
    values: [projectKey],
  });
  if (!row || row.step === 'done') return 'ready';
  // Clocks may differ: a lease saves work that two builders would do twice, and nothing depends on it.
  const nowMs = Date.now();
  const claimed = await connection.run({
    text: `UPDATE index_generation SET owner = $3, lease_until = $4
      WHERE project_key = $1 AND generation = $2 AND (owner = $3 OR lease_until < $5)`,
    values: [projectKey, row.generation, owner, nowMs + leaseMs, nowMs],
  });
  if (claimed === 0) return 'busy';
  const paths = parseReady(row.paths, []) ?? [];
  const ready = parseReady(row.ready, []);
  const missing = pathList(paths.filter((path) => !ready?.includes(path)));
  const isCleaned = row.step === 'scan';
  const prefixes = prefixesOf(missing);
  const hasTerms = row.ready !== withoutTerms;
  return { projectKey, owner, number: row.generation, paths, ready, hasTerms, isCleaned, missing, prefixes };
}

/** Lets another builder continue at once. */
async function release(connection: Connection, { projectKey, number, owner }: Build): Promise<void> {
  await connection.run({
    text: `UPDATE index_generation SET owner = '', lease_until = 0
      WHERE project_key = $1 AND generation = $2 AND owner = $3`,
    values: [projectKey, number, owner],
  });
}

/** Waits for the writers that hold older generations: they do not maintain the entries that are built now. */
async function endOlderGenerations(connection: Connection, { projectKey, number }: Build): Promise<void> {
  await connection.run({
    text: 'DELETE FROM index_generation WHERE project_key = $1 AND generation < $2',
    values: [projectKey, number],
  });
}

type PortionOutcome = 'more' | 'end' | 'lost';

/** Runs a portion of a step in a transaction. The work gets the position, and says whether more is left. */
async function inStep(
  connection: Connection,
  { projectKey, number, owner }: Build,
  step: 'clean' | 'scan',
  work: (position: string) => Promise<{ readonly position: string; readonly isEnd: boolean }>,
): Promise<PortionOutcome> {
  await connection.run({ text: 'BEGIN' });
  try {
    const [row] = await connection.query<{ step: string; position: string }>({
      name: 'build-lock',
      text: `UPDATE index_generation SET lease_until = $4 WHERE project_key = $1 AND generation = $2 AND owner = $3
        RETURNING step, position`,
      values: [projectKey, number, owner, Date.now() + leaseMs],
    });
    if (row?.step !== step) {
      await connection.run({ text: 'ROLLBACK' });
      return row ? 'end' : 'lost';
    }
    const { position, isEnd } = await work(row.position);
    const next = step === 'clean' ? `'scan'` : `'done', ready = paths, owner = '', lease_until = 0`;
    await connection.run({
      text: `UPDATE index_generation SET position = $3${isEnd ? `, step = ${next}` : ''}
        WHERE project_key = $1 AND generation = $2`,
      values: [projectKey, number, position],
    });
    if (!(await connection.commit())) throw new Error('The transaction was rolled back.');
    return isEnd ? 'end' : 'more';
  } catch (error) {
    if (connection.inTransaction()) await connection.run({ text: 'ROLLBACK' }).catch(() => {});
    throw error;
  }
}

/** Deletes what is left of earlier times: entries that no writer maintained since. */
function cleanPortion(
  connection: Connection,
  build: Build,
  { portion = defaultPortion }: BuildOptions,
): Promise<PortionOutcome> {
  const text = `DELETE FROM ordered_value o USING (SELECT place, key, id FROM ordered_value
      WHERE project_key = $1 AND ($2::bigint[] IS NULL OR place = ANY ($2::bigint[])) AND key >= decode($3, 'hex')
      ORDER BY place, key, id LIMIT ${portion * 4}) n
    WHERE o.project_key = $1 AND o.place = n.place AND o.key = n.key AND o.id = n.id`;
  return inStep(connection, build, 'clean', async () => {
    for (const { places, from } of staleEntries(connection, build)) {
      const deleted = await connection.run({ text, values: [build.projectKey, places, from] });
      if (deleted > 0) return { position: '', isEnd: false };
    }
    return { position: '', isEnd: true };
  });
}

/** Where there may be such entries: at these places, or all, from a key on. */
interface StaleEntries {
  readonly places: readonly string[] | null;
  readonly from: string;
}

function staleEntries({ terms }: Connection, { ready, prefixes }: Build): readonly StaleEntries[] {
  if (ready === undefined) return [{ places: null, from: '' }];
  const { whole, lacking } = prefixes;
  const missing = lacking.map((entry) => entryRow(entry, terms));
  return [
    { places: whole.flatMap((prefix) => placesAt(prefix, terms)), from: '' },
    { places: missing.map(({ place }) => place), from: keyDigits(missingClass) },
  ];
}

/** The entries that there are only because some paths are declared. */
interface Declared {
  /** How entries begin, none of which there would be. */
  readonly whole: readonly string[];
  /** Entries for the lack of a value: all that a path has by being declared if it has entries anyway. */
  readonly lacking: readonly string[];
}

function prefixesOf(paths: readonly string[]): Declared {
  const forms = encodedForms(paths);
  const ofFixed = encodedDeclared(paths).filter((path) => !forms.includes(path));
  return {
    whole: forms.flatMap((form) => [`c|${form}|`, `s|${form}|`]),
    lacking: ofFixed.map((path) => `c|${path}|${endMarks.only}${missingClass}`),
  };
}

interface Prepared {
  readonly row: StoredRow;
  /** Undefined for a damaged row, which is left out. */
  readonly indexed: Pick<Indexed, 'entries'> | Indexed | undefined;
}

/** What a row should have; of declared paths that are added only their entries. */
function prepare(build: Build, row: StoredRow): Prepared {
  if (!isIntact(row)) return { row, indexed: undefined };
  const documents = documentsOf(row);
  if (build.ready === undefined) {
    return { row, indexed: indexResource(build.projectKey, documents, row, build.paths) };
  }
  const entries = entriesOf(build.projectKey, documents, build.missing);
  const { whole, lacking } = build.prefixes;
  const isMissing = (entry: string) => lacking.includes(entry) || whole.some((prefix) => entry.startsWith(prefix));
  return { row, indexed: { entries: entries.filter(isMissing) } };
}

/**
 * Adds the entries of the next rows. They are computed before the rows are locked; of rows that were written meanwhile
 * they are computed again. What is written later maintains its entries, and rows that are added later come with theirs.
 */
async function scanPortion(
  connection: Connection,
  build: Build,
  { portion = defaultPortion, onScanned }: BuildOptions,
): Promise<PortionOutcome> {
  const { projectKey } = build;
  const begun = await connection.query<{ position: string }>({
    text: 'SELECT position FROM index_generation WHERE project_key = $1 AND generation = $2',
    values: [projectKey, build.number],
  });
  const after = begun[0]?.position ?? '';
  const rows = await connection.query<StoredRow>({
    name: 'scan',
    text: scanText,
    values: [projectKey, after, portion],
  });
  const prepared = new Map(rows.map((row) => [row.id, prepare(build, row)]));
  const last = rows.at(-1)?.id ?? after;
  const outcome = await inStep(connection, build, 'scan', async (position) => {
    // Another builder was here meanwhile: the next portion begins where it ended.
    if (position !== after) return { position, isEnd: false };
    if (rows.length === 0) return { position, isEnd: true };
    const locked = await connection.query<Pick<StoredRow, 'id' | 'checksum'>>({
      name: 'build-rows',
      text: `SELECT id, checksum FROM resource WHERE project_key = $1 AND id > $2 AND id <= $3 ORDER BY id FOR SHARE`,
      values: [projectKey, after, last],
    });
    const changed = locked.filter(({ id, checksum }) => prepared.get(id)?.row.checksum !== checksum);
    for (const row of await readRows(connection, projectKey, changed)) prepared.set(row.id, prepare(build, row));
    const found = locked.map(({ id }) => prepared.get(id)).filter((each) => each?.indexed !== undefined);
    await store(connection, projectKey, found as readonly Required<Prepared>[]);
    return { position: last, isEnd: false };
  });
  if (outcome !== 'lost') onScanned?.(rows.length);
  return outcome;
}

async function readRows(
  connection: Connection,
  projectKey: string,
  rows: readonly Pick<StoredRow, 'id'>[],
): Promise<readonly StoredRow[]> {
  if (rows.length === 0) return [];
  const text = `SELECT ${rowColumns} FROM resource r WHERE r.project_key = $1 AND r.id = ANY($2::text[])`;
  return connection.query<StoredRow>({ text, values: [projectKey, rows.map(({ id }) => id)] });
}

/** Stores entries, and all else where all else was computed. */
async function store(connection: Connection, projectKey: string, prepared: readonly Prepared[]): Promise<void> {
  const entries = prepared.flatMap(({ row, indexed }) => indexed!.entries.map((entry) => [entry, row.id] as const));
  await runPairs(connection, projectKey, 'gain-entries', entries);
  const whole = prepared.flatMap(({ row, indexed }) => ('terms' in indexed! ? [{ row, indexed }] : []));
  if (whole.length === 0) return;
  const words = new Map(whole.flatMap(({ indexed }) => indexed.words.map((word) => [word.join('|'), word] as const)));
  const ordered = [...words.values()].sort(([aLocale, a], [bLocale, b]) => (aLocale + a < bLocale + b ? -1 : 1));
  await runPairs(connection, projectKey, 'add-words', ordered);
  await connection.run({
    name: 'rebuild-rows',
    text: rebuildText,
    values: [
      projectKey,
      whole.map(({ row }) => row.id),
      whole.map(({ indexed }) => connection.terms.arrayOf(indexed.terms)),
      whole.map(({ row, indexed }) => indexed.compared ?? row.current),
      whole.map(({ row, indexed }) => indexed.comparedStaged ?? row.staged),
    ],
  });
}

/** Only rows that are wrong are written. */
const rebuildText = `UPDATE resource r SET terms = n.terms, document = n.document, staged_document = n.staged
  FROM (SELECT u.id, u.terms::bigint[] AS terms, u.document::jsonb AS document, u.staged::jsonb AS staged
    FROM unnest($2::text[], $3::text[], $4::text[], $5::text[]) AS u (id, terms, document, staged)) n
  WHERE r.project_key = $1 AND r.id = n.id AND (NOT r.terms @> n.terms OR NOT n.terms @> r.terms
    OR r.document <> n.document OR r.staged_document IS DISTINCT FROM n.staged)`;

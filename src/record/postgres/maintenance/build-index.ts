import { documentsOf, isIntact, type StoredRow } from '../../row/stored-row.ts';
import { parseReady, pathList, withoutTerms } from '../generations/generation.ts';
import { entriesOf, type Indexed, indexResource } from '../index/index-columns.ts';
import type { Connection } from '../open/connection.ts';
import { rowColumns, scanText } from '../rows.ts';
import { addWords, runPairs } from '../write/pairs.ts';
import {
  abandonPortion,
  type Build,
  type BuildOptions,
  beginPortion,
  defaultPortion,
  endPortion,
  leaseMs,
  positionOf,
} from './build-portion.ts';
import { declaredBy, isDeclared, staleEntries } from './declared-entries.ts';

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
  const outcome = await buildEntries(connection, build, options);
  if (outcome === 'stopped') await release(connection, build);
  return outcome === 'end' ? 'ready' : outcome === 'lost' ? 'busy' : 'stopped';
}

async function buildEntries(
  connection: Connection,
  build: Build,
  options: BuildOptions,
): Promise<'end' | 'lost' | 'stopped'> {
  for (let outcome = build.isCleaned ? 'end' : 'more'; outcome !== 'end'; ) {
    if (options.isStopped?.()) return 'stopped';
    outcome = await cleanPortion(connection, build, options);
    if (outcome === 'lost') return 'lost';
  }
  return scanResources(connection, build, options);
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
  const prefixes = declaredBy(missing);
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

/** Deletes what is left of earlier times: entries that no writer maintained since. */
async function cleanPortion(
  connection: Connection,
  build: Build,
  { portion = defaultPortion }: BuildOptions,
): Promise<'more' | 'end' | 'lost'> {
  const text = `DELETE FROM ordered_value o USING (SELECT DISTINCT s.place, s.key, s.id FROM (
        SELECT place, key, id FROM ordered_value
        WHERE project_key = $1 AND ($2::bigint[] IS NULL OR place = ANY ($2::bigint[])) AND key >= decode($3, 'hex')
        ORDER BY place, key LIMIT ${portion * 4}) s) n
    WHERE o.project_key = $1 AND o.id = n.id AND o.place + 0 = n.place AND o.key = n.key`;
  try {
    const begun = await beginPortion(connection, build);
    if (begun?.step !== 'clean') {
      await connection.run({ text: 'ROLLBACK' });
      return begun ? 'end' : 'lost';
    }
    for (const { places, from } of staleEntries(connection, build)) {
      const deleted = await connection.run({ text, values: [build.projectKey, places, from] });
      if (deleted === 0) continue;
      await endPortion(connection, build, '', 'none');
      return 'more';
    }
    await endPortion(connection, build, '', 'scan');
    return 'end';
  } catch (error) {
    await abandonPortion(connection);
    throw error;
  }
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
  return { row, indexed: { entries: entries.filter((entry) => isDeclared(build.prefixes, entry)) } };
}

/** Resources behind an id, and what they should have. */
interface Portion {
  readonly after: string;
  readonly last: string;
  readonly prepared: Map<string, Prepared>;
}

function prepareAll(build: Build, after: string, rows: readonly StoredRow[]): Portion {
  const prepared = new Map(rows.map((row) => [row.id, prepare(build, row)]));
  return { after, last: rows.at(-1)?.id ?? after, prepared };
}

/**
 * Adds the entries of all resources that the build has not come to yet, portion by portion. They are computed before the
 * rows are locked; of rows that were written meanwhile they are computed again. What is written later maintains its
 * entries, and rows that are added later come with theirs. While the database stores a portion and reads the one after
 * the next, the next one is computed.
 */
async function scanResources(
  connection: Connection,
  build: Build,
  { portion: size = defaultPortion, isStopped, onScanned }: BuildOptions,
): Promise<'end' | 'lost' | 'stopped'> {
  const read = (after: string): Promise<readonly StoredRow[]> => {
    const values = [build.projectKey, after, size];
    const rows = connection.query<StoredRow>({ name: 'scan', text: scanText, values });
    // A session that breaks fails it as well: what is waited for first is reported.
    rows.catch(() => {});
    return rows;
  };
  const startAt = async (after: string) => {
    const portion = prepareAll(build, after, await read(after));
    return { portion, reading: read(portion.last) };
  };
  let { portion, reading } = await startAt(await positionOf(connection, build));
  try {
    for (;;) {
      if (isStopped?.()) return 'stopped';
      const beginning = beginPortion(connection, build);
      const [begun, locked] = await Promise.all([beginning, lockRows(connection, build, portion)]);
      if (begun?.step !== 'scan' || begun.position !== portion.after) {
        await abandonPortion(connection);
        if (begun?.step !== 'scan') return begun ? 'end' : 'lost';
        // Another builder was here meanwhile: the next portion begins where it ended.
        ({ portion, reading } = await startAt(begun.position));
        continue;
      }
      const scanned = portion.prepared.size;
      if (scanned === 0) {
        await endPortion(connection, build, portion.after, 'done');
        return 'end';
      }
      const changed = locked.filter(({ id, checksum }) => portion.prepared.get(id)?.row.checksum !== checksum);
      for (const row of await readRows(connection, build.projectKey, changed)) {
        portion.prepared.set(row.id, prepare(build, row));
      }
      const found = locked.map(({ id }) => portion.prepared.get(id)).filter((each) => each?.indexed !== undefined);
      const storing = Promise.all([
        store(connection, build.projectKey, found as readonly Required<Prepared>[]),
        endPortion(connection, build, portion.last, 'none'),
      ]);
      storing.catch(() => {});
      const rows = await reading;
      reading = read(rows.at(-1)?.id ?? portion.last);
      portion = prepareAll(build, portion.last, rows);
      await storing;
      onScanned?.(scanned);
    }
  } catch (error) {
    await abandonPortion(connection);
    throw error;
  }
}

async function lockRows(
  connection: Connection,
  { projectKey }: Build,
  { after, last }: Portion,
): Promise<readonly Pick<StoredRow, 'id' | 'checksum'>[]> {
  if (after === last) return [];
  return connection.query({
    name: 'build-rows',
    text: 'SELECT id, checksum FROM resource WHERE project_key = $1 AND id > $2 AND id <= $3 ORDER BY id FOR SHARE',
    values: [projectKey, after, last],
  });
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

/** Stores entries, and all else where all else was computed. The statements are sent without waiting. */
async function store(connection: Connection, projectKey: string, prepared: readonly Prepared[]): Promise<void> {
  const entries = prepared.flatMap(({ row, indexed }) => indexed!.entries.map((entry) => [entry, row.id] as const));
  const whole = prepared.flatMap(({ row, indexed }) => ('terms' in indexed! ? [{ row, indexed }] : []));
  await Promise.all([
    // Those that a write has added meanwhile, or a build before.
    runPairs(connection, projectKey, 'lose-entries', entries),
    runPairs(connection, projectKey, 'gain-entries', entries),
    ...(whole.length === 0 ? [] : storeWhole(connection, projectKey, whole)),
  ]);
}

function storeWhole(
  connection: Connection,
  projectKey: string,
  whole: readonly { readonly row: StoredRow; readonly indexed: Indexed }[],
): readonly Promise<unknown>[] {
  const words = whole.flatMap(({ indexed }) => indexed.words);
  const rebuilding = connection.run({
    name: 'rebuild-rows',
    text: rebuildText,
    values: [
      projectKey,
      whole.map(({ row }) => row.id),
      whole.map(({ indexed }) => connection.terms.arrayOf(indexed.terms)),
      whole.map(({ indexed }) => indexed.compared),
      whole.map(({ indexed }) => indexed.comparedStaged),
    ],
  });
  return [addWords(connection, projectKey, words), rebuilding];
}

/**
 * Only rows that are wrong are written. The terms are not cast from a text as a whole: that is a stable function, which
 * Citus refuses in an UPDATE.
 */
const rebuildText = `UPDATE resource r SET terms = n.terms, document = n.document, staged_document = n.staged
  FROM (SELECT u.id, string_to_array(trim(u.terms, '{}'), ',')::bigint[] AS terms, u.document::jsonb AS document, u.staged::jsonb AS staged
    FROM unnest($2::text[], $3::text[], $4::text[], $5::text[]) AS u (id, terms, document, staged)) n
  WHERE r.project_key = $1 AND r.id = n.id AND (NOT r.terms @> n.terms OR NOT n.terms @> r.terms
    OR r.document IS DISTINCT FROM n.document OR r.staged_document IS DISTINCT FROM n.staged)`;

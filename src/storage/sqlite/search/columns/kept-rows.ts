import type { DatabaseSync } from 'node:sqlite';
import { Cache } from '../../../../cache/cache.ts';
import { keptRecords } from '../../indexing/change-records.ts';
import { createChangedRows } from '../../indexing/changed-rows.ts';
import { matchingRows } from '../../query/access-paths.ts';
import { hasRow } from '../../query/functions.ts';
import type { BuildPolicy } from '../build-policy.ts';
import type { WordPlaces } from '../postings/word-places.ts';
import { bytesOfTiers, type WordTiers } from '../postings/word-tiers.ts';
import { rowsOfQuery, union, without } from '../row-sets.ts';

/**
 * The rows of match expressions, kept from search to search: fetching a word of every document out of the index takes far
 * longer than scoring it. Those that many rows have follow the commits row by row; the others, none
 * included, are kept until the project changes.
 */
export interface KeptRows {
  /** Those of a project in the open snapshot, which is of the commit. */
  asOf(projectKey: string, commits: number): RowsOfProject;
}

export interface RowsOfProject {
  /** The rows of an expression, ascending. Not to be changed. */
  of(expression: string): Uint32Array;
  /** The same if they are kept. */
  known(expression: string): Uint32Array | undefined;
  /** What a term is kept under: to be made once, since to find a text that was just made takes longest of all. */
  nameOf(term: string): string;
  /** The rows of a term, with its places if it is a word. */
  knownTerm(name: string): KeptTerm | undefined;
  /** Keeps rows that were read in the snapshot; those of a word with its places, until the project changes. */
  keep(name: string, rows: Uint32Array, places?: WordPlaces): void;
  /** The tiers of the word that a term is, as long as these rows are kept of it and the project does not change. */
  tiersOf(term: string, rows: Uint32Array): WordTiers | undefined;
  /** Keeps these if the rows are kept, and many. */
  keepTiers(term: string, rows: Uint32Array, tiers: WordTiers): void;
}

/** What is kept of an expression. */
export interface KeptTerm {
  readonly rows: Uint32Array;
  /** Those of a word, where they were read since the project changed. */
  readonly places: WordPlaces | undefined;
}

interface Kept extends KeptTerm {
  readonly commits: number;
  readonly tiers?: WordTiers | undefined;
}

function bytesOfKept({ rows, places, tiers }: Kept): number {
  return entryBytes + rows.byteLength + (places?.of.byteLength ?? 0) + (tiers ? bytesOfTiers(tiers) : 0);
}

const maxBytes = 32 * 1024 * 1024;
const entryBytes = 500;

/** Projects of which it is known since when they have not changed. */
const maxProjects = 1000;

/** Keeping takes memory only, so that it is worth it for so many times fewer rows than building something. */
const timesFewer = 16;

/** With more changes since, the rows are read again. */
const maxFollowed = 64;

/** Keeps rows on a connection, in as many bytes, and half as many for those that are kept until the project changes. */
export function createKeptRows(db: DatabaseSync, policy: BuildPolicy, bytes = maxBytes): KeptRows {
  const kept = new Cache<string, Kept>({ maxBytes: bytes, bytesOf: bytesOfKept });
  const brief = new Cache<string, Kept>({ maxBytes: bytes / 2, bytesOf: bytesOfKept });
  /** By project: a stretch of commits in which it did not change. */
  const quiet = new Cache<string, { from: number; to: number }>({ maxEntries: maxProjects });
  const firstChange = db.prepare('SELECT 1 FROM change WHERE sequence > ? AND project_key = ? LIMIT 1');
  const changedSince = createChangedRows(db);
  const stillMatching = db.prepare(
    'SELECT m.rowid FROM json_each(?) n CROSS JOIN term m ON m.rowid = n.value AND m.term MATCH ?',
  );
  stillMatching.setReturnArrays(true);
  const nameOf = (projectKey: string, expression: string) => `${projectKey} ${expression}`;

  /** The first commit since which the project has not changed, as far as is known. */
  function quietSince(projectKey: string, commits: number): number {
    const known = quiet.get(projectKey);
    if (known?.to === commits) return known.from;
    const isQuiet =
      known !== undefined &&
      known.to < commits &&
      commits - known.to < keptRecords &&
      firstChange.get(known.to, projectKey) === undefined;
    const from = isQuiet ? known.from : commits;
    quiet.set(projectKey, { from, to: commits });
    return from;
  }

  function knownBriefly(name: string, since: number): Kept | undefined {
    const found = brief.get(name);
    if (!found || found.commits >= since) return found;
    brief.delete(name);
    return undefined;
  }

  function known(projectKey: string, commits: number, since: number, name: string): Kept | undefined {
    const found = kept.get(name);
    if (!found) return knownBriefly(name, since);
    if (found.commits === commits) return found;
    const changed = changedSince(projectKey, found.commits, commits);
    if (!changed || changed.size > maxFollowed) {
      kept.delete(name);
      return undefined;
    }
    const expression = name.slice(projectKey.length + 1);
    const matching = changed.size === 0 ? [] : stillMatching.all(JSON.stringify([...changed]), expression);
    const rows = exchanged(found.rows, changed, (matching as unknown as readonly [number][]).flat());
    // A row that changed may have the word at another place, or be of another length.
    const followed = changed.size === 0 ? { ...found, commits } : { rows, places: undefined, commits };
    kept.set(name, followed);
    return followed;
  }

  function keep(commits: number, name: string, { rows, places }: KeptTerm): void {
    const isMany = policy.isWorth(timesFewer * rows.length);
    (isMany ? kept : brief).set(name, { rows, places, commits });
  }

  function read(commits: number, name: string, expression: string): Uint32Array {
    const rows = rowsOfQuery(db, matchingRows(expression));
    keep(commits, name, { rows, places: undefined });
    return rows;
  }

  return {
    asOf(projectKey, commits) {
      const since = quietSince(projectKey, commits);
      const nameOfTerm = (term: string) => nameOf(projectKey, `"${term}"`);
      const knownTerm = (name: string) => known(projectKey, commits, since, name);
      return {
        of(expression) {
          const name = nameOf(projectKey, expression);
          return knownTerm(name)?.rows ?? read(commits, name, expression);
        },
        known: (expression) => knownTerm(nameOf(projectKey, expression))?.rows,
        nameOf: nameOfTerm,
        knownTerm,
        keep: (name, rows, places) => keep(commits, name, { rows, places }),
        tiersOf(term, rows) {
          const found = knownTerm(nameOfTerm(term));
          return found?.rows === rows ? found.tiers : undefined;
        },
        keepTiers(term, rows, tiers) {
          const name = nameOfTerm(term);
          const found = kept.peek(name);
          if (found?.rows === rows && found.commits === commits) kept.set(name, { ...found, tiers });
        },
      };
    },
  };
}

/** The rows with some of them in place of the changed ones; the same array where that makes no difference. */
function exchanged(rows: Uint32Array, changed: ReadonlySet<number>, matching: readonly number[]): Uint32Array {
  const before = [...changed].filter((row) => hasRow(rows, row));
  const added = new Set(matching);
  if (before.length === added.size && before.every((row) => added.has(row))) return rows;
  const others = without(rows, Uint32Array.from(changed).sort());
  return union([others, Uint32Array.from(added).sort()]);
}

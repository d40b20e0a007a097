import type { DatabaseSync } from 'node:sqlite';
import {
  isIntactChange,
  isLogged,
  loggedBytes,
  type StoredChange,
  storedColumns,
} from '../../../record/sqlite/open/log-schema.ts';
import { iterateRows, readAll } from '../../../sqlite/any-numbers.ts';
import { maxCounted } from '../../../sqlite/position.ts';

/** Findings of one kind that are named; more are counted. */
const maxNamed = 20;

/** What is no longer in the log of the project of a change or resource `c`. */
const pruned = `(SELECT max(log_from, coalesce((SELECT pruned FROM project_log l
    WHERE l.project_key = c.project_key AND pruned <= ${maxCounted}), 0)) FROM store)`;

/** A change that another one, or a resource, says was the one before it, and that is of something else or missing. */
const isNotOf = '(p.sequence IS NULL OR p.project_key <> c.project_key OR (p.id IS NOT NULL AND p.id <> c.id))';

function damagedChanges(db: DatabaseSync): string[] {
  const sequences: number[] = [];
  const all = db.prepare(`SELECT ${storedColumns} FROM change WHERE ${isLogged} ORDER BY sequence`);
  for (const change of iterateRows(all) as Iterable<unknown> as Iterable<StoredChange>) {
    if (!isIntactChange(change)) sequences.push(change.sequence);
  }
  return named(
    sequences.map((sequence) => `change ${sequence}: its checksum does not match; what it replaced cannot be read`),
  );
}

function named(findings: readonly string[]): string[] {
  if (findings.length <= maxNamed) return [...findings];
  return [...findings.slice(0, maxNamed), `change: ${findings.length - maxNamed} more of these`];
}

function brokenChains(db: DatabaseSync): string[] {
  const fromChanges = readAll(
    db.prepare(
      `SELECT c.sequence, c.previous FROM change c LEFT JOIN change p ON p.sequence = c.previous
        WHERE c.${isLogged} AND c.previous > ${pruned} AND ${isNotOf} LIMIT ${maxNamed}`,
    ),
    [],
  ) as { sequence: number; previous: number }[];
  const fromResources = readAll(
    db.prepare(
      `SELECT c.project_key AS projectKey, c.id, c.changed FROM resource c LEFT JOIN change p ON p.sequence = c.changed
        WHERE c.changed > ${pruned} AND instr(c.project_key, '~') = 0
          AND (${isNotOf} OR p.version <> c.version) LIMIT ${maxNamed}`,
    ),
    [],
  ) as { projectKey: string; id: string; changed: number }[];
  return [
    ...fromChanges.map(({ sequence, previous }) => `change ${sequence}: ${previous} is not the change before it`),
    ...fromResources.map(
      ({ projectKey, id, changed }) => `resource ${projectKey}/${id}: ${changed} is not its last change`,
    ),
  ].map((finding) => `${finding}; its history before cannot be read`);
}

/** The changes of the log that the indexes have. */
const isIndexed = `${isLogged} AND sequence <= (SELECT indexed FROM store)`;

/** Sizes only decide what is pruned. Changes that are not indexed are not counted yet. */
function wrongSizes(db: DatabaseSync): string[] {
  const differ = db
    .prepare(
      `WITH found AS (SELECT project_key, sum(${loggedBytes}) AS bytes FROM change WHERE ${isIndexed} GROUP BY project_key)
        SELECT l.project_key AS projectKey, min(l.bytes, ${maxCounted}) AS bytes, coalesce(f.bytes, 0) AS found
        FROM project_log l LEFT JOIN found f USING (project_key) WHERE l.bytes <> coalesce(f.bytes, 0)`,
    )
    .all() as { projectKey: string; bytes: number; found: number }[];
  return differ.map(
    ({ projectKey, bytes, found }) =>
      `log of project ${projectKey}: counted ${bytes} bytes of ${found}; “check --rebuild-indexes” counts them again`,
  );
}

/** Whoever reads the changes of a project reads those that are listed, and of those that are not indexed all. */
function wrongLists(db: DatabaseSync): string[] {
  const indexed = `SELECT project_key, sequence FROM change WHERE ${isIndexed}`;
  const listed = 'SELECT project_key, sequence FROM project_change';
  const differ = db
    .prepare(
      `SELECT project_key AS projectKey, sum(isMissing) AS missing, sum(1 - isMissing) AS wrong FROM (
          SELECT project_key, 1 AS isMissing FROM (${indexed} EXCEPT ${listed})
          UNION ALL SELECT project_key, 0 FROM (${listed} EXCEPT ${indexed})) GROUP BY project_key`,
    )
    .all() as { projectKey: string; missing: number; wrong: number }[];
  return differ.map(
    ({ projectKey, missing, wrong }) =>
      `log of project ${projectKey}: ${missing} changes are not listed, ${wrong} are listed wrongly; “check --rebuild-indexes” lists them again`,
  );
}

/** Checks the log of changes: checksums, that each change leads to the one before it, sizes and lists. Returns the findings. */
export function checkLog(db: DatabaseSync): readonly string[] {
  return [...damagedChanges(db), ...brokenChains(db), ...wrongSizes(db), ...wrongLists(db)];
}

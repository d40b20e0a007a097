import { randomBytes } from 'node:crypto';
import { endOfNumbers, epochOf } from '../event-row.ts';
import type { Connection } from '../open/connection.ts';
import { codeOf, sqlState } from '../open/errors.ts';
import { servicePartition } from '../rows.ts';
import { projectsWithLog } from './projects-with-log.ts';

/** What the epochs of the logs that have no event yet are made of. */
const epochName = 'log-epoch';
/** Which database the logs were last continued in. */
const databaseName = 'log-database';
/** Instead of it: by a process that logged no changes. */
const switchedOff = 'off';

export interface LogOptions {
  readonly keepsHistory: boolean;
  /** Tables are spread over servers, of which each process may be connected to another one. */
  readonly projectsApart: boolean;
  readonly note: (text: string) => void;
}

/**
 * Reads what the epochs of the logs that have no event yet are made of; the first start makes it. Where the database is
 * not the one in which the logs were continued, as it was restored, or where changes were left out since, all logs get a
 * new epoch.
 */
export async function openEpoch(connection: Connection, options: LogOptions): Promise<string> {
  const { keepsHistory, projectsApart, note } = options;
  const database = !keepsHistory ? switchedOff : projectsApart ? 'spread' : await readDatabase(connection);
  const before = await readSetting(connection, databaseName);
  if (keepsHistory && before !== undefined && before !== database) {
    const epoch = newEpoch();
    for await (const projectKey of projectsWithLog((work) => work(connection))) {
      // What was appended meanwhile lacks what it replaced: it was for mirrors alone.
      if (before === switchedOff) await deleteAll(connection, projectKey);
      const text = 'UPDATE event_head SET epoch = $2 WHERE project_key = $1';
      await connection.run({ text, values: [projectKey, epochOf(projectKey, epoch)] });
    }
    await writeSetting(connection, epochName, epoch);
    note('the logs of changes may lack some, or were restored: they have a new epoch, and their readers start over');
  }
  if (before !== database) await writeSetting(connection, databaseName, database);
  return readEpoch(connection);
}

/** Deletes the log of a project, whose next event continues its numbers. */
async function deleteAll(connection: Connection, projectKey: string): Promise<void> {
  // In one statement: a number that is deleted is given to no other event.
  const text = `WITH gone AS (DELETE FROM event WHERE project_key = $1 RETURNING sequence)
    UPDATE event_head SET pruned = coalesce((SELECT max(sequence) FILTER (WHERE sequence < ${endOfNumbers}) FROM gone), pruned)
    WHERE project_key = $1`;
  await connection.run({ text, values: [projectKey] });
}

/** Reads the epoch for a process beside a service. */
export async function readEpoch(connection: Connection): Promise<string> {
  await connection.run({
    text: 'INSERT INTO store_setting (project_key, name, value) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
    values: [servicePartition, epochName, newEpoch()],
  });
  return (await readSetting(connection, epochName))!;
}

const newEpoch = () => randomBytes(9).toString('base64url');

/**
 * What is another one after a restore, of a dump as well as to a point in time. A promoted standby is one, too: it may
 * lack the last changes.
 */
async function readDatabase(connection: Connection): Promise<string> {
  const text = `SELECT concat_ws('/', s.system_identifier, c.timeline_id, d.oid) AS database
    FROM pg_control_system() s, pg_control_checkpoint() c, pg_database d WHERE d.datname = current_database()`;
  try {
    const [row] = await connection.query<{ database: string }>({ text });
    return row!.database;
  } catch (error) {
    if (codeOf(error) !== sqlState.notAllowed) throw error;
    return 'unknown';
  }
}

async function readSetting(connection: Connection, name: string): Promise<string | undefined> {
  const text = 'SELECT value FROM store_setting WHERE project_key = $1 AND name = $2';
  const [row] = await connection.query<{ value: string }>({ text, values: [servicePartition, name] });
  return row?.value;
}

async function writeSetting(connection: Connection, name: string, value: string): Promise<void> {
  const text = `INSERT INTO store_setting (project_key, name, value) VALUES ($1, $2, $3)
    ON CONFLICT (project_key, name) DO UPDATE SET value = excluded.value`;
  await connection.run({ text, values: [servicePartition, name, value] });
}

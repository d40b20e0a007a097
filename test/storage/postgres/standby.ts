import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import type { PostgresServer } from './postgres-server.ts';

/** What tests of standbys ask of servers, beside the store. */

/** Runs a statement on a server and answers its rows. */
export async function ask<Row>(server: PostgresServer, text: string): Promise<readonly Row[]> {
  const client = new Client({ connectionString: server.url });
  await client.connect();
  try {
    return (await client.query(text)).rows as Row[];
  } finally {
    await client.end();
  }
}

/** Waits until the standby shows all that the primary has committed so far. */
export async function caughtUp(primary: PostgresServer, standby: PostgresServer): Promise<void> {
  const [written] = await ask<{ lsn: string }>(primary, 'SELECT pg_current_wal_lsn() AS lsn');
  for (;;) {
    const question = `SELECT pg_last_wal_replay_lsn() >= '${written!.lsn}' AS there`;
    if ((await ask<{ there: boolean }>(standby, question))[0]!.there) return;
    await pause(20);
  }
}

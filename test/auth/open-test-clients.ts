import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { ClientStore } from '../../src/domain/ports/client-store.ts';
import type { DamagedRow } from '../../src/domain/ports/store.ts';
import { DamageLog } from '../../src/record/row/checked-table.ts';
import { createClientStore } from '../../src/record/sqlite/client-store.ts';
import { migrate } from '../../src/record/sqlite/open/migrate.ts';
import type { Writer } from '../../src/record/sqlite/write/writer.ts';

export interface TestClients {
  readonly clients: ClientStore;
  /** The rows that `clients` found damaged. */
  readonly damaged: readonly DamagedRow[];
  /** The tables, to damage them. */
  readonly db: DatabaseSync;
  readonly file: string;
  /** A second view of the same database file, as another process has it. */
  readonly elsewhere: ClientStore;
  /** Every row of the three tables as text, to look for what must not be stored. */
  dump(): string;
  close(): void;
}

/** The client store over a file with the schema. */
export function openClients(file: string) {
  const db = new DatabaseSync(file);
  const damaged: DamagedRow[] = [];
  const damage = new DamageLog((row) => damaged.push(row));
  const write: Writer['write'] = async (statements) => {
    db.exec('BEGIN IMMEDIATE');
    try {
      const changes = statements.map(({ sql, params }) => Number(db.prepare(sql).run(...params).changes));
      db.exec('COMMIT');
      return changes;
    } catch (error) {
      db.exec('ROLLBACK');
      throw error;
    }
  };
  return { db, damaged, clients: createClientStore({ read: db, write, damage }) };
}

/** Opens the client store over a new SQLite file with the real schema. */
export function openTestClients(): TestClients {
  const folder = mkdtempSync(join(tmpdir(), 'grs-auth-'));
  const file = join(folder, 'store.db');
  const made = new DatabaseSync(file);
  made.exec('PRAGMA journal_mode = WAL');
  migrate(made);
  made.close();
  const [here, there] = [openClients(file), openClients(file)];
  return {
    clients: here.clients,
    damaged: here.damaged,
    db: here.db,
    file,
    elsewhere: there.clients,
    dump: () =>
      ['api_client', 'signing_key', 'revocation']
        .map((table) => JSON.stringify(here.db.prepare(`SELECT * FROM ${table}`).all()))
        .join('\n'),
    close() {
      here.db.close();
      there.db.close();
      rmSync(folder, { recursive: true });
    },
  };
}

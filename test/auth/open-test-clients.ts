import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { ClientStore } from '../../src/domain/ports/client-store.ts';
import { createClientStore, type RunStatements } from '../../src/storage/sqlite/client-store.ts';

export interface TestClients {
  readonly clients: ClientStore;
  /** A second view of the same database file, as another process has it. */
  readonly elsewhere: ClientStore;
  /** Every row of the three tables as text, to look for what must not be stored. */
  dump(): string;
  close(): void;
}

const schema = new URL('../../src/storage/sqlite/migrations/001_initial.sql', import.meta.url);

function open(file: string): { db: DatabaseSync; clients: ClientStore } {
  const db = new DatabaseSync(file);
  const write: RunStatements = async (statements) => {
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
  return { db, clients: createClientStore({ read: db, write }) };
}

/** Opens the client store over a new SQLite file with the real schema. */
export function openTestClients(): TestClients {
  const folder = mkdtempSync(join(tmpdir(), 'grs-auth-'));
  const file = join(folder, 'store.db');
  const made = new DatabaseSync(file);
  made.exec('PRAGMA journal_mode = WAL');
  made.exec(readFileSync(schema, 'utf8'));
  made.close();
  const [here, there] = [open(file), open(file)];
  return {
    clients: here.clients,
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

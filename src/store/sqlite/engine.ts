import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Engine, StoreOptions } from '../../record/engine.ts';
import { realFile } from '../../sqlite/file-identity.ts';
import type { SqliteOptions } from './open-writer.ts';

/** The settings of the configuration that this engine reads. */
export interface SqliteSettings {
  readonly acceptLoss: boolean;
}

const prefix = 'sqlite:';
const fileOf = (address: string) => realFile(address.slice(prefix.length));

function optionsOf(address: string, options: StoreOptions, settings: SqliteSettings): SqliteOptions {
  return { ...options, file: fileOf(address), acceptLoss: settings.acceptLoss };
}

/** The address of the store that a data folder holds. */
export function embeddedAddress(dataDir: string): string {
  return `${prefix}${join(dataDir, 'grs.db')}`;
}

/** The embedded store: SQLite in a file of this machine. */
export const sqlite: Engine<SqliteSettings> = {
  id: 'sqlite',
  name: 'embedded SQLite',
  isAddress: (text) => text.startsWith(prefix) && text.length > prefix.length,
  addressForm: `${prefix}<file>`,
  queues: {
    short: ['list', 'exists', 'search', 'changes'],
    long: ['list', 'exists', 'search', 'changes'],
  },
  async open(address, given, settings) {
    const options = optionsOf(address, given, settings);
    const opening = options.link ? undefined : (await import('./open-writer.ts')).openWriter(options);
    // Reported by what opens the store, once it is loaded.
    opening?.catch(() => {});
    const { openSqliteStore } = await import('./store.ts').catch(async (error: unknown) => {
      // A dependency may be missing, for example. The thread would keep the process alive.
      await opening?.then(({ close }) => close()).catch(() => {});
      throw error;
    });
    // Not before: test runners that load modules themselves cannot link two at a time (vmThreads of Vitest).
    given.onBegun?.();
    return openSqliteStore(options, opening);
  },
  host: async (address, options, settings) =>
    (await import('./store.ts')).hostSqliteStore(optionsOf(address, options, settings)),
  migrate: async (address, dryRun) => (await import('./maintenance/maintain.ts')).migrateStore(fileOf(address), dryRun),
  checksParts: false,
  check: async (address, rebuild, progress, options) =>
    (await import('./maintenance/maintain.ts')).checkStore(fileOf(address), rebuild, progress, options),
  backUp: async (address, folder, beforeDone) =>
    (await import('./maintenance/back-up.ts')).backUpStore(
      fileOf(address),
      fileOf(embeddedAddress(folder)),
      beforeDone,
    ),
  compact: async (address) => (await import('./maintenance/compact.ts')).compactStore(fileOf(address)),
  describe: fileOf,
  isMissing: (address) => !existsSync(fileOf(address)),
};

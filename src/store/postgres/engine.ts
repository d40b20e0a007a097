import { dirname, join } from 'node:path';
import { type Engine, type StoreOptions, StoreRefused } from '../../record/engine.ts';
import { parseAddress } from '../../record/postgres/open/address.ts';

/** The settings of the configuration that this engine reads. */
export interface PostgresSettings {
  readonly databaseConnections: number;
  readonly dataDir: string;
  readonly indexedPaths: readonly string[];
  readonly mirrorBytes: number;
}

/** The file of the mirror in a data folder. */
export const mirrorFile = (dataDir: string) => join(dataDir, 'mirror', 'mirror.db');

const optionsOf = (url: string, options: StoreOptions, settings: PostgresSettings) => ({
  ...{ ...options, url, connections: settings.databaseConnections, mirrorBytes: settings.mirrorBytes },
  mirrorFolder: dirname(mirrorFile(settings.dataDir)),
});

const rebuildText =
  'With PostgreSQL the indexes are in the mirror of each machine. To build them anew, stop the service there, delete the folder “mirror” in its DATA_DIR, and start it.';

/** PostgreSQL, on which several services may share a store. */
export const postgres: Engine<PostgresSettings> = {
  id: 'postgres',
  name: 'PostgreSQL',
  isAddress: (text) => /^postgres(?:ql)?:\/\/./.test(text),
  addressForm: 'postgres://user:password@host:5432/database',
  addressNote: 'several hosts separated by commas: the one that takes writes is used',
  queues: { short: ['list', 'exists', 'search'], long: ['list', 'exists', 'search'] },
  async open(url, options, settings) {
    options.onBegun?.();
    return (await import('./store.ts')).openPostgresStore(optionsOf(url, options, settings));
  },
  host: async (url, options, settings) =>
    (await import('./store.ts')).hostPostgresStore(optionsOf(url, options, settings)),
  migrate: async (url, dryRun) =>
    (await import('../../record/postgres/maintenance/maintain.ts')).migratePostgres(url, dryRun),
  checksParts: true,
  check: async (url, rebuild, progress, options) =>
    rebuild
      ? Promise.reject(new StoreRefused(rebuildText))
      : (await import('../../record/postgres/maintenance/maintain.ts')).checkPostgres(url, progress, options),
  mirror: {
    snapshot: async ({ dataDir }, file) => (await import('./mirror-snapshot.ts')).snapshotMirror(dataDir, file),
    seed: async ({ dataDir, indexedPaths }, read) =>
      (await import('./mirror-snapshot.ts')).seedMirror(dataDir, indexedPaths, read),
  },
  describe: (url) =>
    parseAddress(url)
      .map(({ name }) => name)
      .join(', '),
  // Only a connection tells.
  isMissing: () => false,
};

import type { Engine } from '../../record/engine.ts';
import { parseAddress } from '../../record/postgres/open/address.ts';

/** The settings of the configuration that this engine reads. */
export interface PostgresSettings {
  readonly databaseConnections: number;
  readonly databaseReplicaUrl?: string | undefined;
}

/** PostgreSQL, on which several services may share a store. */
export const postgres: Engine<PostgresSettings> = {
  id: 'postgres',
  name: 'PostgreSQL',
  isAddress: (text) => /^postgres(?:ql)?:\/\/./.test(text),
  addressForm: 'postgres://user:password@host:5432/database',
  addressNote: 'several hosts separated by commas: the one that takes writes is used',
  hasReplicas: true,
  queues: { pool: ['list', 'exists', 'search'], replica: ['list', 'exists', 'search'] },
  async open(url, options, { databaseConnections: connections, databaseReplicaUrl: replicaUrl }) {
    options.onBegun?.();
    return (await import('./store.ts')).openPostgresStore({ ...options, url, connections, replicaUrl });
  },
  // Each process has connections of its own: there is nothing to share.
  host: async () => ({ serve() {}, close: async () => {} }),
  migrate: async (url, dryRun) =>
    (await import('../../record/postgres/maintenance/maintain.ts')).migratePostgres(url, dryRun),
  checksParts: true,
  check: async (url, rebuild, progress, options) =>
    (await import('../../record/postgres/maintenance/maintain.ts')).checkPostgres(url, rebuild, progress, options),
  describe: (url) =>
    parseAddress(url)
      .map(({ name }) => name)
      .join(', '),
  // Only a connection tells.
  isMissing: () => false,
};

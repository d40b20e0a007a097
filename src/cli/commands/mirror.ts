import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { locateStore } from '../../configured-store.ts';
import { StoreRefused } from '../../record/engine.ts';
import { UsageError } from '../command.ts';
import { readConfig } from '../store.ts';

export const help = `Start a machine on PostgreSQL with the mirror of another one, instead of copying each project from the database.

Usage:
  npx grs mirror snapshot <file>    copy the mirror of this machine into a file, also while its service runs
  npx grs mirror seed <file>        make it the mirror of a machine, before its first start
  npx grs mirror seed <address>     the same, of a file at http: or https:, such as a signed address of object storage

A machine that has a mirror keeps it. What was written since the snapshot follows from the database, which must be the same one. All of
the snapshot is read before it is used. Use the same INDEXED_PATHS and the same version, or the start builds the index again. The file has all data
of the mirrored projects: protect it as you protect the database.

Exit codes: 0 done, or there is a mirror already; 1 something could not be read or written, 2 wrong arguments, 70 the mirror is
in use, or the file is not a snapshot that this version can use.

Example: take a snapshot, and serve with it on a new machine whether it could be used or not
  DATA_DIR=/srv/grs npx grs mirror snapshot /backup/mirror.db
  npx grs mirror seed "$SNAPSHOT_ADDRESS"; npx grs serve`;

export const needsArguments = true;

/** The bytes of a file, or of what is at an address. No message has the query of an address, which may be a secret. */
async function read(place: string): Promise<AsyncIterable<Uint8Array>> {
  if (!/^https?:/.test(place)) return createReadStream(resolve(place));
  const response = await fetch(place);
  const { origin, pathname } = new URL(place);
  if (!response.ok || !response.body) throw new Error(`${origin}${pathname} responds with status ${response.status}`);
  return response.body;
}

/** Runs `grs mirror`. */
export async function run([action, place, ...others]: readonly string[]): Promise<number> {
  const isSnapshot = action === 'snapshot';
  if (!(isSnapshot || action === 'seed')) throw new UsageError('expected snapshot or seed');
  if (!place || place.startsWith('-') || others.length > 0)
    throw new UsageError(`expected one ${isSnapshot ? 'file' : 'file or address'}`);
  const config = readConfig();
  const { mirror, name } = locateStore(config).engine;
  if (!mirror) throw new UsageError(`a store on ${name} has no mirror; set DATABASE_URL to that of the service`);
  try {
    if (isSnapshot) await mirror.snapshot(config, resolve(place));
    console.log(
      isSnapshot ? `${resolve(place)} is a snapshot of the mirror.` : await mirror.seed(config, () => read(place)),
    );
    return 0;
  } catch (error) {
    if (error instanceof StoreRefused) throw error;
    const { message, cause } = error as Error;
    console.error(`grs mirror ${action}: ${message}${cause instanceof Error ? ` (${cause.message})` : ''}.`);
    return 1;
  }
}

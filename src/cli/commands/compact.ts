import { locateStore } from '../../configured-store.ts';
import { UsageError } from '../command.ts';
import { readConfigOfStore } from '../store.ts';

export const help = `Return the space of deleted data to the disk, while the service is stopped. The database is rewritten without it,
checked, and then replaces the old file: a crash leaves either the old file or the new one.

Usage:
  npx grs compact

The service uses free space again by itself, so that this is only worth it after very much was deleted. The disk needs room
for the new file beside the old one; what is missing is said before anything is written. Deleted resources and old versions
stay in the history for HISTORY_RETENTION_DAYS: their space is free when that has passed.

A store on PostgreSQL does the same by itself (autovacuum); VACUUM FULL gives space back to the disk.

Exit codes: 0 done, 2 wrong arguments or no store, 70 the store is in use, is damaged, or there is no room.

Example: compact the data in /srv/grs
  systemctl stop grs && DATA_DIR=/srv/grs npx grs compact && systemctl start grs`;

const megabytes = (bytes: number) => `${(bytes / 1e6).toLocaleString('en', { maximumFractionDigits: 1 })} MB`;

/** Runs `grs compact`. */
export async function run(args: readonly string[]): Promise<number> {
  if (args.length > 0) throw new UsageError();
  const { address, engine } = locateStore(readConfigOfStore());
  if (!engine.compact) {
    throw new UsageError(`a store on ${engine.name} uses free space again by itself, and its own tools give it back`);
  }
  const { beforeBytes, afterBytes } = await engine.compact(address);
  console.log(`${engine.describe(address)}: ${megabytes(beforeBytes)} before, ${megabytes(afterBytes)} now.`);
  return 0;
}

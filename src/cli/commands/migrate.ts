import { locateStore } from '../../configured-store.ts';
import { UsageError } from '../command.ts';
import { readConfig } from '../store.ts';

export const help = `Migrate the database to this version of the service, without serving.

Usage:
  npx grs migrate            applies the missing migrations, each whole or not at all
  npx grs migrate --dry-run  lists them and changes nothing

Example: what an upgrade would do to the data in /srv/grs
  DATA_DIR=/srv/grs npx grs migrate --dry-run

A start does the same; use this command to do it beforehand. Stop the service first.`;

/** Runs `grs migrate`. */
export async function run(args: readonly string[]): Promise<number> {
  const dryRun = args.length === 1 && args[0] === '--dry-run';
  if (args.length > 0 && !dryRun) throw new UsageError();
  const { address, engine } = locateStore(readConfig());
  const migrations = await engine.migrate(address, dryRun);
  for (const { version, name } of migrations) {
    console.log(`${dryRun ? 'missing' : 'applied'}  ${String(version).padStart(3, '0')}  ${name}`);
  }
  if (migrations.length === 0) console.log(`${engine.describe(address)} is at this version; nothing to do.`);
  return 0;
}

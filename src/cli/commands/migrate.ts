import { processEnvironment } from '../../config/environment.ts';
import { parseConfig } from '../../config/parse.ts';
import { locateStore } from '../../configured-store.ts';

const migrateHelp = `Bring the database to this version of the service, without serving.

Usage:
  grs migrate            applies the migrations that are missing, each whole or not at all
  grs migrate --dry-run  lists them and changes nothing

Example: what an upgrade would do to the data in /srv/grs
  DATA_DIR=/srv/grs grs migrate --dry-run

A start does the same by itself; this command is for those who want to see it done before. Stop the service first.`;

/** Runs `grs migrate`. */
export async function migrateCommand(args: readonly string[]): Promise<number> {
  const known = args.length === 0 || (args.length === 1 && args[0] === '--dry-run');
  if (!known) {
    console.log(migrateHelp);
    return args[0] === '--help' || args[0] === '-h' ? 0 : 2;
  }
  const { address, engine } = locateStore(parseConfig(processEnvironment()));
  const dryRun = args[0] === '--dry-run';
  const migrations = await engine.migrate(address, dryRun);
  for (const { version, name } of migrations) {
    console.log(`${dryRun ? 'missing' : 'applied'}  ${String(version).padStart(3, '0')}  ${name}`);
  }
  if (migrations.length === 0) console.log(`${engine.describe(address)} is at this version; nothing to do.`);
  return 0;
}

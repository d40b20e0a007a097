import { parseArgs } from 'node:util';
import { ServiceError } from '../../../contract/errors.ts';
import type { ResourceStore } from '../../../domain/ports/resource-store.ts';
import { exportProject, hasRecords } from '../../../transfer/export.ts';
import { exitFailure, UsageError } from '../../command.ts';
import { writeOut } from '../../files.ts';
import { createProgress } from '../../progress.ts';
import { projectOf, readConfigOfStore, withStore } from '../../store.ts';

export const help = `Write a project to a file, to move it to another store with “npx grs project move-in”, for example from the embedded
database to PostgreSQL.

Usage:
  npx grs project move-out --project <key> --out <file>   the file appears when it is complete
  npx grs project move-out --project <key> > <file>

Example: move the project my-shop from the data in /srv/grs into PostgreSQL
  DATA_DIR=/srv/grs npx grs project move-out --project my-shop --out my-shop.ndjson
  DATABASE_URL=postgres://grs@db.example/grs npx grs project move-in --project my-shop --in my-shop.ndjson

The file holds all resources with their versions, keys, times, staged projections and history, byte for byte, the
variants of images and the documents of the backend. It does not hold the files of images (copy the project's folder
in images of DATA_DIR as well, after the import), API clients, signing keys, and responses stored for repeated requests.

It may run beside the service. Each resource is then consistent by itself; for a consistent state of the whole project,
stop its writers meanwhile.

Exit codes: 0 all is written, 1 the file could not be written, 2 wrong arguments, 70 the store could not be read.`;

export const needsArguments = true;

const options = {
  project: { type: 'string' },
  out: { type: 'string' },
} as const;

/** Number of resources, for the progress; undefined if counting takes too long. */
async function countOf(store: ResourceStore, projectKey: string): Promise<number | undefined> {
  const all = { projectKey, where: [], sort: [], limit: 0, offset: 0, withTotal: true, staged: false };
  return store.list(all).then(
    ({ total }) => total,
    () => undefined,
  );
}

async function writeProject(store: ResourceStore, project: string, out: string | undefined): Promise<number> {
  const total = await countOf(store, project);
  const progress = createProgress('export');
  let written = 0;
  const onProgress = (records: number) => {
    written = records;
    progress.update(records, total === undefined ? undefined : records / Math.max(1, total));
  };
  const chunks = exportProject({ store, project, exportedAt: new Date().toISOString(), onProgress });
  try {
    await writeOut(out, chunks);
  } finally {
    progress.end();
  }
  return written;
}

/** Explains errors that the operator can act on: a damaged store, a full disk, a closed pipe. Throws any other. */
function explainError(error: unknown): number {
  if (error instanceof UsageError) throw error;
  const isStore = error instanceof ServiceError;
  const isOutput = error instanceof Error && ('syscall' in error || 'code' in error) && !('errcode' in error);
  if (!isStore && !isOutput) throw error;
  console.error(`grs project move-out: ${error.message}`);
  console.error('The export is not complete.');
  return isStore ? exitFailure : 1;
}

/** Runs `grs project move-out`. */
export async function run(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({ args: [...args], options });
  const { out } = values;
  const project = projectOf(values.project);
  return withStore(readConfigOfStore(), 'shared', async ({ resources }) => {
    try {
      if (!(await hasRecords(resources, project))) {
        throw new UsageError(`there is nothing in the project ${project}; is its key spelled exactly so?`);
      }
      const written = await writeProject(resources, project, out);
      const where = out === undefined ? '' : ` to ${out}`;
      console.error(`Exported ${written.toLocaleString('en')} records of the project ${project}${where}.`);
      return 0;
    } catch (error) {
      return explainError(error);
    }
  });
}

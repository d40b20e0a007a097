import { createWriteStream } from 'node:fs';
import { rename } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { ServiceError } from '../../contract/errors.ts';
import type { ResourceStore } from '../../domain/ports/resource-store.ts';
import { exportProject } from '../../transfer/export.ts';
import { createProgress } from '../progress.ts';
import { answerExitCode, projectOf, settingsOfStore, withStore } from '../project-store.ts';

const exportHelp = `Write a project into a file, to move it to another store with “grs import”: from the embedded database to
PostgreSQL, say, or back.

Usage:
  grs export --project <key> --out <file>   the file is there when it is whole, not before
  grs export --project <key> > <file>

Example: move the project my-shop from the data in /srv/grs into PostgreSQL
  DATA_DIR=/srv/grs grs export --project my-shop --out my-shop.ndjson
  DATABASE_URL=postgres://grs@db.example/grs grs import --project my-shop --in my-shop.ndjson

The file has all resources with their versions, keys, times, staged projections and history, byte for byte, the
variants of images and the documents of the backend. Not in it: the files of images (copy the project's folder in
images of DATA_DIR as well, after the import), API clients, signing keys, and answers kept for repeated requests.

It may run beside the service. Each resource is then as it was at one moment; for a state of the whole project at one
moment, stop its writers meanwhile.

Exit codes: 0 all is written, 1 the file could not be written, 2 wrong arguments, 70 the store is not usable.`;

const options = {
  project: { type: 'string' },
  out: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** Writes a file that is there only when it is whole and on the disk. */
async function writeWhole(file: string, chunks: AsyncIterable<string>): Promise<void> {
  await pipeline(chunks, createWriteStream(`${file}.part`, { mode: 0o600, flush: true }));
  await rename(`${file}.part`, file);
}

/** Number of resources, for the progress; undefined where it takes too long to count them. */
async function countOf(store: ResourceStore, projectKey: string): Promise<number | undefined> {
  const all = { projectKey, where: [], sort: [], limit: 0, offset: 0, withTotal: true, staged: false };
  return store.list(all).then(
    ({ total }) => total,
    () => undefined,
  );
}

async function writeProject(store: ResourceStore, project: string, out: string | undefined): Promise<number> {
  const total = await countOf(store, project);
  const progress = createProgress({ label: 'export', stream: process.stderr, nowMs: Date.now });
  let written = 0;
  const onProgress = (records: number) => {
    written = records;
    progress.update(records, total === undefined ? undefined : records / Math.max(1, total));
  };
  const chunks = exportProject({ store, project, exportedAt: new Date().toISOString(), onProgress });
  try {
    await (out === undefined ? pipeline(chunks, process.stdout, { end: false }) : writeWhole(out, chunks));
  } finally {
    progress.end();
  }
  return written;
}

/** What the operator can do something about: damage in the store, a disk that is full, a reader that went away. */
function explain(error: unknown): number {
  const isStore = error instanceof ServiceError;
  const isOutput = error instanceof Error && ('syscall' in error || 'code' in error) && !('errcode' in error);
  if (!isStore && !isOutput) throw error;
  console.error(`grs export: ${error.message}`);
  console.error('The export is not whole.');
  return isStore ? 70 : 1;
}

async function run(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({ args: [...args], options });
  if (values.help || args.length === 0) {
    console.log(exportHelp);
    return 0;
  }
  const { out } = values;
  const project = projectOf(values.project);
  const config = settingsOfStore();
  return withStore(config, 'shared', async ({ resources }) => {
    try {
      const written = await writeProject(resources, project, out);
      const where = out === undefined ? '' : ` to ${out}`;
      console.error(`Exported ${written.toLocaleString('en')} records of the project ${project}${where}.`);
      return 0;
    } catch (error) {
      return explain(error);
    }
  });
}

/** Runs `grs export`; answers the exit code. */
export function exportCommand(args: readonly string[]): Promise<number> {
  return answerExitCode('grs export', () => run(args));
}

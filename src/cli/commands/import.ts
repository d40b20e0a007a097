import { createReadStream, fstatSync, openSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { processEnvironment } from '../../config/environment.ts';
import { parseConfig } from '../../config/parse.ts';
import { ServiceError } from '../../contract/errors.ts';
import { MoveFileError } from '../../transfer/file-format.ts';
import { createImport, type ImportCounts, type ImportOptions, type ProjectImport } from '../../transfer/import.ts';
import { createProgress } from '../progress.ts';
import { answerExitCode, projectOf, withStore } from '../project-store.ts';
import { UsageError } from '../usage.ts';

const importHelp = `Read a file of “grs export” into the store of the settings.

Usage:
  grs import --project <key> --in <file>
  grs import --project <key> < <file>
  grs import --project <key> --in <file> --overwrite   replaces resources that are there and differ

Example: put the project my-shop into the data in /srv/grs
  DATA_DIR=/srv/grs grs import --project my-shop --in my-shop.ndjson

The project is the one to import into; it may have another name than in the file: then the addresses of images in its
variants become those of that project. Resources keep their ids, versions, keys and times. Resources of the project
that are not in the file stay. Copy the files of images after the import.

The embedded database: stop the service first; the command refuses a data folder that is served. PostgreSQL: services
may run meanwhile; keep clients from writing into the project.

An import that was interrupted is run again: what is there already, the same in every byte, is left alone and counted as
unchanged. What is there and differs is left alone too and listed at the end, unless --overwrite is given: then it gets
the text and the version of the file, also where that version is lower.

Exit codes: 0 all is imported, 1 the file is damaged or some resources were refused, 2 wrong arguments,
70 the store is not usable.`;

const options = {
  project: { type: 'string' },
  in: { type: 'string' },
  overwrite: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

interface Source {
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Share of the bytes that were read; undefined where the length is not known. */
  readonly share: () => number | undefined;
}

/** Opens the file, or standard input. */
function openSource(file: string | undefined): Source {
  if (file === undefined && process.stdin.isTTY)
    throw new UsageError('--in is missing, for example --in my-shop.ndjson');
  const fd = file === undefined ? process.stdin.fd : openFile(file);
  const stat = fstatSync(fd);
  if (stat.isDirectory()) throw new UsageError(`--in: ${file} is a folder, a file expected`);
  const total = stat.isFile() ? stat.size : 0;
  // Standard input as a stream of its own kind: a read of a pipe through the file system would hold up the end.
  const bytes = file === undefined ? process.stdin : createReadStream(file, { fd, highWaterMark: 1024 * 1024 });
  let read = 0;
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const chunk of bytes) {
      read += chunk.length;
      yield chunk;
    }
  }
  return { chunks: counted(), share: () => (total === 0 ? undefined : read / total) };
}

function openFile(file: string): number {
  try {
    return openSync(file, 'r');
  } catch (error) {
    throw new UsageError(`--in: ${file} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

const stored = ({ created, replaced, unchanged }: ImportCounts) => created + replaced + unchanged;

/** The end of the output, on which an operator decides what to do. */
function summary({ created, replaced, unchanged, refused, refusals }: ImportCounts): string {
  const number = (value: number) => value.toLocaleString('en');
  const counts = `${number(created)} created, ${number(replaced)} replaced, ${number(unchanged)} unchanged, ${number(refused)} refused`;
  const more = refused > refusals.length ? [`  … and ${number(refused - refusals.length)} more`] : [];
  return [`${counts}.`, ...refusals.map((line) => `  ${line}`), ...more].join('\n');
}

/** Says what became of the import; answers the exit code. */
async function conclude({ counts }: ProjectImport, work: Promise<void>): Promise<number> {
  try {
    await work;
  } catch (error) {
    const isStore = error instanceof ServiceError;
    if (!isStore && !(error instanceof MoveFileError)) throw error;
    console.log(`Not all was imported: ${summary(counts)}`);
    console.error(`grs import: ${error.message}`);
    console.error('What was imported stays. Run the command again, with a whole file, to go on.');
    return isStore ? 70 : 1;
  }
  console.log(`Imported: ${summary(counts)}`);
  if (counts.refused > 0) console.error('Refused resources are as they were. See --overwrite in “grs import --help”.');
  return counts.refused === 0 ? 0 : 1;
}

async function readProject(
  into: Pick<ImportOptions, 'store' | 'project' | 'overwrite'>,
  source: Source,
): Promise<number> {
  const progress = createProgress({ label: 'import', stream: process.stderr, nowMs: Date.now });
  const work = createImport({
    ...into,
    onHeader({ project, exportedAt }) {
      const renamed = project === into.project ? '' : `, into the project ${into.project}`;
      console.error(`An export of the project ${project} of ${exportedAt}${renamed}.`);
    },
    onProgress: () => progress.update(stored(work.counts), source.share()),
  });
  return conclude(
    work,
    work.run(source.chunks).finally(() => progress.end()),
  );
}

async function run(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({ args: [...args], options });
  if (values.help || args.length === 0) {
    console.log(importHelp);
    return 0;
  }
  const [project, overwrite] = [projectOf(values.project), values.overwrite === true];
  const source = openSource(values.in);
  const config = parseConfig(processEnvironment());
  return withStore(config, 'exclusive', ({ resources }) =>
    readProject({ store: resources, project, overwrite }, source),
  );
}

/** Runs `grs import`; answers the exit code. */
export function importCommand(args: readonly string[]): Promise<number> {
  return answerExitCode('grs import', () => run(args));
}

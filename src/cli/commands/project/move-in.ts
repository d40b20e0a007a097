import { parseArgs } from 'node:util';
import { loadConfiguredExtensions, openSettings } from '../../../configured-types.ts';
import { ServiceError } from '../../../contract/errors.ts';
import { ExportFileError } from '../../../transfer/file-format.ts';
import { createImport, type ImportCounts, type ImportOptions, type ProjectImport } from '../../../transfer/import.ts';
import { exitFailure, UsageError } from '../../command.ts';
import { openSource } from '../../files.ts';
import { createProgress } from '../../progress.ts';
import { projectOf, readConfig, withStore } from '../../store.ts';

export const help = `Read a file of “npx grs project move-out” into the configured store.

Usage:
  npx grs project move-in --project <key> --in <file>
  npx grs project move-in --project <key> < <file>
  npx grs project move-in --project <key> --in <file> --overwrite   replaces existing resources that differ

Example: put the project my-shop into the data in /srv/grs
  DATA_DIR=/srv/grs npx grs project move-in --project my-shop --in my-shop.ndjson

--project is the project to import into. Its name may differ from that in the file: then the addresses of images in its
variants are changed to those of that project. Resources keep their ids, versions, keys and times. Resources of the
project that are not in the file stay. Where the project has types already, each resource has to fit them. Copy the files of images after the import.

The embedded database: stop the service first; the command refuses a data folder that is in use. PostgreSQL: services
may run meanwhile, but clients must not write to the project.

Run an interrupted import again: resources that are already there, byte for byte, count as unchanged. Existing resources
that differ are not changed and are listed at the end, unless --overwrite is given: then they get the text and the
version of the file, even if that version is lower.

Exit codes: 0 all is imported, 1 the file is damaged or some resources were refused, 2 wrong arguments,
70 the store could not be written.`;

export const needsArguments = true;

const options = {
  project: { type: 'string' },
  in: { type: 'string' },
  overwrite: { type: 'boolean' },
} as const;

const stored = ({ created, replaced, unchanged }: ImportCounts) => created + replaced + unchanged;

/** The counts, and the refused resources. */
function summary({ created, replaced, unchanged, refused, refusals }: ImportCounts): string {
  const number = (value: number) => value.toLocaleString('en');
  const counts = `${number(created)} created, ${number(replaced)} replaced, ${number(unchanged)} unchanged, ${number(refused)} refused`;
  const more = refused > refusals.length ? [`  … and ${number(refused - refusals.length)} more`] : [];
  return [`${counts}.`, ...refusals.map((line) => `  ${line}`), ...more].join('\n');
}

/** Reports the result of the import. Returns the exit code. */
async function conclude({ counts }: ProjectImport, work: Promise<void>): Promise<number> {
  try {
    await work;
  } catch (error) {
    const isStore = error instanceof ServiceError;
    if (!isStore && !(error instanceof ExportFileError)) throw error;
    console.log(`Not all was imported: ${summary(counts)}`);
    console.error(`grs project move-in: ${error.message}`);
    console.error('What was imported stays. To continue, run the command again with a complete file.');
    return isStore ? exitFailure : 1;
  }
  console.log(`Imported: ${summary(counts)}`);
  if (counts.refused > 0)
    console.error('Refused resources were not changed. See --overwrite in “grs project move-in --help”.');
  return counts.refused === 0 ? 0 : 1;
}

async function readProject(
  into: Pick<ImportOptions, 'store' | 'project' | 'overwrite' | 'gate'>,
  source: ReturnType<typeof openSource>,
): Promise<number> {
  const progress = createProgress('import');
  const work = createImport({
    ...into,
    nowMs: Date.now,
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

/** Runs `grs project move-in`. */
export async function run(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({ args: [...args], options });
  const [project, overwrite] = [projectOf(values.project), values.overwrite === true];
  if (values.in === undefined && process.stdin.isTTY)
    throw new UsageError('--in is missing, for example --in my-shop.ndjson');
  const source = openSource(values.in);
  const config = readConfig();
  const { hooks } = await loadConfiguredExtensions(config);
  return withStore(config, 'writing', async (store) => {
    const types = openSettings(store, hooks, Date.now, (event, error) =>
      console.error(event === 'hook-failed' ? String(error) : `The types are built by the service: ${error}`),
    );
    const into = { store: store.resources, project, overwrite, gate: types.gate };
    const code = await readProject(into, source);
    await types.marksBuilder.build(project);
    return code;
  });
}

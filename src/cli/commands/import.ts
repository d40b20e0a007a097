import { createWriteStream, type WriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { ServiceError } from '../../contract/errors.ts';
import { type Charset, charsetNamed, charsets } from '../../domain/bulk/charset.ts';
import { delimiterNamed } from '../../domain/bulk/csv/delimiter.ts';
import { exitFailure, UsageError } from '../command.ts';
import { openSource } from '../files.ts';
import { createImportNotes, nextStep, refusalText } from '../import-notes.ts';
import { readPortions } from '../portions.ts';
import { createProgress } from '../progress.ts';
import { openRemote, RemoteError, remoteHelp, remoteOptions } from '../remote.ts';
import { projectOf } from '../store.ts';
import { upload } from '../upload.ts';

export const help = `Import resources into a running service, from NDJSON (a draft in each line) or CSV.

Usage:
  npx grs import --url <base URL> --client <id:secret | file> --project <key> --in <file> [options]
  npx grs import --url <base URL> --token <token> --project <key> < <file>

Options:
${remoteHelp}
  --project <key>     the project
  --in <file>         NDJSON, or CSV if the name ends in .csv or .tsv; .gz behind it for gzip; default: standard input
  --format <format>   ndjson or csv, whatever the name of the file
  --charset <name>    of the file: utf-8 (default), windows-1252, utf-16, utf-16le or utf-16be
  --delimiter <name>  of a CSV: comma, semicolon, tab or pipe; default: recognised by the first line
  --mode <mode>       merge (default), replace, overwrite or create: what a line does to a resource that exists
  --check-versions    a version in a line must be the current one
  --dry-run           check every line, write nothing
  --stop-on-error     write nothing that comes after a line that is refused
  --refused <file>    write the results of refused lines to a file, as NDJSON
  --correct <file>    write the refused lines themselves to a file, in UTF-8, to correct and import that
  --from <line>       the first line that is sent

The file is sent in portions. Lines are durable when they are counted. If the connection is lost, or the service restarts,
the command goes on where it was. An import that was ended can be repeated: what is there already stays unchanged.

Exit codes: 0 all is imported, 1 some lines were refused, 2 wrong arguments, 70 the import could not be finished.

Example: load a table of products into the project my-shop
  npx grs import --url http://127.0.0.1:8080 --client data/admin-client.json --project my-shop --in products.csv

Files of “npx grs project move-out” are read by “npx grs project move-in”.`;

export const needsArguments = true;

const options = {
  ...remoteOptions,
  project: { type: 'string' },
  in: { type: 'string' },
  format: { type: 'string' },
  charset: { type: 'string' },
  delimiter: { type: 'string' },
  mode: { type: 'string' },
  'check-versions': { type: 'boolean' },
  'dry-run': { type: 'boolean' },
  'stop-on-error': { type: 'boolean' },
  refused: { type: 'string' },
  correct: { type: 'string' },
  from: { type: 'string', default: '1' },
} as const;

type Values = ReturnType<typeof parseArgs<{ options: typeof options }>>['values'];

/** Runs `grs import`. */
export async function run(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({ args: [...args], options });
  const project = projectOf(values.project);
  const client = openRemote(values, project, 'manage_test');
  const { refused, correct } = values;
  const form = formOf(values);
  const parameters: Readonly<Record<string, string>> = {
    ...parametersOf(values),
    ...delimiterOf(values.delimiter, form.isCsv),
  };
  const lines = { ...form, charset: charsetOf(values.charset), from: lineOf(values.from) };
  const { chunks, share } = openSource(values.in);

  const notes = createImportNotes();
  const counts = { created: 0, updated: 0, unchanged: 0, refused: 0 };
  const refusals = refused === undefined ? undefined : createWriteStream(refused, { mode: 0o600 });
  let corrections: WriteStream | undefined;
  const progress = createProgress('import');
  const sum = () => counts.created + counts.updated + counts.unchanged + counts.refused;
  const tell = (text: string) => {
    progress.clear();
    console.error(text);
  };
  let shown = 0;
  let code = 0;
  try {
    await upload({
      client,
      parameters,
      delimiter: delimiterNamed(parameters.delimiter ?? ''),
      portions: readPortions({ ...lines, chunks }),
      contentType: `${form.isCsv ? 'text/csv' : 'application/x-ndjson'}; charset=utf-8`,
      onNotes: notes.addSummary,
      onLine(line, text, { portion, bytes }) {
        counts[line.status] += 1;
        notes.addLine(line);
        if (line.status === 'refused') {
          if (refusals) refusals.write(`${text}\n`);
          else if (shown < maxShown) tell(refusalText(line));
          shown += 1;
          if (correct !== undefined) {
            if (!corrections) {
              corrections = createWriteStream(correct, { mode: 0o600 });
              if (portion.header) corrections.write(portion.header);
            }
            corrections.write(bytes);
          }
        }
        progress.update(sum(), share());
      },
      onResume(why, line) {
        tell(`${why} Going on at line ${line}.`);
      },
    });
  } catch (error) {
    const isExpected = error instanceof RemoteError || error instanceof ServiceError;
    if (!isExpected) throw error;
    console.error(`grs import: ${error.message}`);
    code = exitFailure;
  } finally {
    progress.end();
    refusals?.end();
    corrections?.end();
  }
  if (refusals) await finished(refusals);
  if (corrections) await finished(corrections);
  const number = (value: number) => value.toLocaleString('en');
  const parts = Object.entries(counts).map(([name, value]) => `${number(value)} ${name}`);
  const what = code !== 0 ? 'Not all was imported' : values['dry-run'] ? 'Checked, and nothing written' : 'Imported';
  console.log(`${what}: ${parts.join(', ')}.`);
  if (shown > 0 && refused !== undefined) console.error(`Why lines were refused is in ${refused}.`);
  else if (shown > maxShown) console.error(`… and ${number(shown - maxShown)} more; see --refused.`);
  const { created, updated, refused: refusedLines } = counts;
  const ending = { isComplete: code === 0, isDryRun: values['dry-run'] === true, refused: refusedLines, correct };
  const next = nextStep({ ...ending, changed: created + updated });
  for (const text of [...notes.texts(), ...(next === undefined ? [] : [next])]) console.error(text);
  return code !== 0 ? code : counts.refused > 0 ? 1 : 0;
}

/** Refused lines that are shown on standard error. */
const maxShown = 20;

function lineOf(from: string): number {
  if (!/^[1-9]\d{0,14}$/.test(from)) throw new UsageError('--from: expected the number of a line');
  return Number(from);
}

function charsetOf(name: string | undefined): Charset | undefined {
  if (name === undefined) return undefined;
  const charset = charsetNamed(name);
  if (charset === undefined) throw new UsageError(`--charset: expected one of ${charsets.join(', ')}`);
  return charset;
}

function delimiterOf(name: string | undefined, isCsv: boolean): { readonly delimiter?: string } {
  if (name === undefined) return {};
  if (!isCsv) throw new UsageError('--delimiter: only CSV has one; see --format');
  const delimiter = delimiterNamed(name);
  if (delimiter === undefined) throw new UsageError('--delimiter: expected comma, semicolon, tab or pipe');
  return { delimiter };
}

function formOf({ in: file = '', format }: Values) {
  if (format !== undefined && format !== 'csv' && format !== 'ndjson') {
    throw new UsageError('--format: expected ndjson or csv');
  }
  const name = file.toLowerCase();
  const isCsv = format === undefined ? /\.[ct]sv(?:\.gz)?$/.test(name) : format === 'csv';
  return { isCsv, isCompressed: name.endsWith('.gz') };
}

function parametersOf(values: Values): Readonly<Record<string, string>> {
  const { mode = 'merge' } = values;
  if (!['merge', 'replace', 'overwrite', 'create'].includes(mode)) {
    throw new UsageError('--mode: expected one of merge, replace, overwrite, create');
  }
  return {
    mode,
    ...(values['check-versions'] && { versions: 'check' }),
    ...(values['dry-run'] && { dryRun: 'true' }),
    ...(values['stop-on-error'] && { stopOnError: 'true' }),
  };
}

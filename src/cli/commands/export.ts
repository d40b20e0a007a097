import { parseArgs } from 'node:util';
import type { Client } from '#client';
import { exitFailure, UsageError } from '../command.ts';
import { writeOut } from '../files.ts';
import { createProgress } from '../progress.ts';
import { openRemote, RemoteError, remoteHelp, remoteOptions, sendTo } from '../remote.ts';
import { projectOf } from '../store.ts';

export const help = `Export resources from a running service, as NDJSON (one in each line) or CSV.

Usage:
  npx grs export --url <base URL> --client <id:secret | file> --project <key> --out <file> [options]
  npx grs export --url <base URL> --token <token> --project <key> > <file>

Options:
${remoteHelp}
  --project <key>     the project
  --out <file>        appears when it is complete; CSV if the name ends in .csv
  --format <format>   ndjson or csv, whatever the name of the file
  --fields <fields>   the columns of CSV, separated by commas: paths such as key,name.en; default: all fields that occur
  --delimiter <name>  of CSV: comma (default), semicolon, tab or pipe
  --bom               begin CSV with a byte order mark, by which Excel reads it as UTF-8
  --where <predicate> only resources that match; may be repeated
  --staged            the staged projections

Each resource is as it is when it is read; what changes meanwhile may be there in its old or its new state.

Exit codes: 0 all is written, 1 the file could not be written, 2 wrong arguments, 70 the export was not complete. If damaged
resources were left out, the file has all others, and the ids of those are printed.

Example: the red products of my-shop, for a spreadsheet
  npx grs export --url http://127.0.0.1:8080 --client data/admin-client.json --project my-shop \\
    --where 'colour = "red"' --fields key,name.en --out red.csv

What it writes, “npx grs import --url” takes. To move a whole project with its history: “npx grs project move-out”.`;

export const needsArguments = true;

const options = {
  ...remoteOptions,
  project: { type: 'string' },
  out: { type: 'string' },
  format: { type: 'string' },
  fields: { type: 'string' },
  delimiter: { type: 'string' },
  bom: { type: 'boolean' },
  where: { type: 'string', multiple: true },
  staged: { type: 'boolean' },
} as const;

type Values = ReturnType<typeof parseArgs<{ options: typeof options }>>['values'];

/** Runs `grs export`. */
export async function run(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({ args: [...args], options });
  const project = projectOf(values.project);
  const client = openRemote(values, project, 'view_test');
  const query = queryOf(values);
  try {
    const written = await download(client, query, values.out);
    const where = values.out === undefined ? '' : ` to ${values.out}`;
    console.error(`Exported ${written.toLocaleString('en')} resources of the project ${project}${where}.`);
    return 0;
  } catch (error) {
    const isRemote = error instanceof RemoteError;
    if (!isRemote && !(error instanceof Error && 'syscall' in error)) throw error;
    console.error(`grs export: ${error.message}\nThe export is not complete.`);
    return isRemote ? exitFailure : 1;
  }
}

function queryOf(values: Values): URLSearchParams {
  const { out = '', format, fields, delimiter, bom, where = [], staged } = values;
  const isCsv = format === undefined ? out.toLowerCase().endsWith('.csv') : format === 'csv';
  if (format !== undefined && format !== 'csv' && format !== 'ndjson') {
    throw new UsageError('--format: expected ndjson or csv');
  }
  const query = new URLSearchParams({ format: isCsv ? 'csv' : 'ndjson', summary: 'true' });
  if (fields !== undefined) query.set('fields', fields);
  if (delimiter !== undefined) query.set('delimiter', delimiter);
  if (bom) query.set('bom', 'true');
  for (const predicate of where) query.append('where', predicate);
  if (staged) query.set('staged', 'true');
  return query;
}

/** Resolves to the number of resources. Throws `RemoteError` unless all were received. */
async function download(client: Client, query: URLSearchParams, out?: string): Promise<number> {
  const response = await sendTo(client, {
    method: 'GET',
    path: `/resource/export?${query}`,
    headers: { accept: '*/*' },
  });
  const progress = createProgress('export');
  let count: number | undefined;
  let leftOut: Summary | undefined;
  async function* resources(): AsyncGenerator<Buffer> {
    let lines = 0;
    /** The last line, which is not written unless another one follows. */
    let last = Buffer.alloc(0);
    for await (const chunk of response) {
      const bytes = Buffer.concat([last, chunk]);
      const end = bytes.lastIndexOf(newline, -2) + 1;
      for (let at = bytes.indexOf(newline); at >= 0; at = bytes.indexOf(newline, at + 1)) if (at < end) lines += 1;
      progress.update(lines, undefined);
      if (end > 0) yield bytes.subarray(0, end);
      last = bytes.subarray(end);
    }
    const summary = summaryOf(last.toString());
    if (summary === undefined) {
      yield last;
      throw new RemoteError('The download was cut before its last line.');
    }
    if (summary.damaged === 0) count = summary.count;
    else leftOut = summary;
  }
  try {
    await writeOut(out, resources());
  } finally {
    progress.end();
  }
  if (leftOut) throw new RemoteError(leftOutText(leftOut));
  return count!;
}

const newline = 0x0a;

/** The last line of an export that was not cut. */
interface Summary {
  readonly count: number;
  /** Resources that were left out because they are damaged, and the ids of the first of them. */
  readonly damaged: number;
  readonly ids: readonly string[];
}

const summaryForm = /^\["(?:complete",\d+|incomplete",\d+,\d+,\[.*\])\]\n$/;

function summaryOf(line: string): Summary | undefined {
  if (!summaryForm.test(line)) return undefined;
  const [, count, damaged = 0, ids = []] = JSON.parse(line) as [string, number, number?, string[]?];
  return { count, damaged, ids };
}

function leftOutText({ count, damaged, ids }: Summary): string {
  const more = damaged > ids.length ? `, and ${(damaged - ids.length).toLocaleString('en')} more` : '';
  return `${count.toLocaleString('en')} resources were written. ${damaged.toLocaleString('en')} damaged resources were left out: ${ids.join(', ')}${more}. Overwrite them, delete them, or restore them from a backup.`;
}

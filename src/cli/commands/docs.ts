import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseConfig } from '../../config/parse.ts';
import { generatedDocuments } from '../../docs/pages.ts';
import { noLog } from '../../telemetry/log.ts';
import { UsageError } from '../command.ts';

export const help = `Write the pages of docs/ that are generated from the code: settings, errors, scopes, languages, operations and
the OpenAPI document.

Usage:
  npx grs docs           writes the pages that differ
  npx grs docs --check   writes nothing; exit code 1 if a page differs

Example: after a change of a setting, an error or a route
  npm run docs`;

interface DocsOptions {
  /** The OpenAPI document as indented JSON text. */
  readonly openApiText: string;
  /** Writes one line to standard output. */
  readonly print: (line: string) => void;
  readonly folder: string;
}

/** Runs `grs docs`. */
export async function run(args: readonly string[]): Promise<number> {
  const folder = fileURLToPath(new URL('../../../docs/', import.meta.url));
  return writeDocs(args, { openApiText: await describeApi(), print: console.log, folder });
}

/** The OpenAPI document of a service with default settings, as indented JSON. */
async function describeApi(): Promise<string> {
  const { createApp } = await import('../../app.ts');
  const dataDir = mkdtempSync(join(tmpdir(), 'grs-docs-'));
  const app = await createApp(parseConfig({ DATA_DIR: dataDir }), { log: noLog, tidies: false, warms: false });
  try {
    return `${JSON.stringify(app.describe(), undefined, 2)}\n`;
  } finally {
    await app.close();
    rmSync(dataDir, { recursive: true });
  }
}

/** Writes the pages, or with `--check` compares them. Returns the exit code: 1 if `--check` found a difference. */
export function writeDocs(args: readonly string[], { openApiText, print, folder }: DocsOptions): number {
  const isCheck = args.length === 1 && args[0] === '--check';
  if (args.length > 0 && !isCheck) throw new UsageError();
  const documents = generatedDocuments(openApiText);
  const names = differing(documents, folder);
  if (isCheck) {
    for (const name of names) print(`docs/${name} differs from the code; run “npm run docs”`);
    return names.length === 0 ? 0 : 1;
  }
  mkdirSync(folder, { recursive: true });
  for (const name of names) writeFileSync(join(folder, name), documents.get(name)!);
  print(names.length === 0 ? 'docs: nothing to write' : `docs: wrote ${names.join(', ')}`);
  return 0;
}

/** Names of the pages whose file is missing or has another text. */
function differing(documents: ReadonlyMap<string, string>, folder: string): readonly string[] {
  const stored = (name: string) =>
    existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : undefined;
  return [...documents].filter(([name, text]) => stored(name) !== text).map(([name]) => name);
}

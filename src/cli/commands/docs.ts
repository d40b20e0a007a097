import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generatedDocuments } from '../../docs/documents.ts';

interface DocsCommandDeps {
  /** The OpenAPI document as indented JSON text. */
  readonly openApiText: string;
  /** Writes one line to standard output. */
  readonly print: (line: string) => void;
  /** Where to write; the project's docs folder unless given. */
  readonly folder?: string;
}

const docsHelp = `Write the pages of docs/ that are made from the code: settings, errors, scopes and the OpenAPI document.

Usage:
  grs docs           writes the pages that differ
  grs docs --check   writes nothing; exit code 1 if a page differs

Example: after a change of a setting, an error or a route
  npm run docs`;

const projectDocs = fileURLToPath(new URL('../../../docs/', import.meta.url));

/** Names of the pages whose file is missing or has another text. */
function differing(documents: ReadonlyMap<string, string>, folder: string): readonly string[] {
  const stored = (name: string) =>
    existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : undefined;
  return [...documents].filter(([name, text]) => stored(name) !== text).map(([name]) => name);
}

/** Runs `grs docs`; answers the exit code: 0, 1 where `--check` found a difference, 2 for wrong arguments. */
export function runDocsCommand(
  args: readonly string[],
  { openApiText, print, folder = projectDocs }: DocsCommandDeps,
): number {
  const known = args.length === 0 || (args.length === 1 && ['--check', '--help', '-h'].includes(args[0]!));
  if (!known || args[0] === '--help' || args[0] === '-h') {
    print(docsHelp);
    return known ? 0 : 2;
  }
  const documents = generatedDocuments(openApiText);
  const names = differing(documents, folder);
  if (args[0] === '--check') {
    for (const name of names) print(`docs/${name} is not what the code says; run “npm run docs”`);
    return names.length === 0 ? 0 : 1;
  }
  mkdirSync(folder, { recursive: true });
  for (const name of names) writeFileSync(join(folder, name), documents.get(name)!);
  print(names.length === 0 ? 'docs: nothing to write' : `docs: wrote ${names.join(', ')}`);
  return 0;
}

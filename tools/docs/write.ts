import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createApp } from '../../src/app.ts';
import { parseConfig } from '../../src/config/parse.ts';
import { noLog } from '../../src/telemetry/log.ts';
import { generatedDocuments } from './pages.ts';

/**
 * Writes the pages of docs/ that are made from the code: settings, errors, scopes, languages, operations and the OpenAPI
 * document.
 *
 *   npm run docs              writes the pages that differ
 *   npm run docs -- --check   writes nothing; exit code 1 if a page differs
 */

/** The OpenAPI document of a service with default settings, as indented JSON. */
async function describeApi(): Promise<string> {
  const dataDir = mkdtempSync(join(tmpdir(), 'grs-docs-'));
  const app = await createApp(parseConfig({ DATA_DIR: dataDir }), { log: noLog, tidies: false, warms: false });
  try {
    return `${JSON.stringify(app.describe(), undefined, 2)}\n`;
  } finally {
    await app.close();
    rmSync(dataDir, { recursive: true });
  }
}

/** The names of the pages whose file is missing or has another text. With `writes` they are written. */
export function updatePages(
  documents: ReadonlyMap<string, string>,
  folder: string,
  writes: boolean,
): readonly string[] {
  const storedIn = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8') : undefined);
  const differing = [...documents].filter(([name, text]) => storedIn(join(folder, name)) !== text);
  if (writes) {
    mkdirSync(folder, { recursive: true });
    for (const [name, text] of differing) writeFileSync(join(folder, name), text);
  }
  return differing.map(([name]) => name);
}

if (import.meta.main) {
  const isCheck = process.argv.includes('--check');
  const folder = fileURLToPath(new URL('../../docs/', import.meta.url));
  const names = updatePages(generatedDocuments(await describeApi()), folder, !isCheck);
  for (const name of names)
    console.log(isCheck ? `docs/${name} differs from the code; run “npm run docs”` : `Wrote docs/${name}`);
  if (isCheck && names.length > 0) process.exitCode = 1;
}

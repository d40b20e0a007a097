import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { writeClientTypes } from '../../tools/client-types.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Builds the client package into a folder `dist` of its own, as `npm run build` builds it. */
export async function buildClient(): Promise<{ readonly folder: string; remove(): void }> {
  const parent = mkdtempSync(join(tmpdir(), 'grs-client-'));
  const folder = join(parent, 'dist');
  await writeClientTypes();
  await writeClientTypes(pathToFileURL(`${folder}/`));
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  execFileSync(process.execPath, [compiler, '-p', join(root, 'packages/client'), '--outDir', folder]);
  return { folder, remove: () => rmSync(parent, { recursive: true, force: true }) };
}

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
  const build = [compiler, '-p', join(root, 'packages/client'), '--outDir', folder];
  execFileSync(process.execPath, build);
  // Readers see the comments in the types.
  execFileSync(process.execPath, [...build, '--declaration', 'false', '--removeComments']);
  return { folder, remove: () => rmSync(parent, { recursive: true, force: true }) };
}

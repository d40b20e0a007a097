import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Builds the client package into a folder of its own, as `npm run build` builds it into `dist`. */
export function buildClient(): { readonly folder: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'grs-client-'));
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  execFileSync(process.execPath, [compiler, '-p', join(root, 'packages/client'), '--outDir', folder]);
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

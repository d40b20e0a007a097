import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './deployment-files.ts';

export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
}

/** Where the types of an API group are: `networking.k8s.io/v1` → `networking/v1`, `v1` → `core/v1`. */
function moduleOf(apiVersion: string): string {
  const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['core', apiVersion];
  return `${root}node_modules/kubernetes-types/${group?.split('.')[0]}/${version}.d.ts`;
}

/**
 * Compares manifests with the types of the Kubernetes API, without a cluster: each becomes a literal of its type, which
 * the compiler checks for fields that are unknown, missing or of a wrong type. Returns what it found.
 */
export function typeErrors(manifests: readonly Manifest[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'grs-kinds-'));
  const lines = manifests.map((manifest, n) => {
    const type = `import(${JSON.stringify(moduleOf(manifest.apiVersion))}).${manifest.kind}`;
    return `export const manifest${n}: ${type} = ${JSON.stringify(manifest)};`;
  });
  try {
    writeFileSync(join(folder, 'manifests.ts'), `${lines.join('\n')}\n`);
    const flags = ['--ignoreConfig', '--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--types', ''];
    const compiler = `${root}node_modules/typescript/bin/tsc`;
    const { status, stdout } = spawnSync(process.execPath, [compiler, ...flags, 'manifests.ts'], { cwd: folder });
    const found = String(stdout);
    if (status !== 0 && found === '') throw new Error('the compiler did not run');
    return found;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * `npm run build`: makes dist, which is what the package holds: the service bundled into few files, the declarations
 * that its types reach, and the console.
 *
 *   node tools/build-package.ts
 */
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packFiles } from '../src/console/bundle.ts';
import { recordBuild, sourcesOf } from './built-from.js';
import { bundlePackage } from './bundle-package.ts';
import { writeClientTypes } from './client-types.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const source = join(root, 'src');
const target = join(root, 'dist');
/** What the package exports: the declarations that its users read begin here. */
const entry = 'types/src/index.d.ts';

/** Checks the sources that the exports reach, and writes their declarations. */
function declare(): void {
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const { status } = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.build.json'], {
    cwd: root,
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error('The sources do not compile.');
}

/** Removes the declarations that nobody can import. The compiler leaves the imports of declarations as they are. */
function reduceDeclarations(): void {
  const imported = /((?:from |import\()['"])(\.[^'"]+)\.ts(['"])/g;
  const reached = new Set<string>();
  const visit = (file: string) => {
    if (reached.has(file)) return;
    reached.add(file);
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace(imported, '$1$2.js$3'));
    for (const [, , path] of text.matchAll(imported)) visit(join(dirname(file), `${path}.d.ts`));
  };
  visit(join(target, entry));
  const all = globSync('**/*.d.ts', { cwd: target }).map((name) => join(target, name));
  for (const file of all) if (!reached.has(file)) rmSync(file);
}

/** Makes dist without the declarations: all that runs. */
export async function buildProgram(): Promise<void> {
  const sources = sourcesOf(root);
  rmSync(target, { recursive: true, force: true });
  await bundlePackage(source, target);
  await packFiles(join(target, 'console/assets'));
  recordBuild(root, sources);
}

if (import.meta.main) {
  await buildProgram();
  // The sources import the client, which imports them.
  await writeClientTypes();
  declare();
  reduceDeclarations();
}

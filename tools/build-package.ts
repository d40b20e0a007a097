/**
 * `npm run build`: compiles src to dist, which is what the package holds. The compiler rewrites the imports of `.ts`
 * files; this program does the rest: the addresses of worker threads, the files that are no code, and the removal of
 * declarations that the types of the package do not reach.
 *
 *   node tools/build-package.ts
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformSync } from 'esbuild';
import { buildFiles } from '../src/console/bundle.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const source = join(root, 'src');
const target = join(root, 'dist');
/** What the package exports: the declarations that its users read begin here. */
const entry = 'index.d.ts';

function compile(): void {
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const { status } = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.build.json'], {
    cwd: root,
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error('The sources do not compile.');
}

/** Rewrites the addresses of worker threads, which are no imports to the compiler. Each must lead to a file. */
function rewriteAddresses(): void {
  const address = /new URL\('(\.[^']+)\.ts', import\.meta\.url\)/g;
  for (const name of globSync('**/*.js', { cwd: target })) {
    const file = join(target, name);
    const text = readFileSync(file, 'utf8');
    const rewritten = text.replace(address, "new URL('$1.js', import.meta.url)");
    for (const [, path] of text.matchAll(address)) {
      if (!existsSync(join(dirname(file), `${path}.js`))) throw new Error(`${name}: there is no ${path}.js`);
    }
    const missed = /'(\.\.?\/[^']+\.ts)'/.exec(rewritten);
    if (missed) throw new Error(`${name}: ${missed[1]} is not rewritten`);
    if (rewritten !== text) writeFileSync(file, rewritten);
  }
}

/** Copies migrations, pages and the first file, which is JavaScript that imports TypeScript. */
function copyOthers(): void {
  const isOther = (name: string) => !name.endsWith('.ts') && !name.startsWith(join('console', 'ui'));
  const others = globSync('**/*.*', { cwd: source }).filter(isOther);
  for (const name of others) cpSync(join(source, name), join(target, name));
  const first = join(target, 'main.js');
  writeFileSync(first, readFileSync(first, 'utf8').replaceAll(/import\('(\.[^']+)\.ts'\)/g, "import('$1.js')"));
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

/** Removes the comments of the code, a third of its size; those of declarations are for its users, and stay. */
function removeComments(): void {
  for (const name of globSync('**/*.js', { cwd: target })) {
    const file = join(target, name);
    const { code } = transformSync(readFileSync(file, 'utf8'), { charset: 'utf8', legalComments: 'none' });
    writeFileSync(file, code);
  }
}

/** Bundles the console: in the package it has no sources. */
async function bundleConsole(): Promise<void> {
  const folder = join(target, 'console/assets');
  mkdirSync(folder, { recursive: true });
  for (const [name, bytes] of await buildFiles()) writeFileSync(join(folder, name), bytes);
}

rmSync(target, { recursive: true, force: true });
compile();
rewriteAddresses();
copyOthers();
reduceDeclarations();
removeComments();
await bundleConsole();

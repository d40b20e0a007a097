import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { transformSync } from 'esbuild';
import { type CodeSplittingGroup, type GetModuleInfo, type Plugin, rolldown } from 'rolldown';
import { parseAst } from 'rolldown/parseAst';

/**
 * Bundles the service into few files, side by side in one folder: Node loads them in a fraction of the time, in each of
 * the threads. What is imported when it is needed stays in a file of its own. The packages stay outside.
 */

/**
 * Files of what is loaded together, each with the modules that lead to it, in this order: a module that two of them reach
 * is in the first. Without these, every set of files that share a module would get a file of its own: 66 for a start.
 */
const parts: readonly (readonly [name: string, modules: readonly string[]])[] = [
  // Who imports the package for its helpers loads no more than these.
  ['exports', ['index.ts']],
  // Before the store opens in its threads, and then beside it.
  ['start', ['test-server/create-test-server.ts', 'cli/commands/serve.ts']],
  ['open-store', ['store/sqlite/open-writer.ts']],
  ['store', ['store/sqlite/store.ts']],
  ['service', ['app.ts']],
];

/** An address beside a module: a file of ours, in the form that leads to a thread, a page or a folder. */
const addresses = /new URL\((['`])(\.[^'`$]*)([^'`]*)\1, import\.meta\.url\)/g;

/** Only for a checkout, where a thread loads a hundred files. */
const onlyInCheckout = 'own-modules.ts';

/** The modules that a process or a thread begins with: the commands, the exports, and what an address leads to. */
function entriesOf(source: string): readonly string[] {
  const entries = new Set([join(source, 'main.js'), join(source, 'index.ts')]);
  for (const name of globSync('**/*.ts', { cwd: source })) {
    const file = join(source, name);
    for (const [, , address = ''] of readFileSync(file, 'utf8').matchAll(addresses)) {
      if (address.endsWith('.ts') && basename(address) !== onlyInCheckout) entries.add(resolve(dirname(file), address));
    }
  }
  const names = [...entries].map((entry) => basename(entry));
  if (new Set(names).size < names.length) throw new Error(`Two of these have one name: ${names.join(', ')}`);
  return [...entries];
}

/** The tables of lemmas, from the folder of sources and in the package. */
const lemmas = { source: join('..', 'packages', 'words', 'tables'), target: 'lemmas' };

/** Changes the addresses in a module, wherever it stands in `source`, for a module that stands in the folder of all. */
function withAddresses(text: string, file: string, source: string): string {
  return text.replaceAll(addresses, (_, quote: string, address: string, rest: string) => {
    const path = relative(source, resolve(dirname(file), address)).replace(lemmas.source, lemmas.target);
    const moved = path.endsWith('.ts') ? basename(path, '.ts').concat('.js') : path;
    const folder = address.endsWith('/') ? '/' : '';
    return `new URL(${quote}./${moved}${folder}${rest}${quote}, import.meta.url)`;
  });
}

/**
 * Packages that are bundled, too: the router with what it needs, thirty files of CommonJS that were a tenth of a test
 * server's start; and what sends requests without a socket, since a module of it is taken for CommonJS by test runners that load
 * modules themselves (vmThreads of Vitest). All other packages stay outside, where audits of who installs the service see them.
 */
const inside: ReadonlySet<string> = new Set([
  ...['find-my-way', 'fast-querystring', 'fast-decode-uri-component', 'fast-deep-equal'],
  ...['light-my-request', '@fastify/deepmerge', 'cookie', 'process-warning', 'set-cookie-parser'],
]);

/**
 * Of the router what no route of ours needs at run time: its check of patterns, which the tests of a checkout run for each
 * of our routes, and its printing of the tree.
 */
const standIns: Readonly<Record<string, string>> = {
  'safe-regex2': 'module.exports = () => true;',
  './lib/pretty-print': 'exports.prettyPrintTree = () => {};',
};

function withoutUnused(): Plugin {
  const prefix = '\0stand-in:';
  return {
    name: 'without-unused',
    resolveId: (name, importer) => (name in standIns && importer?.includes('find-my-way') ? `${prefix}${name}` : null),
    load: (id) => (id.startsWith(prefix) ? standIns[id.slice(prefix.length)]! : null),
  };
}

function moved(source: string): Plugin {
  return {
    name: 'moved',
    transform: (text, path) => ({
      code: basename(path) === onlyInCheckout ? '' : withAddresses(text, path, source),
      map: null,
    }),
  };
}

/** The modules that those in `from` import, directly or not, and themselves. Not what they import when it is needed. */
function reachedFrom(from: readonly string[], infoOf: GetModuleInfo): ReadonlySet<string> {
  const reached = new Set<string>();
  const visit = (id: string) => {
    if (reached.has(id)) return;
    reached.add(id);
    for (const imported of infoOf(id)?.importedIds ?? []) visit(imported);
  };
  for (const id of from) visit(id);
  return reached;
}

/** Says of each module in which file of several modules it stands. null: the bundler decides. */
function groupOf(source: string, entries: readonly string[]): CodeSplittingGroup {
  const threads = entries.filter((entry) => !['main.js', 'index.ts'].includes(basename(entry)));
  let known: ((id: string) => string | null) | undefined;

  function prepare(infoOf: GetModuleInfo): (id: string) => string | null {
    const byPart = parts.map(([name, modules]) => {
      const reached = reachedFrom(
        modules.map((module) => join(source, module)),
        infoOf,
      );
      return [name, reached] as const;
    });
    const byThread = threads.map((thread) => reachedFrom([thread], infoOf));
    return (id) => {
      if (entries.includes(id)) return null;
      const part = byPart.find(([, reached]) => reached.has(id))?.[0];
      const inThreads = byThread.some((reached) => reached.has(id));
      // What a thread shares with a part is in a file beside that part's, so that the thread loads nothing more.
      return inThreads && part !== undefined && part !== 'exports' ? `${part}-shared` : (part ?? null);
    };
  }

  return {
    debugName: 'parts',
    name: (id, context) => {
      known ??= prepare((module) => context.getModuleInfo(module));
      return known(id);
    },
  };
}

/** A migration without what is for its readers: of its comments two say what is to be done (`record/migrations.ts`). */
export function withoutRemarks(sql: string): string {
  const lines = sql.split('\n').map((line) => line.replace(/(^|\s)\s*-- (?!usable from |distributed by ).*$/, ''));
  return lines.filter((line) => line.trim() !== '').join('\n');
}

/** Copies what is sent or executed as it is, such as pages and migrations, to where the addresses lead. */
function copyOthers(source: string, target: string): void {
  cpSync(join(source, lemmas.source), join(target, lemmas.target), { recursive: true });
  const isOther = (name: string) => !name.endsWith('.ts') && name !== 'main.js';
  for (const name of globSync('**/*.*', { cwd: source }).filter(isOther)) {
    const copy = join(target, name);
    cpSync(join(source, name), copy);
    if (name.endsWith('.sql')) writeFileSync(copy, withoutRemarks(readFileSync(copy, 'utf8')));
    if (!/\.(js|css)$/.test(name)) continue;
    const options = { minify: true, charset: 'utf8', legalComments: 'none' } as const;
    const loader = name.endsWith('.js') ? 'js' : 'css';
    writeFileSync(copy, transformSync(readFileSync(copy, 'utf8'), { loader, ...options }).code);
  }
}

/** What keeps its name, for the stacks in logs. */
const names = { function: true, class: true };

/** A part of a program, as the parser tells it. */
interface Part {
  readonly type: string;
  readonly start: number;
  readonly body?: Part | readonly Part[];
  readonly declarations?: readonly Part[];
}

const harmless = /^(Literal|Identifier|EmptyStatement|BreakStatement|ContinueStatement|ImportDeclaration)$/;

/** True if a stack may name it: a declaration of nothing, of a literal or of another name takes no line of its own. */
function mayFail(node: Part): boolean {
  if (node.type !== 'VariableDeclarator') return !harmless.test(node.type);
  const { init, id } = node as Part & { readonly init?: Part | null; readonly id: Part };
  return id.type !== 'Identifier' || (init != null && !harmless.test(init.type));
}

/** Where the statements, functions' included, the members of classes and the later declarations of a list begin. */
function beginnings(node: unknown, found: Set<number>): Set<number> {
  if (Array.isArray(node)) for (const one of node) beginnings(one, found);
  else if (typeof node === 'object' && node !== null) {
    const { body, declarations = [] } = node as Part;
    const statements = Array.isArray(body) ? (body as readonly Part[]) : [];
    for (const { start } of [...statements, ...declarations.slice(1)].filter(mayFail)) found.add(start);
    for (const child of Object.values(node)) beginnings(child, found);
  }
  return found;
}

/** Gives each statement a line, so that a stack says where it was: rolldown writes a file into one. */
function withLines(text: string): string {
  const starts = [...beginnings(parseAst(text), new Set([0]))].sort((a, b) => a - b);
  return starts.map((start, at) => text.slice(start, starts[at + 1])).join('\n');
}

/**
 * Escapes what is not Latin-1: V8 keeps a source with a single such character in two bytes for each of its characters, in
 * each thread. Where an escape would mean something else, it throws.
 */
export function inLatin1(text: string): string {
  if (/(?<!\\)(?:\\\\)*\\[^\0-\xff]/.test(text))
    throw new Error('A character that is not Latin-1 is escaped by itself.');
  if (/\bString\.raw`/.test(text)) throw new Error('Escapes would stand in the text of String.raw.');
  return text.replace(/[^\0-\xff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** What the licences of the packages inside ask for: their texts go with them. */
function licences(packages: ReadonlySet<string>): string {
  return [...packages]
    .sort()
    .map((name) => `${name}\n\n${readFileSync(join('node_modules', name, 'LICENSE'), 'utf8').trim()}\n`)
    .join('\n\n');
}

/** Bundles the sources of a folder into another one. Throws where they do not fit together. */
export async function bundlePackage(source: string, target: string): Promise<void> {
  const entries = entriesOf(source);
  const bundle = await rolldown({
    input: Object.fromEntries(entries.map((entry) => [basename(entry).replace(/\.[jt]s$/, ''), entry])),
    platform: 'node',
    external: (id) => /^(#console$|[^./#\0])/.test(id) && !inside.has(id.split('/')[0] ?? ''),
    preserveEntrySignatures: 'allow-extension',
    plugins: [withoutUnused(), moved(source)],
    logLevel: 'warn',
    checks: { ineffectiveDynamicImport: false },
  });
  const { output } = await bundle.generate({
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    codeSplitting: { groups: [groupOf(source, entries)], includeDependenciesRecursively: false },
    comments: false,
    minify: { compress: { keepNames: names }, mangle: { keepNames: names }, codegen: true },
  });
  await bundle.close();
  mkdirSync(target, { recursive: true });
  for (const file of output) {
    if (file.type !== 'chunk') throw new Error(`Not expected in the package: ${file.fileName}`);
    writeFileSync(join(target, file.fileName), inLatin1(withLines(file.code)));
  }
  writeFileSync(join(target, 'LICENSES.txt'), licences(inside));
  copyOthers(source, target);
}

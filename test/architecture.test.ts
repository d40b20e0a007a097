import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename, posix } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Records of resources, one for each database. None of them may import another. */
const engines = globSync('record/*/migrations/', { cwd: `${root}src` }).map((folder) => posix.dirname(folder));

/** The import table of ARCHITECTURE.md: what a part may import besides itself. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  contract: [],
  cache: [],
  network: [],
  telemetry: [],
  config: ['network', 'store'],
  'version.ts': [],
  'own-modules.ts': [],
  domain: ['contract', 'packages/words'],
  threads: ['domain', 'own-modules.ts'],
  sqlite: ['record/engine.ts', 'contract'],
  'record/engine.ts': ['domain', 'telemetry'],
  'record/migrations.ts': ['record/engine.ts'],
  'record/row': ['domain', 'contract'],
  'record/sqlite': [
    ...['record/engine.ts', 'record/migrations.ts', 'record/row', 'index/follow/change-source.ts', 'sqlite', 'threads'],
    ...['cache', 'domain', 'contract'],
  ],
  'record/postgres': [
    ...['record/engine.ts', 'record/migrations.ts', 'record/row', 'cache', 'domain', 'contract', 'telemetry'],
  ],
  'index/follow/change-source.ts': ['record/row'],
  'index/terms': ['cache', 'domain', 'contract'],
  'index/plan': ['index/terms', 'domain', 'contract'],
  'index/query': ['index/plan', 'index/terms', 'record/row', 'cache', 'domain', 'contract'],
  'index/search': [
    ...['index/follow/change-source.ts', 'index/plan', 'index/query', 'index/terms', 'record/row'],
    ...['cache', 'domain', 'contract', 'packages/words'],
  ],
  'index/follow': [
    ...['index/follow/change-source.ts', 'index/terms', 'record/engine.ts', 'record/row', 'sqlite'],
    ...['domain', 'contract'],
  ],
  'index/threads': ['index/query', 'record/row', 'sqlite', 'threads', 'domain', 'contract', 'telemetry'],
  store: [
    ...['record/engine.ts', 'record/migrations.ts', 'record/row', 'record/sqlite', 'record/postgres'],
    ...['index/follow/change-source.ts', 'index/follow', 'index/plan', 'index/query', 'index/search', 'index/terms'],
    ...['index/threads', 'sqlite', 'threads', 'cache', 'domain', 'contract', 'telemetry'],
  ],
  auth: ['cache', 'domain', 'contract', 'telemetry'],
  extensions: ['domain', 'contract'],
  transfer: ['domain', 'contract'],
  schema: ['domain', 'contract'],
  backend: ['cache', 'extensions', 'network', 'domain', 'contract', 'telemetry', 'packages/client'],
  images: ['threads', 'cache', 'domain', 'contract', 'telemetry'],
  webhooks: ['network', 'domain', 'contract', 'telemetry'],
  http: [
    'cache',
    'contract',
    'domain',
    'network',
    'auth',
    'images',
    'webhooks',
    'telemetry',
    'config',
    'packages/words',
  ],
  console: ['auth', 'contract', 'domain', 'http', 'packages/console', 'telemetry'],
  'packages/client': [],
  'packages/conformance': [],
  'packages/console': ['contract'],
  'packages/words': [],
  workers: ['record/engine.ts', 'telemetry'],
  cli: [
    ...[
      'app.ts',
      'config',
      'configured-auth.ts',
      'configured-store.ts',
      'configured-types.ts',
      'version.ts',
      'packages/client',
      'packages/conformance',
      'packages/words',
      'workers',
      'extensions',
      'transfer',
    ],
    ...['auth', 'domain', 'contract', 'record/engine.ts', 'telemetry', 'webhooks'],
  ],
  'configured-auth.ts': ['auth', 'config', 'domain', 'http', 'telemetry'],
  'configured-types.ts': ['cache', 'config', 'domain', 'extensions', 'index.ts', 'schema'],
  'configured-store.ts': ['config', 'domain', 'store', 'record/engine.ts', 'telemetry'],
  'test-server': ['app.ts', 'config', 'configured-store.ts', 'contract', 'domain', 'telemetry'],
  'index.ts': ['backend', 'contract', 'domain', 'extensions', 'test-server'],
  'app.ts': [
    'index.ts',
    'config',
    'configured-auth.ts',
    'configured-store.ts',
    'configured-types.ts',
    'version.ts',
    'contract',
    'domain',
    'auth',
    'backend',
    'console',
    'extensions',
    'images',
    'http',
    'telemetry',
    'webhooks',
  ],
  'main.js': ['own-modules.ts', 'cli', 'config'],
};

/** The rooms of the records, and which of its other rooms each may import. The files beside them put all together. */
const engineRooms: Readonly<Record<string, readonly string[]>> = {
  'sqlite/open': [],
  'sqlite/checked-tables.ts': [],
  'sqlite/write': ['checked-tables.ts', 'open'],
  'sqlite/log': ['open', 'write'],
  'sqlite/read': ['checked-tables.ts'],
  'postgres/open': ['rows.ts'],
  'postgres/rows.ts': [],
  'postgres/checked-tables.ts': ['open'],
  'postgres/event-row.ts': [],
  'postgres/read': ['checked-tables.ts', 'open', 'rows.ts'],
  'postgres/write': ['checked-tables.ts', 'event-row.ts', 'open', 'rows.ts'],
  'postgres/changes': ['event-row.ts', 'open', 'rows.ts', 'write'],
  'postgres/maintenance': ['changes', 'checked-tables.ts', 'event-row.ts', 'open', 'rows.ts'],
};

/** Packages, and built-in modules that belong to one part: where each is at home. */
const homes: Readonly<Record<string, readonly string[]>> = {
  '@orama/stemmers': ['packages/words'],
  htmlparser2: ['packages/words'],
  stopword: ['packages/words'],
  aws4fetch: ['images'],
  'lru-cache': ['cache'],
  'csv-parse': ['http'],
  '@hyperjump/browser': ['schema'],
  '@hyperjump/json-schema': ['schema'],
  re2js: ['schema'],
  esbuild: ['packages/console'],
  'generic-resource-service-client': ['packages/console'],
  preact: ['packages/console'],
  '@preact/signals': ['packages/console'],
  ...Object.fromEntries(
    ['commands', 'lang-json', 'language', 'search', 'state', 'view'].map((name) => [
      `@codemirror/${name}`,
      ['packages/console'],
    ]),
  ),
  '@lezer/highlight': ['packages/console'],
  'find-my-way': ['http'],
  jose: ['auth'],
  'openid-client': ['auth'],
  'light-my-request': ['http', 'test-server'],
  pg: ['record/postgres'],
  'node:cluster': ['workers'],
  'node:sqlite': [
    'sqlite',
    'record/sqlite',
    'index/terms',
    'index/follow',
    'index/query',
    'index/search',
    'index/threads',
    'store',
    'index/follow/change-source.ts',
  ],
  sharp: ['images'],
};

/** Tables may be longer than 300 lines. */
const tables = ['src/config/settings.ts'];

const read = (file: string) => readFileSync(root + file, 'utf8');
/** The client is written for others' projects, by their rules. */
const sources = globSync(
  ['src/**/*.{ts,tsx}', 'src/main.js', 'packages/{conformance,console,words}/{src/**/,}*.{ts,tsx}'],
  {
    cwd: root,
  },
).sort();

interface Import {
  readonly file: string;
  readonly line: number;
  readonly target: string;
}

/** The part of a source file: the longest name in the table that its path begins with, below src if it is there. */
function partOf(file: string): string {
  const path = file.replace(/^src\//, '');
  const parts = Object.keys(mayImport).filter((part) => path === part || path.startsWith(`${part}/`));
  return parts.sort((a, b) => b.length - a.length)[0] ?? path;
}

/** Static, dynamic and type imports, re-exports, and files started as threads. */
function importsOf(file: string): readonly Import[] {
  const text = read(file);
  // A word in quotes is data: the name of a field or a command.
  const form = /(?<!')\b(?:from\s+|import\s+|import\s*\(\s*)'([^'\s]+)'|new URL\('(\.[^']+\.tsx?)'/g;
  return [...text.matchAll(form)].map((match) => ({
    file,
    line: text.slice(0, match.index).split('\n').length,
    target: match[1] ?? match[2]!,
  }));
}

const imports = sources.flatMap(importsOf);
const relative = imports.filter(({ target }) => target.startsWith('.'));
/** By the names in package.json, such as `#words`. */
const named = imports.filter(({ target }) => target.startsWith('#'));
const packages = imports.filter(({ target }) => !/^[.#]/.test(target));

function targetPart({ file, target }: Import): string {
  return target.startsWith('#') ? `packages/${target.slice(1)}` : partOf(posix.join(posix.dirname(file), target));
}

/** The package of a module, which may be a part of it: `jose/errors` belongs to `jose`. */
function packageOf(target: string): string {
  return /^(?:@[^/]+\/)?[^/]+/.exec(target)?.[0] ?? target;
}

function assertNone(found: readonly string[], rule: string): void {
  assert.equal(found.length, 0, `${rule}\n${found.map((line) => `  ${line}`).join('\n')}`);
}

test('src: the reader of imports finds imports, so that the rules below look at something', () => {
  assert.ok(relative.length > 50, `${relative.length} relative imports found`);
  assert.ok(packages.some(({ target }) => target === 'node:sqlite'));
});

test('src: every part is in the import table', () => {
  const unknown = [...new Set(sources.map(partOf))].filter((part) => !(part in mayImport) && !part.endsWith('.d.ts'));
  assertNone(unknown, 'Parts that the import table of ARCHITECTURE.md and this test lack:');
});

/** A table of ARCHITECTURE.md by its first column: the names in backquotes in its last one. */
function shownTable(header: string): readonly (readonly [name: string, imports: readonly string[]])[] {
  const text = read('ARCHITECTURE.md');
  const rows = text
    .slice(text.indexOf(`| ${header} | May import`))
    .split('\n\n')[0]!
    .split('\n')
    .slice(2);
  const named = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name!);
  return rows.flatMap((row) => {
    const [, names, imports] = row.split('|');
    return named(names).map((name) => [name, named(imports).sort()] as const);
  });
}

function assertShown(header: string, table: Readonly<Record<string, readonly string[]>>): void {
  const held = Object.entries(table).map(([name, imports]) => [name, [...imports].sort()] as const);
  const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]) => (a < b ? -1 : 1);
  assert.deepEqual([...shownTable(header)].sort(byName), held.sort(byName));
}

test('src: the import tables are those that ARCHITECTURE.md shows', () => {
  assertShown('Part', mayImport);
  assertShown('Room of a record', engineRooms);
});

test('src: no room of an engine imports another that its table does not allow', () => {
  const roomOf = (path: string) => path.split('/').slice(2, 4).join('/');
  const between = relative
    .map(({ file, line, target }) => ({ file, line, target: posix.join(posix.dirname(file), target) }))
    .map((found) => ({ ...found, from: roomOf(found.file), to: roomOf(found.target) }))
    .filter(({ file, target }) => engines.includes(partOf(file)) && partOf(file) === partOf(target));
  assert.ok(between.some(({ from, to }) => from === 'sqlite/write' && to === 'sqlite/open'));
  const wrong = between.filter(({ from, to }) => {
    const allowed = engineRooms[from];
    return from !== to && allowed !== undefined && !allowed.includes(to.split('/')[1]!);
  });
  const lines = wrong.map(({ file, line, to, from }) => {
    return `${file}:${line} imports ${to}; ${from} may import ${engineRooms[from]!.join(', ') || 'no other room'}`;
  });
  assertNone(lines, 'Imports against the table of rooms:');
  const rooms = new Set(between.map(({ from }) => from).filter((from) => !from.endsWith('.ts')));
  assertNone(
    [...rooms].filter((room) => !(room in engineRooms)),
    'Rooms that the table lacks:',
  );
});

test('src: no part imports another that the import table does not allow', () => {
  const wrong = [...relative, ...named].filter((found) => {
    const from = partOf(found.file);
    const to = targetPart(found);
    return from !== to && !(mayImport[from] ?? []).includes(to);
  });
  const lines = wrong.map((found) => {
    const from = partOf(found.file);
    const allowed = mayImport[from]?.join(', ') || 'nothing of ours';
    return `${found.file}:${found.line} imports ${found.target} (${targetPart(found)}); ${from} may import ${allowed}`;
  });
  assertNone(lines, 'Imports against the table:');
});

test('src: a package of the project is imported by its name', () => {
  const wrong = relative.filter((found) => {
    const to = targetPart(found);
    return to.startsWith('packages/') && to !== partOf(found.file);
  });
  assertNone(
    wrong.map(({ file, line, target }) => `${file}:${line} imports ${target}`),
    'Imports of files of a package:',
  );
});

test('src: a package is imported only where it is at home', () => {
  const wrong = packages.filter(({ file, target }) => {
    const home = homes[packageOf(target)];
    return home ? !home.includes(partOf(file)) : !target.startsWith('node:');
  });
  assertNone(
    wrong.map(
      ({ file, line, target }) => `${file}:${line} imports ${target}; its home: ${homes[packageOf(target)] ?? 'none'}`,
    ),
    'Packages away from home:',
  );
});

test('src: nothing imports the values of node:http, which would load all of fetch at every start ', () => {
  const value = /^import (?!type\b).* from 'node:https?'|\bimport\('node:https?'\)(?!\.)/m;
  const wrong = sources.filter((file) => !file.startsWith('packages/console/') && value.test(read(file)));
  assertNone(wrong, 'Files that should ask process.getBuiltinModule:');
});

test('src: contract and domain do no I/O: of what Node brings they use nothing but bytes and digests', () => {
  const pure = packages.filter(({ file }) => ['contract', 'domain'].includes(partOf(file)));
  const wrong = pure.filter(({ target }) => !['node:buffer', 'node:crypto'].includes(target));
  assertNone(
    wrong.map(({ file, line, target }) => `${file}:${line} imports ${target}`),
    'Imports of what may do I/O:',
  );
});

test('src: relative imports name the file with .ts, .tsx or .json', () => {
  const wrong = relative.filter(({ target }) => !/\.(?:tsx?|json)$/.test(target));
  assertNone(
    wrong.map(({ file, line, target }) => `${file}:${line} imports ${target}`),
    'Imports without their ending:',
  );
});

test('src: only config/environment.ts reads the environment', () => {
  const readers = sources.filter(
    (file) => file !== 'src/config/environment.ts' && /\bprocess\s*\.\s*env\b/.test(read(file)),
  );
  assertNone(readers, 'Files that read process.env:');
});

test('src: no file but a table is longer than 300 lines', () => {
  const long = sources.filter((file) => !tables.includes(file) && read(file).split('\n').length > 301);
  assertNone(long, 'Files to split:');
});

test('src: no folder has more than 15 files on one floor', () => {
  const files = globSync(['src/**/*.*', 'packages/{conformance,console,words}/src/**/*.*'], { cwd: root });
  const counts = Map.groupBy(files, (file) => posix.dirname(file));
  const full = [...counts]
    .filter(([, files]) => files.length > 15)
    .map(([folder, files]) => `${folder}: ${files.length}`);
  assertNone(full, 'Folders to divide into rooms:');
});

test('src: ARCHITECTURE.md names every folder', () => {
  const text = read('ARCHITECTURE.md');
  const folders = new Set(
    sources.map((file) => posix.dirname(file).replace(/^src\/?|\/src$/, '')).filter((folder) => folder !== ''),
  );
  const unnamed = [...folders].filter(
    (folder) => !text.includes(`\`${folder}\``) && !text.includes(`\`${posix.basename(folder)}\``),
  );
  assertNone(unnamed, 'Folders that a newcomer would not know of:');
});

test('src: no file is named after nothing in particular', () => {
  const vague = sources.filter((file) => /(^|-)(utils?|helpers?|managers?|services?)(-|\.)/.test(basename(file)));
  assertNone(vague, 'Name these after what they do:');
});

test('project: no text names a package registry or a folder of one machine', () => {
  const folders = ['docs', 'examples', 'src', 'test', 'bench', 'deploy', 'tools', 'packages'].map(
    (folder) => `${folder}/**`,
  );
  const own = ['*.md', '.ci/*', 'Dockerfile', 'compose.yaml', 'package.json'];
  const texts = globSync([...folders, ...own], { cwd: root });
  const readable = texts.filter((file) =>
    /\.(md|ts|js|html|css|sql|json|sh|yaml)$|^\.ci\/run$|^Dockerfile$/.test(file),
  );
  const forbidden = /\bregistry\.[a-z]+\.|\/(?:work|home|root)\/[a-z]/;
  const found = readable.flatMap((file) => {
    const lines = read(file).split('\n');
    return lines.flatMap((line, index) => (forbidden.test(line) ? [`${file}:${index + 1} ${line.trim()}`] : []));
  });
  assertNone(found, 'Texts that do not belong into the project:');
});

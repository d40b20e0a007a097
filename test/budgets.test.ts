import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type ts from 'typescript-5';
import { settingTable } from '../src/config/settings.ts';

/**
 * Budgets, so that one person can hold the tree in mind. A budget may only fall, until it is at its goal: whoever goes below
 * one by a tenth of a percent lowers it to what is there, and whoever goes above one removes something.
 */
const budgets = {
  'lines of src': { most: 66_750, goal: 58_000 },
  'lines of packages': { most: 23_550, goal: 21_000 },
  'files of a folder of packages': { most: 15, goal: 15 },
  'functions of more than 100 lines': { most: 0, goal: 0 },
  caches: { most: 39, goal: 40 },
  'kinds of threads': { most: 6, goal: 7 },
  settings: { most: 50, goal: 50 },
};

const root = fileURLToPath(new URL('..', import.meta.url));
const kinds = '**/*.{ts,tsx,js,css,html,sql}';
const filesOf = (folder: string) =>
  globSync(`${folder}/${kinds}`, { cwd: root, exclude: ['**/node_modules/**', '**/dist/**'] }).map((file) => ({
    file,
    text: readFileSync(`${root}${file}`, 'utf8'),
  }));
const [source, packages] = [filesOf('src'), filesOf('packages')];
const linesOf = (files: readonly { readonly text: string }[]) =>
  files.reduce((sum, { text }) => sum + text.split('\n').length - 1, 0);

/** Places in the source, as `file:line text`. */
function placesOf(pattern: RegExp, files = source): readonly string[] {
  return files.flatMap(({ file, text }) =>
    text.split('\n').flatMap((line, at) => (pattern.test(line) ? [`${file}:${at + 1} ${line.trim()}`] : [])),
  );
}

/** Fails above the budget, and names what was counted. */
function hold(name: keyof typeof budgets, count: number, counted: readonly string[] = []): void {
  const { most, goal } = budgets[name];
  assert.ok(count <= most, [`${name}: ${count}, budget ${most}, goal ${goal}`, ...counted].join('\n'));
}

test('the source and the packages have no more lines than their budgets', () => {
  hold('lines of src', linesOf(source));
  hold('lines of packages', linesOf(packages));
});

test('packages: no folder has more than 15 files', () => {
  for (const [folder, files] of Map.groupBy(packages, ({ file }) => file.slice(0, file.lastIndexOf('/')))) {
    hold('files of a folder of packages', files.length, [folder]);
  }
});

/**
 * A cache keeps what could be computed again. Counted are the uses of the bounded cache, what is remembered by an object (`WeakMap`),
 * and maps that a module fills while the service runs.
 */
test('the source has no more caches than their budget', () => {
  const caches = placesOf(/\bnew (?:Cache|WeakMap)\b|^(?:export )?(?:const|let) \w+(?:: [^=]+)? = new Map<.*>\(\);/);
  hold('caches', caches.length, caches);
});

/** A thread is started by the address of its file. */
test('the source has no more kinds of threads than their budget', () => {
  const threads = placesOf(/new URL\('\.\/[\w-]*thread\.ts', import\.meta\.url\)/);
  hold(
    'kinds of threads',
    new Set(threads.map((place) => /[\w-]+thread\.ts/.exec(place.split(' ').slice(1).join(' '))![0])).size,
    threads,
  );
});

test('the service has no more settings than their budget', () => {
  hold('settings', Object.keys(settingTable).length);
});

/** Tables are data: a function is long by its statements. */
test('no more functions than their budget have more than 100 lines', () => {
  // Version 7 of TypeScript has no parser for programs.
  const { createSourceFile, forEachChild, isFunctionLike, ScriptTarget } = createRequire(import.meta.url)(
    'typescript-5',
  ) as typeof ts;
  const long: string[] = [];
  for (const { file, text } of [...source, ...packages]) {
    if (!/\.tsx?$/.test(file) || text.split('\n').length <= 100) continue;
    const parsed = createSourceFile(file, text, ScriptTarget.Latest);
    const visit = (node: ts.Node): void => {
      if (isFunctionLike(node) && 'body' in node && node.body) {
        const from = parsed.getLineAndCharacterOfPosition(node.getStart(parsed)).line;
        const lines = parsed.getLineAndCharacterOfPosition(node.end).line - from + 1;
        if (lines > 100) long.push(`${file}:${from + 1} ${lines} lines`);
      }
      forEachChild(node, visit);
    };
    visit(parsed);
  }
  hold('functions of more than 100 lines', long.length, long);
});

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import ts from 'typescript-5';

/** Rules of language that a program can check. */
const root = fileURLToPath(new URL('..', import.meta.url));
const read = (file: string) => readFileSync(root + file, 'utf8');
const sources = globSync(['src/**/*.{ts,tsx}', 'packages/*/src/**/*.{ts,tsx}'], { cwd: root });
const pages = globSync(['*.md', 'docs/**/*.md', 'packages/*/README.md'], { cwd: root });

const inMessages: readonly (readonly [rule: string, pattern: RegExp])[] = [
  ['say what was expected before it: “expected a header row”', /(?<!\b(?:than|is|are|was|be|as)) expected[.;,)]?$/],
  ['say “is not a …”', /(?<!\b(?:[Tt]here|where|it)) (?:is|are) no (?!longer|larger|more|less|later)/],
  ['name what is missing instead of “is none”', /(?<!\b(?:[Tt]here|where)) (?:is|are|was) none\b/],
  ['speak to the reader instead of “nobody”', /\b[Nn]obody\b/],
];

/** The texts of string literals with several words: messages, help, descriptions. */
function* textsOf(file: string): Iterable<string> {
  const kind = file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const nodes: ts.Node[] = [ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest, true, kind)];
  for (let node = nodes.pop(); node; node = nodes.pop()) {
    if (ts.isStringLiteral(node) || ts.isTemplateLiteral(node)) {
      const text = node.getText().slice(1, -1);
      if (/[a-z] [a-z]/.test(text)) yield text;
    }
    ts.forEachChild(node, (child) => void nodes.push(child));
  }
}

test('messages say what happened and what to do, in the words of the reader', () => {
  const found = sources.flatMap((file) =>
    [...textsOf(file)].flatMap((text) =>
      inMessages.filter(([, pattern]) => pattern.test(text)).map(([rule]) => `${file}: ${rule}: ${text.slice(0, 200)}`),
    ),
  );
  assert.deepEqual(found, []);
});

test('headings and titles of decisions are noun phrases', () => {
  const found = pages.flatMap((page) =>
    read(page)
      .replaceAll(/^```.*?^```/gms, '')
      .split('\n')
      .filter((line) => /^#+ (?:\d+\. )?(?:What|Of|So many|Where|That|Whether)\b/.test(line))
      .map((line) => `${page}: ${line}`),
  );
  assert.deepEqual(found, []);
});

/** Forms that are not plain, with what to write instead. Decisions are records of their day. */
const inPages: readonly (readonly [rule: string, pattern: RegExp])[] = [
  ['“continue”, “resume” or “still work” instead of “go on”', /\b(?:go|goes|going|went) on\b/],
  ['say what is missing instead of “no such”', /\bno such\b/],
  ['name who instead of “nobody”', /\bnobody\b/i],
  ['say “is not a …” instead of “is none”', /\b(?:is|are) none\b/],
];

test('pages say who does what', () => {
  const found = pages
    .filter((page) => !page.startsWith('docs/decisions/') && page !== 'docs/errors.md' && page !== 'CHANGELOG.md')
    .flatMap((page) =>
      read(page)
        // Code, and names of tests.
        .replaceAll(/^```.*?^```|`[^`]*`|“[^”]*”/gms, (quoted) => quoted.replaceAll(/[^\n]/g, ' '))
        .split('\n')
        .flatMap((line, at) =>
          inPages.filter(([, pattern]) => pattern.test(line)).map(([rule]) => `${page}:${at + 1}: ${rule}`),
        ),
    );
  assert.deepEqual(found, []);
});

test('each decision that is referred to exists', () => {
  const records = globSync('docs/decisions/*.md', { cwd: root }).map((file) => Number(/(\d+)-/.exec(file)?.[1]));
  const contract = [...read('docs/contract.md').matchAll(/^### (\d+)\. /gm)].map(([, number]) => Number(number));
  const existing = new Set([...records, ...contract]);
  const found = [...sources, ...pages].flatMap((file) =>
    [...read(file).matchAll(/\bdecisions? (\d+)/g)].flatMap(([text, number]) =>
      existing.has(Number(number)) ? [] : `${file}: ${text}`,
    ),
  );
  assert.deepEqual(found, []);
});

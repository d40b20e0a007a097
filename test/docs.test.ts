import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { settingTable } from '../src/config/settings.ts';
import { errorTable } from '../src/contract/errors.ts';
import { scopeTable } from '../src/contract/scopes.ts';
import { builtInActions } from '../src/domain/resource/actions/built-in.ts';
import { markdownTable } from '../tools/docs/markdown.ts';
import { generatedDocuments } from '../tools/docs/pages.ts';
import { updatePages } from '../tools/docs/write.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const pages = globSync(['*.md', 'docs/**/*.md'], { cwd: root }).sort();

function assertNone(found: readonly string[], rule: string): void {
  assert.equal(found.length, 0, `${rule}\n${found.map((line) => `  ${line}`).join('\n')}`);
}

/** The text of a page without its code blocks. */
function proseOf(page: string): string {
  return read(page).replace(/^```.*?^```/gms, '');
}

/** The anchors that Markdown viewers give to the headings of a page. */
function anchorsOf(page: string): ReadonlySet<string> {
  const headings = [...proseOf(page).matchAll(/^#+ (.+)$/gm)].map(([, text]) => text!);
  return new Set(
    headings.map((text) =>
      text
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

/** The files of decisions about how the service is built, in the order of their numbers. */
const decisionFiles = globSync('*-*.md', { cwd: join(root, 'docs/decisions') }).sort();

const numberOf = (decisionFile: string) => Number(/^(\d{4})-/.exec(decisionFile)?.[1]);

/** The numbers of the decisions that clients can rely on. */
function contractNumbers(): readonly number[] {
  return [...read('docs/contract.md').matchAll(/^### (\d+)\. /gm)].map(([, number]) => Number(number));
}

/** Every number that a text refers to: "decision 12", "decisions 15, 16", "16–18", "28 and 29". */
function decisionsIn(text: string): readonly number[] {
  // Comments break lines within a reference.
  const joined = text.replace(/\n\s*(?:\*|\/\/|--)?\s*/g, ' ');
  const numbers: number[] = [];
  for (const [, many, one] of joined.matchAll(/\b[Dd]ecision(?:s (\d+(?:(?:, | and |–|-)\d+)*)| (\d+))/g)) {
    for (const [, from, to] of (many ?? one)!.matchAll(/(\d+)(?:[–-](\d+))?/g)) {
      for (let number = Number(from); number <= Number(to ?? from); number += 1) numbers.push(number);
    }
  }
  return numbers;
}

test('docs: the pages made from the tables are what the code says', () => {
  for (const [name, text] of generatedDocuments(read('docs/openapi.json'))) {
    if (name.endsWith('.md')) assert.equal(read(`docs/${name}`), text, `docs/${name}: run “npm run docs”`);
  }
});

test('docs: the OpenAPI document is what the routes say', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'tools/docs/write.ts'), '--check'], {
    encoding: 'utf8',
    cwd: root,
    // Without the settings of the developer's own shell: they would change the document's addresses.
    env: { PATH: process.env.PATH },
  });
  assert.equal(status, 0, `${stdout}${stderr}`);
  const { openapi, paths } = JSON.parse(read('docs/openapi.json')) as { openapi: string; paths: object };
  assert.match(openapi, /^3\.1\./);
  assert.ok('/{projectKey}/resource' in paths);
});

test('docs: every setting, error and scope has its row', () => {
  const variables = Object.values(settingTable).map(({ variable }) => variable);
  for (const variable of variables) assert.match(read('docs/configuration.md'), new RegExp(`\\| \`${variable}\` \\|`));
  for (const code of Object.keys(errorTable)) assert.match(read('docs/errors.md'), new RegExp(`\\| \`${code}\` \\|`));
  for (const name of Object.keys(scopeTable)) assert.match(read('docs/scopes.md'), new RegExp(`\\| \`${name}\` \\|`));
});

test('docs: every operation has its row', () => {
  const page = read('docs/operations.md');
  const { paths } = JSON.parse(read('docs/openapi.json')) as { paths: Record<string, object> };
  for (const [path, methods] of Object.entries(paths))
    for (const method of Object.keys(methods))
      assert.ok(page.includes(`| \`${method.toUpperCase()} ${path}\` |`), path);
});

test('docs: the interface has E1 to E18 as the OpenAPI document does, and leads to all operations', () => {
  const page = read('docs/interface.md');
  assert.match(page, /\]\(operations\.md\)/);
  interface Operation {
    readonly security: readonly { readonly oauth2?: readonly string[] }[];
    readonly responses: Readonly<Record<string, unknown>>;
  }
  const { paths } = JSON.parse(read('docs/openapi.json')) as {
    paths: Record<string, Record<string, Operation | undefined> | undefined>;
  };
  const scopes = {
    view: 'view_test',
    manage: 'manage_test',
    published: 'view_published',
    backend: 'use_backend',
    manage_products: 'manage_products',
  };
  const rows = [...page.matchAll(/^\| (E\d+) \| `([A-Z, ]+) (\/.+?)` \| .+ \| (.+) \| ([\d, ]+) \|$/gm)];
  assert.deepEqual(
    rows.map(([, number]) => number),
    Array.from({ length: 18 }, (_, index) => `E${index + 1}`),
  );
  for (const [, number, methods, path, access, statuses] of rows) {
    for (const method of methods!.split(', ')) {
      const operation = paths[`/{projectKey}${path}`]?.[method.toLowerCase()];
      assert.ok(operation, number!);
      const allowed = operation.security.flatMap(({ oauth2 = [] }) => oauth2.map((scope) => scope.split(':')[0]));
      const named = access!.split(' or ').map((word) => scopes[word as keyof typeof scopes]);
      assert.deepEqual(allowed.sort(), named.sort(), `${number}: scopes`);
      for (const status of statuses!.split(', ')) assert.ok(status in operation.responses, `${number}: ${status}`);
    }
  }
});

test('docs: every update action has its row', () => {
  for (const { name } of builtInActions)
    assert.match(read('docs/update-actions.md'), new RegExp(`\\| \`${name}\` \\|`));
});

test('docs: a cell with bars, line ends or angle brackets stays one cell', () => {
  assert.equal(markdownTable(['a', 'b'], [['x|y', 'l\n<m>']]), '| a | b |\n| --- | --- |\n| x\\|y | l &lt;m> |');
});

test('docs: writes what differs, and finds a page that was edited', () => {
  const folder = mkdtempSync(join(tmpdir(), 'grs-docs-'));
  try {
    const update = (writes: boolean) => updatePages(generatedDocuments('{"paths":{}}'), folder, writes);
    const all = ['configuration.md', 'errors.md', 'scopes.md', 'languages.md', 'operations.md', 'openapi.json'];
    assert.deepEqual([update(false), update(true), update(false)], [all, all, []]);
    writeFileSync(join(folder, 'errors.md'), 'edited');
    assert.deepEqual([update(false), update(true), update(true)], [['errors.md'], ['errors.md'], []]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('docs: every link to a file or a heading of the project leads there', () => {
  let followed = 0;
  const broken: string[] = [];
  for (const page of pages) {
    for (const [, target] of proseOf(page).matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(target!)) continue;
      const [path, anchor] = target!.split('#');
      const file = path === '' ? page : join(dirname(page), path!);
      const found = existsSync(join(root, file)) && (anchor === undefined || anchorsOf(file).has(anchor));
      followed += 1;
      if (!found) broken.push(`${page}: ${target}`);
    }
  }
  assertNone(broken, 'Links that lead nowhere:');
  assert.ok(followed > 20, `${followed} links followed`);
});

test('docs: every file of the project that a page names in code style is there', () => {
  const broken = pages.flatMap((page) => {
    const named = [...proseOf(page).matchAll(/`((?:src|test|docs|examples|bench|\.ci)\/[\w./-]+)`/g)];
    return named.flatMap(([, file]) => (existsSync(join(root, file!)) ? [] : [`${page}: ${file}`]));
  });
  assertNone(broken, 'Files that are not there:');
});

test('docs: every promise names a test that exists', () => {
  const rows = read('docs/guarantees.md').match(/^\| .* \| `test\/.*$/gm) ?? [];
  assert.ok(rows.length > 10, `${rows.length} promises`);
  const broken = rows.filter((row) => {
    const [, file, name] = /`(test\/[\w./-]+)`: “(.+)” \|$/.exec(row) ?? [];
    return !file || !name || !existsSync(join(root, file)) || !read(file).includes(name);
  });
  assertNone(broken, 'Promises whose test is not there:');
});

test('docs: every npm command and every grs command that a page names exists', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const commandTable = read('src/cli/index.ts');
  const broken: string[] = [];
  for (const page of pages) {
    const text = read(page).replaceAll(/\s+/g, ' ');
    for (const [, name] of text.matchAll(/npm (?:run )?(start|test|(?<=run )[\w-]+)/g)) {
      if (!(name! in scripts)) broken.push(`${page}: npm run ${name}`);
    }
    for (const [, name] of text.matchAll(/npx grs (\w[\w-]*)/g)) {
      if (!commandTable.includes(`'${name}'`)) broken.push(`${page}: npx grs ${name}`);
    }
  }
  assertNone(broken, 'Commands that do not exist:');
  assert.match(read('README.md'), /npm ci && npm start/);
  assert.match(read('README.md'), /npm ci && npm test/);
});

test('docs: every decision that is referred to exists, and each number is used once', () => {
  const numbers = [...contractNumbers(), ...decisionFiles.map(numberOf)].sort((a, b) => a - b);
  assert.equal(new Set(numbers).size, numbers.length);
  const code = ['src', 'test', 'bench', 'tools', 'examples', 'deploy'].map(
    (folder) => `${folder}/**/*.{ts,sql,js,yaml,sh}`,
  );
  const files = [...globSync(code, { cwd: root }), ...pages];
  const references = files.flatMap((file) => decisionsIn(read(file)).map((number) => ({ file, number })));
  assert.ok(references.length > 30, `${references.length} references found`);
  assertNone(
    references.filter(({ number }) => !numbers.includes(number)).map(({ file, number }) => `${file}: ${number}`),
    'Decisions that neither docs/contract.md nor docs/decisions has:',
  );
});

test('docs: every link that names a decision leads to it', () => {
  const wrong = pages.flatMap((page) => {
    const links = [...proseOf(page).matchAll(/\[[Dd]ecision (\d+)\]\((?:[\w./]*\/)?(?:0*(\d+)-|contract\.md#(\d+)-)/g)];
    return links.flatMap(([link, named, file, section]) => (named === (file ?? section) ? [] : [`${page}: ${link}`]));
  });
  assertNone(wrong, 'Links to another decision than they name:');
});

test('docs: every decision file has its date, its state and all sections, and its row in the index', () => {
  const rows: string[] = [];
  for (const file of decisionFiles) {
    const text = read(`docs/decisions/${file}`);
    const [, number, title] = /^# (\d+)\. (.+)\n/.exec(text) ?? [];
    assert.equal(Number(number), numberOf(file), `${file}: the number of the title`);
    const [, date] = /^- Date: (\d{4}-\d\d-\d\d)$/m.exec(text) ?? assert.fail(`${file}: no date`);
    const [, state] = /^- State: (accepted|superseded by \d+)$/m.exec(text) ?? assert.fail(`${file}: no state`);
    const sections = [...text.matchAll(/^## (.+)$\n\n(?!#)./gm)].map(([, name]) => name);
    assert.deepEqual(sections, ['Context', 'Decision', 'Alternatives', 'Consequences'], `${file}: sections with text`);
    rows.push(`| ${number} | [${title}](${file}) | ${date} | ${state} |`);
  }
  assert.deepEqual(read('docs/decisions/README.md').match(/^\| \d+ .*$/gm), rows);
});

test('docs: references to several decisions are read one by one', () => {
  assert.deepEqual(
    decisionsIn('(decisions 15, 16)\n// decisions 28\n// and 29; decision 2, 400 of them'),
    [15, 16, 28, 29, 2],
  );
  assert.deepEqual(decisionsIn(' * (decisions 7–9 and\n * 12)'), [7, 8, 9, 12]);
});

test('docs: the hooks of hooks.md are those of examples/hooks', () => {
  const pasted = [...read('docs/hooks.md').matchAll(/^```ts\n(.*?)^```/gms)].map(([, text]) => text);
  assert.deepEqual(
    pasted,
    ['set-total', 'set-slug'].map((name) => read(`examples/hooks/${name}.ts`)),
  );
});

test('docs: the update action of update-actions.md is examples/actions/apply-discount.ts', () => {
  const pasted = /^```ts\n(.*?)^```/ms.exec(read('docs/update-actions.md'))?.[1];
  assert.equal(pasted, read('examples/actions/apply-discount.ts').replace(/^\/\*\*.*?\*\/\n/s, ''));
});

test('README: the tour is examples/tour.sh, line by line', () => {
  const section = /^## A tour .*?(?=^## )/ms.exec(read('README.md'))?.[0] ?? '';
  const pasted = [...section.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block]) => block).join('\n');
  const file = read('examples/tour.sh').split('\n').slice(4).join('\n');
  assert.equal(pasted, file);
});

test('docs: what is pasted into a terminal works in zsh, too', () => {
  const wrong: string[] = [];
  for (const page of pages.filter((file) => !file.startsWith('docs/decisions/'))) {
    for (const [, code] of read(page).matchAll(/^```sh.*\n(.*?)^```/gms)) {
      for (const line of code!.split('\n')) {
        // zsh has no comments unless it is told so, expands ? and [ ] in words, and reads <name> as a redirection.
        const unquoted = line.replaceAll(/'[^']*'|"[^"]*"/g, '""');
        if (/\S +#/.test(unquoted)) wrong.push(`${page}: a comment after a command: ${line}`);
        if (/^\w[^#'"]*(?:https?:\S*[?[]|<\w+>)/.test(unquoted)) wrong.push(`${page}: without quotes: ${line}`);
      }
    }
  }
  assertNone(wrong, 'Lines that fail in zsh:');
  for (const page of ['README.md', 'docs/getting-started.md']) {
    const [beforeComments = ''] = read(page).split(/^# .* → \d{3}$/m);
    assert.match(beforeComments, /^\[ -z "\$\{ZSH_VERSION-\}" \] \|\| setopt interactivecomments$/m, page);
  }
});

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { guides, reference } from '../site/navigation.ts';
import { createTestServer, type TestServer } from '../src/index.ts';
import { findTool } from './optional-tools.ts';

/** The guides of the documentation: every call gets the status that its comment promises. */
const docs = fileURLToPath(new URL('../docs/', import.meta.url));
const read = (page: string) => readFileSync(join(docs, page), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'grs-guides-'));
const missing = ['bash', 'curl'].find((tool) => findTool(tool) === undefined);
const skip = missing === undefined ? false : `${missing} is not here`;
if (skip) process.stdout.write(`guides by curl: skipped, ${skip}\n`);

let server: TestServer;
before(async () => {
  server = await createTestServer();
});
after(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

/** The code blocks of a page in a language; those marked to be skipped need another set-up. */
function blocksOf(page: string, language: string): readonly string[] {
  return [...read(page).matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(([, code]) => code!);
}

async function run(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const child = spawn(command, args, { cwd: folder, env: { ...process.env, ...env } });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text) => {
      output += text;
    });
  }
  await new Promise((resolve) => child.once('close', resolve));
  return output;
}

const [apiFunction = ''] = blocksOf('getting-started.md', 'sh');

/** What the token may do that a reader of the guides has: the one of the first page. */
const [, tokenOptions = ''] = /=\$\(npx grs token --project my-shop(.*)\)$/m.exec(read('getting-started.md')) ?? [];
const scopeOptions = [...tokenOptions.matchAll(/ --scope (\w+)/g)].map(([, name]) => `${name}:my-shop`);
const readersScope = scopeOptions.join(' ') || 'manage_project:my-shop';

for (const page of ['getting-started.md', 'model-your-data.md', 'editorial-workflow.md', 'events.md']) {
  test(`${page}: every call gets the status that its comment promises`, { skip }, async () => {
    // Types would hold for what other guides write.
    const project = page === 'model-your-data.md' ? 'modelled' : 'my-shop';
    const code = [apiFunction, ...blocksOf(page, 'sh')].join('\n').replaceAll('/my-shop/', `/${project}/`);
    const promised = [...code.matchAll(/^#.* → (\d{3})$/gm)].map(([, status]) => status);
    assert.equal(promised.length, [...code.matchAll(/^api /gm)].length, 'each call has its comment');
    assert.ok(promised.length > 5);
    const token = await server.token(readersScope.replaceAll(':my-shop', `:${project}`));
    const output = await run('bash', ['-c', code], { BASE: server.url, TOKEN: token });
    const got = [...output.matchAll(/^HTTP (\d{3})$/gm)].map(([, status]) => status);
    assert.deepEqual(got, promised, output);
  });
}

test('model-your-data.md: its queries find what it creates', { skip }, async () => {
  const code = [apiFunction, ...blocksOf('model-your-data.md', 'sh')].join('\n');
  const token = await server.token('manage_project:catalogue');
  const output = await run('bash', ['-c', code.replaceAll('/my-shop/', '/catalogue/')], {
    BASE: server.url,
    TOKEN: token,
  });
  const pages = output.split('\n').filter((line) => line.includes('"results"') && !line.includes('"paths"'));
  assert.deepEqual(
    pages.map((line) => JSON.parse(line).results.map(({ key }: { key: string }) => key)),
    [['shoe-2'], ['shoe-2'], ['shoe-2']],
  );
  const [first, , third] = pages.map((line) => JSON.parse(line));
  assert.equal(first.results[0].category.obj.key, 'category-shoes');
  assert.equal(third.facets.sizes.terms.length, 3);
  const versions = [...output.matchAll(/"version":(\d+),"key":"shoe-3"/g)].map(([, version]) => version);
  assert.deepEqual(versions, ['1', '1']);
});

test('migrating.md: what is mapped is loaded, what is refused is told, and both can be repeated', {
  skip,
}, async () => {
  const [code = ''] = blocksOf('migrating.md', 'ts');
  const [commands = ''] = blocksOf('migrating.md', 'sh');
  const lines = [
    ...Array.from({ length: 40 }, (_, index) => ({ id: `p-${index}`, key: `k${index}`, type: 'product', version: 7 })),
    { id: 'bad/../', type: 'product', objectTypeProperty: { arrayOfIntExample: ['a'] } },
  ];
  writeFileSync(join(folder, 'map.ts'), code);
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(folder, 'exported.ndjson'), `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`);
  const scope = 'manage_project:my-shop';
  // Instead of npx: the Node and the command of this checkout.
  const npx = 'npx() { if [ "$1" = node ]; then shift; "$NODE" "$@"; else shift; "$NODE" "$MAIN" "$@"; fi; }';
  const main = fileURLToPath(new URL('../src/main.js', import.meta.url));
  const env = { BASE: server.url, TOKEN: await server.token(scope), NODE: process.execPath, MAIN: main };
  for (const told of ['40 created', '40 unchanged']) {
    assert.match(
      await run('bash', ['-c', `${npx}\n${commands}`], env),
      new RegExp(`\\b${told}\\b.*\\b1 refused\\b`, 's'),
    );
    assert.match(readFileSync(join(folder, 'refused.ndjson'), 'utf8'), /^\{"line":41,"status":"refused"/);
  }
  const moved = await server.inject({ path: '/my-shop/resource/key=product-k3', scope });
  assert.deepEqual([moved.json.id, moved.json.version], ['p-3', 1]);
});

test('predicates.md: each predicate finds what the page says', async () => {
  const scope = 'manage_project:predicates';
  const [resources = ''] = blocksOf('predicates.md', 'json');
  for (const body of JSON.parse(resources) as readonly unknown[]) {
    const { status, text } = await server.inject({ method: 'PUT', path: '/predicates/resource', body, scope });
    assert.equal(status, 201, text);
  }
  const rows = [...read('predicates.md').matchAll(/^\| (`+)(.+?)\1 \| ((?:oak|pine|lamp|none)(?:, \w+)*) \|/gm)];
  assert.ok(rows.length > 25, String(rows.length));
  for (const [, , predicate = '', found = ''] of rows) {
    const query = new URLSearchParams({ where: predicate.trim(), sort: 'key' });
    const { json, text } = await server.inject({
      path: `/predicates/resource/sorted-query-parameters?${query}`,
      scope,
    });
    assert.equal(json.results?.map(({ key }: { key: string }) => key).join(', '), found, `${predicate}: ${text}`);
  }
});

test('site: the navigation has every page of docs, each once', () => {
  const named = [...guides, ...reference].map(({ link }) => link.slice(1));
  const pages = globSync('*.md', { cwd: docs }).map((file) => basename(file, '.md'));
  assert.deepEqual(named.toSorted(), [...pages.filter((page) => page !== 'index'), 'decisions/'].toSorted());
  for (const page of named)
    assert.ok(existsSync(join(docs, page.endsWith('/') ? `${page}README.md` : `${page}.md`)), page);
});

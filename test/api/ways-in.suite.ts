import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { png } from '../images/pictures.ts';
import { startTestApi, type TestRequest, type TestResponse } from '../start-test-api.ts';

/** What no document may hold, as a JavaScript value. */
const unstorable: readonly (readonly [what: string, text: string])[] = [
  ['a NUL', 'a\0b'],
  ['half of a surrogate pair', 'a\ud800b'],
];

/** What every document may hold, for the same requests: they are refused for nothing else. */
const harmless = 'ab';

const action = `export default {
  name: 'cutText', summary: 'Sets a text that JSON cannot carry to the service.', changes: 'fields', fields: {},
  apply: (own) => ({ ...own, NAME }),
};`;

const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
const json = (text: string) => JSON.stringify(text);
/** Half a pair as its own three bytes, as programs write it that do not know pairs. */
const percent = (text: string) => encodeURIComponent(text.replace('\ud800', 'HALF')).replace('HALF', '%ED%A0%80');
const csv = { 'content-type': 'text/csv' };
const ndjson = { 'content-type': 'application/x-ndjson' };

/** Requests that carry such a text, by the way in. `line`: the refusal is in a line of a response with 200. */
async function waysOf(
  project: string,
  text: string,
  at: number,
): Promise<ReadonlyMap<string, TestRequest & { line?: true }>> {
  const resource = `/${project}/resource`;
  const post = (body: unknown, path = resource) => ({ method: 'POST', path, body });
  const importOf = (body: string, headers = csv, query = '') => ({
    ...({ method: 'POST', path: `${resource}/import${query}`, headers, body, line: true } as const),
  });
  const setField = (path: string, value: string) => `{"action":"setField","path":${json(path)},"value":${value}}`;
  const update = (actions: string) => `{"version":1,"actions":[${actions}]}`;
  const picture = { method: 'POST', headers: { 'content-type': 'image/png' }, body: await png(2, 2) };
  const batchOf = (operation: string) => post(`{"operations":[${operation}]}`, `${resource}/batch`);
  return new Map<string, TestRequest & { line?: true }>([
    ['E6 value', post(`{"key":"k","a":${json(text)}}`)],
    ['E6 name', post(`{"key":"k",${json(text)}:1}`)],
    ['E6 key', post(`{"key":${json(text)}}`)],
    ['E7', { ...post(`{"key":"k","a":{"b":[${json(text)}]}}`), method: 'PATCH' }],
    ['E8', { ...post(`{"key":"k","a":${json(text)}}`), method: 'PUT' }],
    ['E9', post(`{"key":"k","a":${json(text)}}`, `${resource}/artificially-complex/path/uri-parameter-one=1/2`)],
    [
      'E9 query',
      post('{}', `${resource}/artificially-complex/path/uri-parameter-one=1/2?queryParameterTwo=${percent(text)}`),
    ],
    ['E9 path', post('{}', `${resource}/artificially-complex/path/uri-parameter-one=1/${percent(text)}`)],
    ['E10', post(update(setField('a', json(text))), `${resource}/key=there`)],
    ['E10 name', post(update(setField(text, '1')), `${resource}/key=there`)],
    ['E10 key', post(update(`{"action":"setKey","key":${json(text)}}`), `${resource}/key=there`)],
    ['E10 rename', post(update(`{"action":"renameField","from":"n","to":${json(text)}}`), `${resource}/key=there`)],
    [`an action of the operator`, post(update(`{"action":"cutText${at}"}`), `${resource}/key=there`)],
    [`an action of the operator, a name`, post(update(`{"action":"cutName${at}"}`), `${resource}/key=there`)],
    ['E13 sku', { ...picture, path: `${resource}/images?sku=${percent(text)}` }],
    ['E14', post(`{"lineItems":[{"name":${json(text)},"count":1}]}`, `${resource}/namespace-action`)],
    ['E18', { ...post(json(text), `${resource}/json-serializable-primitive-type`), method: 'PUT' }],
    ['batch', batchOf(`{"operation":"create","draft":{"a":${json(text)}}}`)],
    ['batch update', batchOf(`{"operation":"update","key":"there",${update(setField('a', json(text))).slice(1)}`)],
    ['CSV cell', importOf(`key,a\nk,${text}\n`)],
    ['CSV text', importOf(`key,a:string\nk,${text}\n`)],
    ['CSV list', importOf(`key,a:list\nk,x|${text}\n`)],
    ['CSV JSON', importOf(`key,a:json\nk,"[""${text}""]"\n`)],
    ['CSV dry run', importOf(`key,a\nk,${text}\n`, csv, '?dryRun=true')],
    ['CSV key', importOf(`key,a\n${text},1\n`)],
    ['CSV header', importOf(`key,${text}\nk,1\n`)],
    ['CSV header in backticks', importOf(`key,\`${text}\`\nk,1\n`)],
    ['NDJSON', importOf(`{"key":"k","a":${json(text)}}\n`, ndjson)],
    ['NDJSON name', importOf(`{"key":"k",${json(text)}:1}\n`, ndjson)],
    [
      'search settings',
      {
        ...post(`{"synonyms":[{"locale":"en","words":[${json(text)},"b"]}]}`, `/${project}/settings/search`),
        method: 'PUT',
      },
    ],
    ['subscription', post(`{"key":${json(text)},"url":"https://example.com/"}`, `/${project}/subscriptions`)],
    ['restore', post(`{"key":${json(text)}}`, `${resource}/deleted-one/restore`)],
  ]);
}

/** Documents beyond the limits, each by a way whose reader alone would let it through. */
const beyond: ReadonlyMap<string, TestRequest> = new Map(
  [
    [
      'CSV path and JSON that are deep together',
      `key,${Array.from({ length: 32 }, (_, n) => `p${n}`).join('.')}:json\nk,"${nested(40)}"\n`,
    ],
    ['CSV list with too many items', `key,a:list\nk,${'|'.repeat(100_000)}\n`],
  ].map(([name, body]) => [name!, { method: 'POST', path: '/gate/resource/import', headers: csv, body }]),
);

function isRefused(response: TestResponse, line: boolean | undefined): boolean {
  if (response.status === 400) return true;
  if (!line || response.status !== 200) return false;
  const [first] = response.text.split('\n').map((each) => (each === '' ? undefined : JSON.parse(each)));
  return first?.status === 'refused' || first?.error !== undefined || first?.summary?.refused > 0;
}

/** The one gate for documents: whichever way they come, what no document may hold is refused, and nothing suffers. */
export function waysInSuite(environment: Readonly<Record<string, string>>): void {
  test('what no document may hold is 400 by every way in; lists, searches and HEAD of all projects go on', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'grs-gate-'));
    after(() => rmSync(folder, { recursive: true, force: true }));
    for (const [at, text] of [...unstorable.map(([, each]) => each), harmless].entries()) {
      for (const [name, member] of [
        [`cutText${at}`, `a: ${JSON.stringify(text)}`],
        [`cutName${at}`, `${JSON.stringify(text)}: 1`],
      ] as const) {
        writeFileSync(join(folder, `${name}.js`), action.replace('cutText', name).replace('NAME', member));
      }
    }
    const api = await startTestApi({ ACTIONS_DIR: folder, ...environment });
    after(() => api.close());
    const call = (request: TestRequest) =>
      api.call({ scope: `manage_project:${request.path.split('/')[1]}`, ...request });
    const seed = async (project: string) => {
      const path = `/${project}/resource`;
      for (const body of ['{"key":"there","n":1}', '{"id":"deleted-one"}']) {
        assert.equal((await call({ method: 'POST', path, body })).status, 201);
      }
      await call({ method: 'DELETE', path: `${path}/deleted-one` });
    };
    for (const [at, way] of [...(await waysOf('', harmless, unstorable.length)).keys()].entries()) {
      await seed(`harmless-${at}`);
      const { line, ...request } = (await waysOf(`harmless-${at}`, harmless, unstorable.length)).get(way)!;
      const response = await call(request);
      assert.ok(response.status < 300 && !isRefused(response, line), `${way}: ${response.status} ${response.text}`);
    }
    await seed('gate');
    await api.call({ method: 'POST', path: '/other/resource', body: { key: 'there', n: 1, name: { en: 'shoe' } } });
    const state = async () =>
      Promise.all(
        ['', '/images?limit=5', '/namespace-action', '/deleted'].map(async (path) => {
          const { status, text } = await call({ path: `/gate/resource${path}` });
          return [path, status, text];
        }),
      );
    const before = await state();
    for (const [at, [what, text]] of unstorable.entries()) {
      for (const [way, { line, ...request }] of await waysOf('gate', text, at)) {
        // In UTF-8 without escapes there is no half of a pair.
        if (typeof request.body === 'string' && !request.body.isWellFormed()) continue;
        const response = await call(request);
        assert.ok(isRefused(response, line), `${way} with ${what}: ${response.status} ${response.text}`);
        assert.deepEqual(await state(), before, `${way} with ${what}`);
      }
    }
    for (const [way, request] of beyond) {
      const response = await call(request);
      assert.ok(isRefused(response, true), `${way}: ${response.status} ${response.text}`);
      assert.deepEqual(await state(), before, way);
    }
    const half = Array.from({ length: 50_001 }, (_, n) => n % 7);
    const many = await call({ method: 'POST', path: '/gate/resource', body: { a: half, b: { c: [half] } } });
    assert.equal(many.status, 400, many.text);
    assert.match(many.json.message, /expected at most 100000 values, in all arrays and objects together/);
    assert.deepEqual(await state(), before);
    for (const project of ['gate', 'other']) {
      assert.equal((await api.call({ method: 'HEAD', path: `/${project}/resource?integerParameter=6` })).status, 404);
      const list = await api.call({ path: `/${project}/resource/sorted-query-parameters?where=n%20%3D%201` });
      assert.deepEqual([list.status, list.json.total], [200, 1]);
      assert.equal((await api.call({ path: `/${project}/resource/searchApiPattern?text.en=shoe` })).status, 200);
    }
  });

  test('a path in each form leads to the same field in writes, conditions, sorts, facets, selections and CSV', async () => {
    const api = await startTestApi(environment);
    after(() => api.close());
    const paths: readonly (readonly [path: string, key: string])[] = [
      ['plain.inner', 'a'],
      ['meta.`custom.material`', 'b'],
      ['`it``s`.`größe in cm`', 'c'],
      ['`a[0]`.`x:y`', 'd'],
      ['`line\nend`.`\t`', 'e'],
      ['`quoted"name`.` `', 'f'],
    ];
    const resource = '/paths/resource';
    for (const [path, key] of paths) {
      await api.call({ method: 'POST', path: resource, body: { key } });
      const actions = [
        { action: 'setField', path, value: 7 },
        { action: 'setField', path: `${path}2`.replace(/`2$/, '2`'), value: 'from' },
        { action: 'renameField', from: `${path}2`.replace(/`2$/, '2`'), to: 'moved' },
      ];
      const { status, text } = await api.call({
        ...{ method: 'POST', path: `${resource}/key=${key}`, body: { version: 1, actions } },
      });
      assert.equal(status, 200, text);
    }
    const list = async (query: Readonly<Record<string, string>>, path = 'sorted-query-parameters') => {
      const { status, text, json } = await api.call({ path: `${resource}/${path}?${new URLSearchParams(query)}` });
      assert.equal(status, 200, text);
      return json;
    };
    const keys = ({ results }: { results: { key: string }[] }) => results.map(({ key }) => key);
    for (const [path, key] of paths) {
      assert.deepEqual(keys(await list({ where: `${path} = 7` })), [key], path);
      assert.equal(keys(await list({ sort: `${path} asc` }))[0], key, path);
      assert.equal(keys(await list({ expand: path, limit: '0' })).length, 0);
      const { key: _, id, version, ...selected } = (await list({ where: `key = "${key}"`, fields: path })).results[0];
      assert.match(JSON.stringify(selected), /^\{[^{]*:\{[^{]*:7\}\}$/, path);
      const found = await list({ 'filter.query': `${path}:7`, facet: `${path} as one` }, 'searchApiPattern');
      assert.deepEqual(keys(found), [key], path);
      assert.match(JSON.stringify(found.facets.one), /7/);
      const excluded = { excludedPaths: [path] };
      const put = { method: 'PUT', path: '/paths/settings/search', body: excluded, scope: 'manage_project:paths' };
      assert.ok((await api.call(put)).status < 300, path);
    }
    // An empty name, which only conditions and CSV can have.
    for (const query of [{ where: '``.`` = 1' }, { sort: '``' }, { fields: '``' }]) await list(query);
    const exported = await api.call({ path: `${resource}/export?format=csv` });
    const copy = { method: 'POST', path: '/copy/resource/import', headers: csv, body: exported.text };
    assert.equal(JSON.parse((await api.call(copy)).text.trimEnd().split('\n').at(-1)!).created, paths.length);
    const valuesOf = async (project: string) => {
      const { text } = await api.call({ path: `/${project}/resource/export` });
      const documents = text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
      return documents.map(({ version, createdAt, lastModifiedAt, ...values }) => values);
    };
    assert.deepEqual(await valuesOf('copy'), await valuesOf('paths'));
  });
}

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { JsonObject, JsonValue } from '../../src/contract/json.ts';
import type { PatchOperation } from '../../src/domain/history/json-patch.ts';
import { parseStoredJson, stringifyJson } from '../../src/domain/json/parse.ts';
import { jsonEquals } from '../../src/domain/json/values.ts';
import { applied } from '../domain/history/apply-patch.ts';
import { openResources } from './open-resources.ts';

const { send, get } = await openResources();

/** What a resource answered in each of its versions, since it was created anew under its id. */
interface Known {
  exists: boolean;
  readonly versions: Map<number, { readonly current: string; readonly staged: string }>;
}

const value = fc.constantFrom(
  '1',
  '9007199254740993',
  '"x"',
  '[1,2,3]',
  '[1,3]',
  '{"a":1,"b":[]}',
  '{"b":[],"a":1}',
  '{}',
);
const name = fc.constantFrom('a', 'b', '7', 'c/d~e', '__proto__');
const operation = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('set' as const), name, value, staged: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('put' as const, 'merge' as const), name, value }) },
  fc.record({ kind: fc.constantFrom('publish' as const, 'revert' as const, 'touch' as const, 'delete' as const) }),
  fc.record({ kind: fc.constantFrom('restore' as const, 'unset' as const), version: fc.nat(1000), name }),
  fc.record({ kind: fc.constantFrom('forget' as const, 'key' as const), name }),
);
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never;

const actionOf = (step: Operation, known: Known): string | undefined => {
  const versions = [...known.versions.keys()];
  switch (step.kind) {
    case 'set':
      return `{"action":"setField","path":"${step.name}","value":${step.value},"staged":${step.staged}}`;
    case 'unset':
      return `{"action":"setField","path":"${step.name}"}`;
    case 'key':
      return `{"action":"setKey","key":"${step.name}-${versions.length}"}`;
    case 'publish':
      return '{"action":"publish"}';
    case 'revert':
      return '{"action":"revertStagedChanges"}';
    case 'touch':
      return '{"action":"doSomeThing"}';
    case 'restore':
      return `{"action":"restore","version":${versions[step.version % versions.length]}}`;
    default:
      return undefined;
  }
};

/** Carries out one step on a resource; returns whether it began anew. */
async function take(path: string, project: string, step: Operation, known: Known): Promise<boolean> {
  const id = path.split('/').at(-1);
  const draft = 'value' in step ? `{"id":"${id}","${step.name}":${step.value}}` : `{"id":"${id}"}`;
  if (!known.exists) {
    if (step.kind === 'forget') {
      const { status } = await send('DELETE', `${path}/history`);
      assert.ok(status === 200 || status === 404);
      return true;
    }
    if (step.kind === 'restore') {
      const { status } = await send('POST', `${path}/restore`);
      assert.equal(status, known.versions.size > 0 ? 201 : 404);
      return false;
    }
    assert.equal((await send('PUT', `/${project}/resource`, draft)).status, 201);
    return true;
  }
  if (step.kind === 'put' || step.kind === 'merge') {
    assert.equal((await send(step.kind === 'put' ? 'PUT' : 'PATCH', `/${project}/resource`, draft)).status, 201);
  } else if (step.kind === 'delete') assert.equal((await send('DELETE', path)).status, 200);
  else {
    const action = actionOf(step, known);
    if (action === undefined) return false;
    const { status, text } = await send(
      'POST',
      path,
      `{"version":${Math.max(...known.versions.keys())},"actions":[${action}]}`,
    );
    assert.equal(status, 200, text);
  }
  return false;
}

async function note(path: string, known: Known): Promise<void> {
  const [current, staged] = [await get(path), await get(`${path}?staged=true`)];
  known.exists = current.status === 200;
  if (known.exists) known.versions.set(current.json.version, { current: current.text, staged: staged.text });
}

async function check(path: string, { versions }: Known): Promise<void> {
  for (const [version, { current, staged }] of versions) {
    assert.equal((await get(`${path}?version=${version}`)).text, current);
    assert.equal((await get(`${path}?version=${version}&staged=true`)).text, staged);
  }
  if (versions.size === 0) return;
  const { text } = await get(`${path}/history?diff=true&oldValues=true&limit=500`);
  const { results } = parseStoredJson(text) as unknown as { results: readonly JsonObject[] };
  for (const entry of results) {
    const { version, type, diff } = entry as unknown as {
      version: number;
      type: string;
      diff?: Record<string, PatchOperation[]>;
    };
    if (type === 'deleted') continue;
    const [before, after] = [versions.get(version - 1), versions.get(version)];
    if (type === 'created') assert.ok(jsonEquals(diff!.current![0]!.value, parsed(after!.current)));
    else if (diff!.current![0]?.path !== '') {
      assert.ok(jsonEquals(applied(parsed(before!.current), diff!.current!), parsed(after!.current)));
      const staged = diff!.staged ?? diff!.current!;
      assert.ok(
        jsonEquals(applied(parsed(before!.staged), staged), parsed(after!.staged)),
        stringifyJson(diff as never),
      );
    }
    // What is older belongs to another resource of this id.
    if (type === 'created') break;
  }
}

const parsed = (text: string): JsonValue => parseStoredJson(text);

test('whatever is done to resources, each version that was there is read back to the byte, and patches lead to it', async () => {
  let run = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(fc.nat(1), operation), { minLength: 10, maxLength: 40 }), async (steps) => {
      run += 1;
      const project = `m${run}`;
      const resources = [0, 1].map((): Known => ({ exists: false, versions: new Map() }));
      for (const [which, step] of steps) {
        const known = resources[which]!;
        const path = `/${project}/resource/r${which}`;
        if (await take(path, project, step, known)) known.versions.clear();
        await note(path, known);
      }
      for (const [which, known] of resources.entries()) await check(`/${project}/resource/r${which}`, known);
    }),
    { numRuns: 8 },
  );
});

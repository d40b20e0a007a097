import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseStoredJson, stringifyJson } from '../../../src/domain/json/parse.ts';
import type { Change, Documents, ResourceRecord } from '../../../src/domain/ports/resource-store.ts';
import { documentsOfRequest, indexRequestOf } from '../../../src/storage/index/index-request.ts';

const long = 'linen cotton wool '.repeat(5000);
const documents = (current: string, staged?: string) =>
  ({ current: parseStoredJson(current), ...(staged && { staged: parseStoredJson(staged) }) }) as unknown as Documents;
const textsOf = (found: Documents | undefined) =>
  found && [stringifyJson(found.current), found.staged && stringifyJson(found.staged)];

const whole = `{"id":"a","version":1,"big":12345678901234567890,"text":"${long}","brand":"one","gone":[1]}`;
const next = `{"id":"a","version":2,"text":"${long}","big":12345678901234567891,"brand":"two","more":{}}`;

test('a thread that indexes gets the documents of a change byte for byte, without the unchanged text a second time', () => {
  for (const [before, after] of [
    [documents(whole), documents(next)],
    [documents(whole, next), documents(next)],
    [documents(whole), documents(next, whole)],
    [documents(whole, whole), documents(next, next)],
  ] as const) {
    const record = {
      projectKey: 'p',
      ...Object.fromEntries(Object.entries(after).map(([k, v]) => [k, stringifyJson(v)])),
    };
    const change = { kind: 'update', before, after, next: record as unknown as ResourceRecord } as unknown as Change;
    const { projectKey, ...request } = structuredClone(indexRequestOf(change));
    assert.equal(projectKey, 'p');
    const found = documentsOfRequest(request);
    assert.deepEqual(textsOf(found.before), textsOf(before));
    assert.deepEqual(textsOf(found.after), textsOf(after));
    if (!before.staged || after.staged) assert.ok(request.replaced!.length < 1000, 'only what was replaced');
    if (!before.staged) assert.equal(found.before!.current.text, found.after!.current.text);
  }
});

test('of a creation and of a deletion it gets the one document that there is', () => {
  const only = documents(whole, next);
  const deletion = { kind: 'delete', projectKey: 'p', id: 'a', before: only } as unknown as Change;
  const gone = documentsOfRequest(structuredClone(indexRequestOf(deletion)));
  assert.deepEqual([textsOf(gone.before), gone.after], [textsOf(only), undefined]);
  const record = { projectKey: 'p', current: whole, staged: next };
  const creation = { kind: 'create', next: record, after: only } as unknown as Change;
  const made = documentsOfRequest(structuredClone(indexRequestOf(creation)));
  assert.deepEqual([made.before, textsOf(made.after)], [undefined, textsOf(only)]);
});

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestApi, type TestApi } from '../start-test-api.ts';

/** Texts of more words than a resource has: questions, sentences, whole paragraphs. */

let api: TestApi;
before(async () => {
  api = await startTestApi();
  const words = ['aluminium', 'bicycle', 'camping', 'dynamo', 'electric', 'foldable'];
  // The later a word, the fewer have it.
  const drafts = Array.from({ length: 40 }, (_, n) => ({
    key: `r${n}`,
    name: { en: words.filter((_word, at) => n % (at + 2) === 0).join(' ') || 'nothing of it' },
    description: { en: n % 2 === 0 ? 'A thing for people who travel.' : 'A thing for the house.' },
  }));
  for (const body of drafts) {
    const { status, text } = await api.call({ method: 'POST', path: '/q/resource', body });
    assert.equal(status, 201, text);
  }
});
after(() => api.close());

async function ask(text: string, more: Readonly<Record<string, string>> = {}) {
  const body = new URLSearchParams({ 'text.en': text, ...more });
  const { status, json } = await api.call({
    ...{ method: 'POST', path: '/q/resource/searchApiPattern', body: String(body) },
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  assert.equal(status, 200, JSON.stringify(json));
  return json;
}

const question = 'Where can I find a foldable electric bicycle with a dynamo for camping?';
const keysOf = ({ results }: { readonly results: readonly { readonly key: string }[] }) =>
  results.map(({ key }) => key);

test('a question finds what has any of its words, most of their weight first', async () => {
  const found = await ask(question, { limit: '40', explain: 'true' });
  assert.equal(found.match.rung, 'any');
  assert.equal(found.total, found.match.totals.any);
  assert.ok(found.match.totals.any > found.match.totals.most);
  const explanations = found.results.map(({ id }: { id: string }) => found.explanations[id]);
  assert.ok(explanations.every(({ rung }: { rung: string }) => rung === 'all' || rung === 'any'));
  const scores = explanations.map(({ score }: { score: number }) => score);
  assert.deepEqual(
    scores,
    scores.toSorted((a: number, b: number) => b - a),
  );
  // All six words but one.
  assert.equal(keysOf(found)[0], 'r0');
});

test('match=any takes that rung alone; match=most and match=all never do', async () => {
  const any = await ask(question, { match: 'any', limit: '0' });
  assert.deepEqual(Object.keys(any.match.totals), ['any']);
  const most = await ask(question, { match: 'most', limit: '0' });
  assert.deepEqual(Object.keys(most.match.totals), ['most']);
  assert.ok(most.total < any.total);
  assert.equal((await ask(question, { match: 'all', limit: '0' })).total, 0);
});

test('pages of a question follow each other without a gap or a repeat, although words were written meanwhile', async () => {
  const whole = keysOf(await ask(question, { limit: '40' }));
  const pages: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await ask(question, { limit: '7', ...(cursor && { cursor }) });
    pages.push(...keysOf(page));
    cursor = page.next;
    const draft = { key: `more${pages.length}`, name: { en: 'dynamo dynamo' } };
    const { json } = await api.call({ method: 'POST', path: '/q/resource', body: draft });
    await api.call({ method: 'DELETE', path: `/q/resource/${json.id}?version=1` });
  } while (cursor);
  assert.deepEqual(pages, whole);
});

test('of more than 64 words the heaviest count, on every page; the response names the others', async () => {
  const rest = Array.from({ length: 80 }, (_, n) => `unknown${String.fromCharCode(97 + (n % 26))}${n}`);
  const text = [...rest.slice(0, 70), 'dynamo', 'foldable', 'travel', ...rest.slice(70)].join(' ');
  const first = await ask(text, { limit: '3' });
  assert.equal(first.match.ignored.length, 83 - 64);
  assert.ok(['dynamo', 'foldable', 'travel'].every((word) => !first.match.ignored.includes(word)));
  const { explanations, results } = await ask(text, { limit: '1', explain: 'true' });
  assert.equal(explanations[results[0].id].words.length, 64);
  const all = keysOf(await ask(text, { limit: '40' }));
  assert.deepEqual(keysOf(await ask(text, { limit: '3', cursor: first.next })), all.slice(3, 6));
  assert.equal((await ask('dynamo foldable')).match.ignored, undefined);
});

test('a word that is asked for twice counts twice', async () => {
  const once = await ask('dynamo bicycle travel house', { explain: 'true', limit: '1' });
  const twice = await ask('dynamo bicycle travel house dynamo', { explain: 'true', limit: '1' });
  const weightIn = ({ explanations, results }: { explanations: object; results: readonly { id: string }[] }) =>
    (Object.entries(explanations).find(([id]) => id === results[0]!.id)![1] as { words: { weight: number }[] })
      .words[0]!.weight;
  assert.equal(weightIn(twice), 2 * weightIn(once));
});

test('a text may be as long as a URL', async () => {
  assert.ok((await ask('dynamo '.repeat(1000))).total > 0);
  const body = String(new URLSearchParams({ 'text.en': 'a'.repeat(8193) }));
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const { status, json } = await api.call({ method: 'POST', path: '/q/resource/searchApiPattern', body, headers });
  assert.equal(status, 400);
  assert.match(json.message, /text\.en: expected at most 8192 bytes, not 8193/);
});

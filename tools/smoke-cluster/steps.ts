import assert from 'node:assert/strict';
import type { SmokeAnswer, SmokeFetch } from './service.ts';

/** What is tried in each project, in this order. A step throws where a response is wrong. */
interface Step {
  readonly name: string;
  readonly run: (call: Call, project: string) => Promise<void>;
}

type Call = (method: string, path: string, body?: unknown) => Promise<SmokeAnswer>;

export interface StepResult {
  readonly name: string;
  /** ms of each request. */
  readonly times: readonly number[];
  readonly failures: readonly string[];
}

const resources = 5;
const numbers = Array.from({ length: resources }, (_, n) => n);
const isEven = encodeURIComponent('even = true');
const colours = ['crimson', 'turquoise'];

const draft = (project: string, n: number) => ({
  ...{ id: `r-${n}`, key: `key-w${n}`, project, rank: n, even: n % 2 === 0 },
  ...{ big: 900_719_925_474 + n, name: { en: `A ${colours[n % 2]} lantern`, de: 'Eine Laterne' } },
  ...{ note: { en: 'Ordered from Miller' }, fit: { uk: n % 2 === 0 ? 'snug' : 'roomy' } },
});

/** No project sees what is another's. */
function assertOwn({ json }: SmokeAnswer, project: string, ids: readonly string[]): void {
  assert.deepEqual(
    json.results.map(({ id }: { id: string }) => id),
    ids,
  );
  for (const each of json.results) assert.equal(each.project, project);
}

const steps: readonly Step[] = [
  {
    name: 'create',
    async run(call, project) {
      const answers = await Promise.all(numbers.map((n) => call('POST', '/resource', draft(project, n))));
      for (const { status, json } of answers) assert.deepEqual([status, json.version], [201, 1]);
    },
  },
  {
    name: 'read by id and key',
    async run(call, project) {
      for (const path of ['/resource/r-3', '/resource/key=key-w3']) {
        const { status, json } = await call('GET', path);
        assert.deepEqual([status, json.id, json.project, json.rank], [200, 'r-3', project, 3]);
      }
    },
  },
  {
    name: 'update, and a stale one',
    async run(call) {
      const body = { version: 1, actions: [{ action: 'changeSomeProperty', someProperty: 'changed' }] };
      const { status, json } = await call('POST', '/resource/r-1', body);
      assert.deepEqual([status, json.version], [200, 2]);
      assert.equal((await call('POST', '/resource/r-1', body)).status, 409);
      const merged = await call('PATCH', '/resource', { id: 'r-2', size: { width: 3 } });
      assert.deepEqual([merged.status, merged.json.version], [201, 2]);
    },
  },
  {
    name: 'list, sort, exists',
    async run(call, project) {
      const path = `/resource/sorted-query-parameters?where=${isEven}`;
      assertOwn(await call('GET', `${path}&sort=rank+desc`), project, ['r-4', 'r-2', 'r-0']);
      assertOwn(await call('GET', `/resource?sort=id&limit=2&offset=1`), project, ['r-1', 'r-2']);
      assert.equal((await call('HEAD', `/resource?where=${isEven}`)).status, 200);
      assert.equal((await call('HEAD', `/resource?where=${encodeURIComponent('rank > 99')}`)).status, 404);
    },
  },
  {
    name: 'search, fuzzy, facets',
    async run(call, project) {
      const path = '/resource/searchApiPattern?sort=id';
      assertOwn(await call('GET', `${path}&text.en=turquoise`), project, ['r-1', 'r-3']);
      const fuzzy = await call('GET', `${path}&text.en=lantren&fuzzy=true&facet=even`);
      assert.equal(fuzzy.json.total, resources);
      assert.equal(Object.keys(fuzzy.json.facets).length, 1);
    },
  },
  {
    name: 'typing, keys, suggestions',
    async run(call, project) {
      const path = '/resource/searchApiPattern?sort=id';
      assertOwn(await call('GET', `${path}&text.en=turq&prefix=true`), project, ['r-1', 'r-3']);
      assertOwn(await call('GET', `${path}&text.en=key-w4`), project, ['r-4']);
      const { json } = await call('GET', '/resource/suggestions?text.en=crimson+lan');
      assert.deepEqual(json.suggestions, [{ text: 'crimson lantern', word: 'lantern', count: 3 }]);
      const typo = await call('GET', '/resource/suggestions?text.en=crimsn+lan');
      assert.equal(typo.json.didYouMean, 'crimson lan');
    },
  },
  {
    name: 'search by settings',
    async run(call, project) {
      const rules = { weights: { name: 3 }, excludedPaths: ['note'], types: { fit: 'plain' } };
      assert.equal((await call('PUT', '/settings/search', { version: 0, ...rules })).status, 200);
      const path = '/resource/searchApiPattern?sort=id';
      assertOwn(await call('GET', `${path}&text.en=turquoise&facet=even`), project, ['r-1', 'r-3']);
      assertOwn(await call('GET', `${path}&text.en=miller`), project, []);
      assertOwn(await call('GET', `${path}&text.en=snug`), project, ['r-0', 'r-2', 'r-4']);
      const ranked = await call('GET', '/resource/searchApiPattern?text.en=snug+turquoise&match=most&explain=true');
      assert.equal(ranked.json.results.length, resources);
    },
  },
  {
    name: 'delete',
    async run(call) {
      assert.equal((await call('DELETE', '/resource/r-0?version=1')).status, 200);
      assert.equal((await call('GET', '/resource/r-0')).status, 404);
      assert.equal((await call('GET', `/resource/sorted-query-parameters?where=${isEven}`)).json.total, 2);
    },
  },
];

/** Runs the steps one after the other, each in all projects at once. */
export async function runSteps(request: SmokeFetch, projects: readonly string[]): Promise<readonly StepResult[]> {
  const results: StepResult[] = [];
  for (const { name, run } of steps) {
    const times: number[] = [];
    const failures: string[] = [];
    const runIn = async (project: string) => {
      const call: Call = async (method, path, body) => {
        const begun = performance.now();
        const answer = await request({ project, method, path, body });
        times.push(performance.now() - begun);
        return answer;
      };
      await run(call, project).catch((error: Error) => failures.push(`${project}: ${firstLines(error.message)}`));
    };
    await Promise.all(projects.map(runIn));
    results.push({ name, times, failures });
  }
  return results;
}

function firstLines(text: string): string {
  return text.split('\n').filter(Boolean).slice(0, 8).join(' ');
}

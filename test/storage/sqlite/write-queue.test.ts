import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import type { Operation } from '../../../src/storage/sqlite/write/messages.ts';
import { costOf, createWriteQueue, maxCostUnderWay } from '../../../src/storage/sqlite/write/write-queue.ts';

/** The creation of a resource of about so many characters; its terms come with it. */
function creation(projectKey: string, id: string, characters: number): Operation {
  const text = 'x'.repeat(characters);
  return [
    'create',
    [projectKey, id, null, 1, '', '', text, null, '[]'],
    ['', '', '', ''],
    null,
  ] as unknown as Operation;
}

function idOf(operation: Operation): string {
  return operation[0] === 'group' ? idOf(operation[1][0]!) : (operation[1] as readonly string[])[1]!;
}

/** Changes of a batch or an import, of so many characters together. */
const group = (projectKey: string, id: string, characters: number) =>
  ['group', [creation(projectKey, id, characters)]] as unknown as Operation;

const large = maxCostUnderWay + 1;

/** A queue whose operations are under way until they are settled by hand. */
function openQueue() {
  const sent: string[] = [];
  const underWay = new Map<string, { readonly cost: number; readonly settled: () => void }>();
  const queue = createWriteQueue((operation) => void sent.push(idOf(operation)));
  return {
    ...{ sent, underWay, queue },
    add: (operation: Operation) =>
      queue.add(operation, (settled) => underWay.set(idOf(operation), { cost: costOf(operation), settled })),
    /** The results of a commit have come. */
    async settle(...ids: readonly string[]): Promise<readonly string[]> {
      const before = sent.length;
      for (const id of ids) {
        underWay.get(id)!.settled();
        underWay.delete(id);
      }
      await turn();
      return sent.slice(before);
    },
  };
}

describe('The queue in front of the writer', () => {
  test('lets what is within the bound pass at once, in its order', () => {
    const { add, sent, queue } = openQueue();
    for (let at = 0; at < 100; at += 1) add(creation('a', `${at}`, 1000));
    assert.deepEqual(sent, [...Array(100).keys()].map(String));
    assert.equal(queue.size, 0);
  });

  test('sends a large write alone, after the small ones that wait and before those that come later', async () => {
    const { add, sent, settle } = openQueue();
    for (const id of ['h1', 'h2', 'h3']) add(creation('heavy', id, large));
    assert.deepEqual(sent, ['h1']);
    for (const id of ['s1', 's2']) add(creation('light', id, 1000));
    add(creation('other', 's3', 1000));
    assert.deepEqual(sent, ['h1'], 'the commit of the large one has only this');
    assert.deepEqual(await settle('h1'), ['s1', 's3', 's2']);
    add(creation('light', 's4', 1000));
    assert.deepEqual(await settle('s1', 's2'), [], 'h2 has its turn when the small ones are done');
    assert.deepEqual(await settle('s3'), ['h2']);
    assert.deepEqual(await settle('h2'), ['s4']);
    assert.deepEqual(await settle('s4'), ['h3']);
  });

  test('of large documents one waits for the terms of the other; what has none passes meanwhile', async () => {
    const { add, sent, queue, settle } = openQueue();
    const withTerms = (projectKey: string, id: string, terms = maxCostUnderWay / 2 + 1) => [
      'create',
      [projectKey, id, null, 1, '', '', 'text', null, '[]'],
      ['', '', '', 'x'.repeat(terms), []],
      null,
      null,
    ];
    for (const id of ['h1', 'h2', 'h3']) add(withTerms('heavy', id) as unknown as Operation);
    add(withTerms('other', 'h4') as unknown as Operation);
    add(creation('light', 's1', 1000));
    await turn();
    assert.deepEqual(sent, ['h1', 's1']);
    assert.deepEqual(await settle('h1'), [], 'committed, but not indexed');
    add(creation('light', 's2', 1000));
    await turn();
    assert.deepEqual(sent, ['h1', 's1', 's2']);
    add(creation('heavy', 's3', 1000));
    await turn();
    assert.deepEqual(sent, ['h1', 's1', 's2', 's3'], 'so does what has none in the same project');
    queue.indexed();
    await turn();
    assert.deepEqual(sent.slice(4), ['h2'], 'those with terms keep their order');
    assert.deepEqual(await settle('h2', 's1', 's2', 's3'), []);
    add(group('light', 'group', large));
    queue.indexed();
    await turn();
    assert.equal(sent.at(-1), 'h4', 'the projects take turns');
    assert.deepEqual(await settle('h4'), []);
    queue.indexed();
    await turn();
    assert.equal(sent.at(-1), 'h3');
    assert.deepEqual(await settle('h3'), [], 'a large group waits for them as well');
    queue.indexed();
    await turn();
    assert.equal(sent.at(-1), 'group');
  });

  test('the projects take turns where more waits than may be under way', async () => {
    const { add, sent, settle } = openQueue();
    const third = Math.floor(maxCostUnderWay / 3) - 100;
    for (let at = 0; at < 9; at += 1) add(creation('a', `a${at}`, third));
    for (let at = 0; at < 3; at += 1) add(creation('b', `b${at}`, third));
    assert.deepEqual(sent, ['a0', 'a1', 'a2']);
    assert.deepEqual(await settle('a0', 'a1', 'a2'), ['a3', 'b0', 'a4']);
    assert.deepEqual(await settle('a3', 'b0', 'a4'), ['b1', 'a5', 'b2']);
    assert.deepEqual(await settle('b1', 'a5', 'b2'), ['a6', 'a7', 'a8']);
  });

  test('two groups are under way, and the projects take turns in them; single writes do not wait for the others', async () => {
    const { add, sent, queue, settle } = openQueue();
    const third = Math.floor(maxCostUnderWay / 12);
    for (const id of ['a1', 'a2', 'a3', 'a4']) add(group('a', id, third));
    add(group('b', 'b1', third));
    assert.deepEqual(sent, ['a1', 'a2']);
    assert.equal(queue.size, 3);
    add(creation('a', 'single', 1000));
    assert.equal(sent.at(-1), 'single');
    assert.deepEqual(await settle('single'), []);
    assert.deepEqual(await settle('a1'), ['b1']);
    assert.deepEqual(await settle('a2'), ['a3']);
    assert.deepEqual(await settle('a3', 'b1'), ['a4']);
    add(group('a', 'large', large));
    assert.equal(sent.at(-1), 'large', 'nothing else is under way but a group');
    add(creation('b', 'late', 1000));
    assert.deepEqual(await settle('a4'), [], 'a large group is committed alone, as any other large write');
    assert.deepEqual(await settle('large'), ['late']);
  });

  test('counts the texts and terms of an operation; statements and requests to catch up cost next to nothing', () => {
    const response = ['scope', 'hash', 200, '{}', 'body', 1] as const;
    assert.ok(costOf(['catchUp']) < 200);
    assert.ok(costOf(['response', response]) < 200);
    assert.ok(costOf(['statements', [{ sql: 'DELETE', params: ['a', 1] }]]) < 200);
    const withTerms = ['delete', 'p', 'i', ['x'.repeat(5000), '', '', ''], null, 1] as unknown as Operation;
    assert.ok(costOf(withTerms) >= 5000);
    const without = ['create', ['p', 'i', null, 1, '', '', 'x'.repeat(5000), null, ''], null, null];
    assert.ok(costOf(without as unknown as Operation) >= 4 * 5000, 'the writer makes the terms');
  });

  test('sends all that waits at the end', () => {
    const { add, sent, queue } = openQueue();
    for (const id of ['h1', 'h2']) add(creation('heavy', id, large));
    add(creation('light', 's1', 1000));
    queue.flush();
    assert.deepEqual(sent.toSorted(), ['h1', 'h2', 's1']);
    assert.equal(queue.size, 0);
  });

  test('whatever comes: each is sent once, in the order of its project, within the bound, and a small one waits for one large one', async () => {
    const size = fc.oneof(fc.integer({ min: 1, max: 2000 }), fc.constant(400_000), fc.constant(large));
    const arrivals = fc.array(fc.record({ project: fc.constantFrom('a', 'b', 'c', 'd'), size, settles: fc.nat(3) }), {
      maxLength: 60,
    });
    await fc.assert(
      fc.asyncProperty(arrivals, async (all) => {
        const { add, sent, underWay, queue, settle } = openQueue();
        const ids: string[] = [];
        const arrivedAt = new Map<string, number>();
        const check = () => {
          const costs = [...underWay.values()].map(({ cost }) => cost);
          const sum = costs.reduce((total, cost) => total + cost, 0);
          assert.ok(sum <= maxCostUnderWay || costs.length === 1, costs.join());
        };
        const settleSome = async (count: number) => {
          await settle(...[...underWay.keys()].slice(0, count));
          check();
        };
        for (const [at, each] of all.entries()) {
          const id = `${each.project}${at}${each.size === large ? '!' : ''}`;
          ids.push(id);
          arrivedAt.set(id, sent.length);
          add(creation(each.project, id, each.size));
          check();
          if (each.settles > 0) await settleSome(each.settles);
        }
        while (queue.size > 0 || underWay.size > 0) await settleSome(1);
        assert.deepEqual(sent.toSorted(), ids.toSorted());
        for (const project of ['a', 'b', 'c', 'd']) {
          const ofProject = ids.filter((id) => id.startsWith(project));
          assert.deepEqual(
            sent.filter((id) => id.startsWith(project)),
            ofProject,
          );
          // A large write holds up what comes after it in its own project.
          if (ofProject.some((id) => id.endsWith('!'))) continue;
          for (const id of ofProject) {
            const meanwhile = sent.slice(arrivedAt.get(id), sent.indexOf(id)).filter((other) => other.endsWith('!'));
            assert.ok(meanwhile.length <= 1, `${id} waited for ${meanwhile}`);
          }
        }
      }),
    );
  });
});

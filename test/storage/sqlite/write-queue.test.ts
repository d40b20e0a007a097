import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { responseWrite, type Write } from '../../../src/record/row/write.ts';
import type { Operation } from '../../../src/record/sqlite/write/messages.ts';
import {
  charactersOf,
  maxCharactersUnderWay,
  type QueuedOperation,
  WriteQueue,
} from '../../../src/record/sqlite/write/write-queue.ts';

/** The creation of a resource of about so many characters. */
function creation(projectKey: string, id: string, characters: number): Operation {
  const text = 'x'.repeat(characters);
  return ['write', { kind: 'create', projectKey, id, row: { current: text } }] as unknown as Operation;
}

function idOf(operation: Operation): string {
  return operation[0] === 'group' ? idOf(operation[1][0]!) : (operation[1] as Write).id;
}

/** Changes of a batch or an import, of so many characters together. */
const group = (projectKey: string, id: string, characters: number) =>
  ['group', [creation(projectKey, id, characters)]] as unknown as Operation;

const large = maxCharactersUnderWay + 1;

/** A queue whose operations are under way until they are settled by hand. */
function openQueue() {
  const sent: string[] = [];
  const underWay = new Map<string, QueuedOperation>();
  const queue = new WriteQueue();
  const send = () => {
    for (let next = queue.take(); next; next = queue.take()) {
      sent.push(idOf(next.operation));
      underWay.set(idOf(next.operation), next);
    }
  };
  return {
    ...{ sent, underWay, queue, send },
    add(operation: Operation) {
      queue.add(operation, () => {});
      send();
    },
    /** The results of a commit have come. */
    settle(...ids: readonly string[]): readonly string[] {
      const before = sent.length;
      for (const id of ids) {
        queue.settle(underWay.get(id)!);
        underWay.delete(id);
      }
      send();
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

  test('sends a large write alone, and in the turn of its project', () => {
    const { add, sent, settle } = openQueue();
    for (const id of ['h1', 'h2', 'h3']) add(creation('heavy', id, large));
    assert.deepEqual(sent, ['h1']);
    for (const id of ['s1', 's2']) add(creation('light', id, 1000));
    add(creation('other', 's3', 1000));
    assert.deepEqual(sent, ['h1'], 'the commit of the large one has only this');
    assert.deepEqual(settle('h1'), ['s1', 's3']);
    add(creation('light', 's4', 1000));
    assert.deepEqual(settle('s1'), [], 'h2 has its turn when the small ones are done');
    assert.deepEqual(settle('s3'), ['h2']);
    assert.deepEqual(settle('h2'), ['s2']);
    assert.deepEqual(settle('s2'), ['h3']);
    assert.deepEqual(settle('h3'), ['s4']);
  });

  test('the projects take turns where more waits than may be under way', () => {
    const { add, sent, settle } = openQueue();
    const third = Math.floor(maxCharactersUnderWay / 3) - 100;
    for (let at = 0; at < 9; at += 1) add(creation('a', `a${at}`, third));
    for (let at = 0; at < 3; at += 1) add(creation('b', `b${at}`, third));
    assert.deepEqual(sent, ['a0', 'a1', 'a2']);
    assert.deepEqual(settle('a0', 'a1', 'a2'), ['a3', 'b0', 'a4']);
    assert.deepEqual(settle('a3', 'b0', 'a4'), ['b1', 'a5', 'b2']);
    assert.deepEqual(settle('b1', 'a5', 'b2'), ['a6', 'a7', 'a8']);
  });

  test('counts the texts of an operation; statements and requests to catch up count next to nothing', () => {
    const response = { scope: 's', requestHash: 'hash', status: 200, headers: {}, body: 'body', expiresAtMs: 1 };
    assert.ok(charactersOf(['catchUp']) < 200);
    assert.ok(charactersOf(['write', responseWrite('p', response)]) < 200);
    assert.ok(charactersOf(['statements', [{ sql: 'DELETE', params: ['a', 1] }]]) < 200);
    assert.ok(charactersOf(group('p', 'i', 5000)) >= 5000);
  });

  test('sends all that waits at the end', () => {
    const { add, send, sent, queue } = openQueue();
    for (const id of ['h1', 'h2']) add(creation('heavy', id, large));
    add(creation('light', 's1', 1000));
    queue.flush();
    send();
    assert.deepEqual(sent.toSorted(), ['h1', 'h2', 's1']);
    assert.equal(queue.size, 0);
  });

  test('whatever comes: each is sent once, in the order of its project, within the bound, and a small one waits for one large one', () => {
    const size = fc.oneof(fc.integer({ min: 1, max: 2000 }), fc.constant(100_000), fc.constant(large));
    const arrivals = fc.array(fc.record({ project: fc.constantFrom('a', 'b', 'c', 'd'), size, settles: fc.nat(3) }), {
      maxLength: 60,
    });
    fc.assert(
      fc.property(arrivals, (all) => {
        const { add, sent, underWay, queue, settle } = openQueue();
        const ids: string[] = [];
        const arrivedAt = new Map<string, number>();
        const check = () => {
          const costs = [...underWay.values()].map(({ characters }) => characters);
          const sum = costs.reduce((total, cost) => total + cost, 0);
          assert.ok(sum <= maxCharactersUnderWay || costs.length === 1, costs.join());
        };
        const settleSome = (count: number) => {
          settle(...[...underWay.keys()].slice(0, count));
          check();
        };
        for (const [at, each] of all.entries()) {
          const id = `${each.project}${at}${each.size === large ? '!' : ''}`;
          ids.push(id);
          arrivedAt.set(id, sent.length);
          add(creation(each.project, id, each.size));
          check();
          if (each.settles > 0) settleSome(each.settles);
        }
        while (queue.size > 0 || underWay.size > 0) settleSome(1);
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

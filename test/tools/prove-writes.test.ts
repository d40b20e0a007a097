import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { completed } from '../../tools/prove/writes/completed.ts';
import { keepEvidence } from '../../tools/prove/writes/evidence.ts';
import type { LoggedEvent, ReadAttempt, Recorded, Rule, WriteAttempt } from '../../tools/prove/writes/record.ts';
import { findBatches } from '../../tools/prove/writes/rules/batches.ts';
import { findDocuments } from '../../tools/prove/writes/rules/documents.ts';
import { findEffects } from '../../tools/prove/writes/rules/effects.ts';
import { findFeeds } from '../../tools/prove/writes/rules/feeds.ts';
import { findMany } from '../../tools/prove/writes/rules/many.ts';
import { findOrder } from '../../tools/prove/writes/rules/order.ts';
import { findRepeats } from '../../tools/prove/writes/rules/repeats.ts';
import { findPreconditions, findReplays } from '../../tools/prove/writes/rules/replay.ts';
import { findVariants } from '../../tools/prove/writes/rules/variants.ts';
import { findTags, findVersions } from '../../tools/prove/writes/rules/versions.ts';
import type { Fields, Write } from '../../tools/prove/writes/write.ts';
import { rules } from '../../tools/prove/writes/writes.ts';

const project = 'p';
type Span = readonly [start: number, end: number];
const over = ([start, end]: Span) => ({ project, start, end });

function answer(status: number, body: unknown, tag?: string) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { status, text, headers: tag === undefined ? {} : { etag: `"${tag}"` } };
}

const document = (id: string, version: number, more: Fields = {}): Fields => ({ id, version, ...more });
const draft = (id: string, more: Fields): Write => ({ kind: 'draft', mode: 'replace', draft: { id, ...more } });

function write(name: string, span: Span, write: Write, given: WriteAttempt['answer']): WriteAttempt {
  return { ...over(span), name, write, answer: given };
}

function read(span: Span, read: ReadAttempt['read'], given: ReadAttempt['answer']): ReadAttempt {
  return { ...over(span), read, answer: given };
}

let sequence = 0;
function event(type: string, id: string, version: number, by: string, current?: Fields): LoggedEvent {
  sequence += 1;
  const resource = { typeId: 'resource', id, version };
  const data = current && { data: { current: document(id, version, current) } };
  return { id: `e${sequence}`, sequence, type, resource, correlationId: `${by}.0`, ...data };
}

const upload = (filename: string): Write => ({ kind: 'upload', sku: 's', staged: true, filename });
const variants = (...results: readonly Fields[]) => answer(200, { results });

/**
 * A small run without a fault: r is created, updated in its version under a key that is repeated, deleted and created
 * anew; a batch writes two others; a follower and all kinds of reads look on; the backend has a document.
 */
function goodRun() {
  sequence = 0;
  const first = { mark: 'w1', group: 'g0' };
  const second = { mark: 'w2', group: 'g0' };
  const third = { mark: 'w4', group: 'g1' };
  const batch: Write = {
    kind: 'batch',
    isAtomic: true,
    operations: [
      { kind: 'draft', mode: 'create', draft: { id: 's', mark: 'w5-0', group: 'g2' } },
      { kind: 'draft', mode: 'create', draft: { id: 't', mark: 'w5-1', group: 'g2' } },
    ],
  };
  const [s, t] = ['s', 't'].map((id, at) => document(id, 1, { mark: `w5-${at}`, group: 'g2' }));
  const update: Write = {
    ...{ kind: 'update', target: { id: 'r' }, version: 1, ifMatch: '"1-aa"' },
    actions: [{ action: 'setField', path: 'mark', value: 'w2' }],
  };
  const batched = [s, t].map((resource) => ({ outcome: 'created', id: resource!.id, version: 1, resource }));
  const log = [
    event('created', 'r', 1, 'w1', first),
    event('updated', 'r', 2, 'w2', second),
    event('deleted', 'r', 2, 'w3'),
    event('created', 'r', 1, 'w4', third),
    event('created', 's', 1, 'w5', { mark: 'w5-0', group: 'g2' }),
    event('created', 't', 1, 'w5', { mark: 'w5-1', group: 'g2' }),
    {
      ...{ id: 'e7', sequence: 7, type: 'backendDocumentWritten', correlationId: 'w6.0' },
      resource: { typeId: 'backend-document', id: 'document', version: 1 },
    },
  ];
  return {
    engine: 'sqlite' as const,
    writes: [
      write('w1', [0, 10], draft('r', first), answer(201, document('r', 1, first), '1-aa')),
      write('w2', [20, 30], update, answer(200, document('r', 2, second), '2-aa')),
      write('w2', [22, 40], update, answer(200, document('r', 2, second), '2-aa')),
      write('w3', [50, 60], { kind: 'delete', target: { id: 'r' } }, answer(200, document('r', 2, second), '2-aa')),
      write('w4', [70, 80], draft('r', third), answer(201, document('r', 1, third), '1-bb')),
      write('w5', [90, 100], batch, answer(200, { results: batched })),
      write('w6', [110, 120], { kind: 'document', name: 'document', value: { a: 1 } }, answer(200, { a: 1 }, '1-dd')),
      write('w8', [140, 150], upload('w8'), answer(200, { id: 'v', version: 1, images: ['/p/images/w8-1.png'] })),
      write('w7', [130, 140], draft('r', { mark: 'w7' }), answer(412, { errors: [{ code: 'PreconditionFailed' }] })),
      // A repeat that was sent too early, and met what was there before the deletion.
      write('w4', [18, 41], draft('r', third), answer(412, { errors: [{ currentVersion: 1 }] })),
    ],
    reads: [
      read([32, 34], { kind: 'one', id: 'r' }, answer(200, document('r', 2, second), '2-aa')),
      read([62, 64], { kind: 'one', id: 'r' }, answer(404, {})),
      read([82, 84], { kind: 'one', id: 'r' }, answer(200, document('r', 1, third), '1-bb')),
      read([85, 102], { kind: 'many', by: 'list', group: 'g2' }, answer(200, { total: 2, results: [s!, t!] })),
      read([105, 106], { kind: 'many', by: 'exists', group: 'g1' }, answer(200, '')),
      read([125, 126], { kind: 'document', name: 'document' }, answer(200, { a: 1 }, '1-dd')),
      read(
        [152, 153],
        { kind: 'variant', sku: 's' },
        variants({ id: 'v', version: 1, images: ['/p/images/w8-1.png'] }),
      ),
    ],
    followed: [{ project, by: 'sse' as const, events: [...log] }],
    logs: new Map([[project, log]]),
  };
}

type Run = ReturnType<typeof goodRun>;
const logOf = ({ logs }: Run) => logs.get(project)!;

test('writes: what one copy could have done breaks no rule', () => {
  for (const rule of rules) assert.deepEqual(rule(goodRun()), [], rule.name);
});

/** One thing is changed in the good run: the rule must tell, by this kind. */
const faults: readonly (readonly [name: string, rule: Rule, kind: string, spoil: (run: Run) => void])[] = [
  ['an acknowledged write that is not in the log', findEffects, 'lost', (run) => logOf(run).splice(3, 1)],
  ['a write that was carried out twice', findEffects, 'twice', (run) => logOf(run).push({ ...logOf(run)[3]! })],
  [
    'a refused write that is in the log',
    findEffects,
    'refused',
    (run) => logOf(run).push(event('updated', 'r', 2, 'w7', { mark: 'w7' })),
  ],
  [
    'another content than was acknowledged',
    findEffects,
    'altered',
    (run) => logOf(run).splice(3, 1, { ...logOf(run)[3]!, data: { current: document('r', 1, { mark: 'x' }) } }),
  ],
  [
    'a change of a batch that its response does not have',
    findEffects,
    'untold',
    (run) => {
      const { results } = JSON.parse((run.writes[5]!.answer as { text: string }).text);
      run.writes.splice(5, 1, { ...run.writes[5]!, answer: answer(200, { results: results.slice(1) }) });
    },
  ],
  ['a batch of which half is in the log', findBatches, 'half', (run) => logOf(run).splice(5, 1)],
  [
    'a version that is missing',
    findVersions,
    'gap',
    (run) => logOf(run).splice(1, 1, event('updated', 'r', 3, 'w2', {})),
  ],
  ['a creation of what is there', findVersions, 'impossible', (run) => logOf(run).splice(2, 1)],
  [
    'two contents under one tag',
    findTags,
    'tag',
    (run) =>
      run.reads.push(read([83, 84], { kind: 'one', id: 'r' }, answer(200, document('r', 1, { mark: 'x' }), '1-bb'))),
  ],
  [
    'the tag of a deleted resource on the one that has its id',
    findTags,
    'incarnation',
    (run) =>
      run.reads.push(
        read([83, 84], { kind: 'one', id: 'r' }, answer(200, document('r', 1, { mark: 'w4', group: 'g1' }), '1-aa')),
      ),
  ],
  [
    'a write over another version than it named',
    findPreconditions,
    'precondition',
    (run) => run.writes.splice(1, 2, { ...run.writes[1]!, write: { ...run.writes[1]!.write, version: 7 } as Write }),
  ],
  [
    'a write over another incarnation than its tag names',
    findPreconditions,
    'precondition',
    (run) =>
      run.writes.splice(1, 2, { ...run.writes[1]!, write: { ...run.writes[1]!.write, ifMatch: '"1-bb"' } as Write }),
  ],
  [
    'a write that made something else of its resource',
    findReplays,
    'replay',
    (run) => logOf(run).splice(1, 1, { ...logOf(run)[1]!, data: { current: document('r', 2, { mark: 'w2' }) } }),
  ],
  [
    'a read of what was overwritten before it began',
    findOrder,
    'stale',
    (run) =>
      run.reads.push(
        read([45, 46], { kind: 'one', id: 'r' }, answer(200, document('r', 1, { mark: 'w1', group: 'g0' }), '1-aa')),
      ),
  ],
  [
    'a later read that sees less',
    findOrder,
    'stale',
    (run) => {
      run.reads.push(
        read([21, 22], { kind: 'one', id: 'r' }, answer(200, document('r', 2, { mark: 'w2', group: 'g0' }), '2-aa')),
      );
      run.reads.push(
        read([25, 26], { kind: 'one', id: 'r' }, answer(200, document('r', 1, { mark: 'w1', group: 'g0' }), '1-aa')),
      );
    },
  ],
  [
    'a change that is logged behind one that began after its response',
    findOrder,
    'order',
    (run) => {
      logOf(run).splice(2, 0, event('updated', 'r', 3, 'w9', { mark: 'w9' }));
      run.writes.push(
        write('w9', [12, 14], draft('r', { mark: 'w9' }), answer(201, document('r', 3, { mark: 'w9' }), '3-aa')),
      );
    },
  ],
  [
    'a resource that is not found',
    findOrder,
    'hidden',
    (run) => run.reads.push(read([82, 84], { kind: 'one', id: 'r' }, answer(404, {}))),
  ],
  [
    'a repeat with another response',
    findRepeats,
    'repeat',
    (run) => run.writes.splice(2, 1, { ...run.writes[2]!, answer: answer(200, document('r', 3), '3-aa') }),
  ],
  [
    'a repeat that is refused for its own effect',
    findRepeats,
    'repeat',
    (run) => run.writes.splice(2, 1, { ...run.writes[2]!, answer: answer(409, { errors: [{ currentVersion: 2 }] }) }),
  ],
  [
    'a list that leaves out a resource',
    findMany,
    'missing',
    (run) =>
      run.reads.push(
        read([105, 106], { kind: 'many', by: 'list', group: 'g1' }, answer(200, { total: 0, results: [] })),
      ),
  ],
  [
    'a list that shows what was deleted',
    findMany,
    'stale',
    (run) =>
      run.reads.push(
        read(
          [65, 66],
          { kind: 'many', by: 'search', group: 'g0' },
          answer(200, { total: 1, results: [document('r', 2, { mark: 'w2', group: 'g0' })] }),
        ),
      ),
  ],
  [
    'a list that shows half a batch',
    findMany,
    'half',
    (run) => {
      logOf(run).splice(4, 0, event('created', 't', 1, 'w8', { mark: 'w8', group: 'g2' }));
      logOf(run)[6] = event('updated', 't', 2, 'w5', { mark: 'w5-1', group: 'g2' });
      const results = [document('s', 1, { mark: 'w5-0', group: 'g2' }), document('t', 1, { mark: 'w8', group: 'g2' })];
      run.reads.push(read([90, 100], { kind: 'many', by: 'list', group: 'g2' }, answer(200, { total: 2, results })));
    },
  ],
  [
    'a wrong total',
    findMany,
    'total',
    (run) =>
      run.reads.push(read([85, 86], { kind: 'many', by: 'list', group: 'g0' }, answer(200, { total: 1, results: [] }))),
  ],
  [
    'an existence check that finds nothing',
    findMany,
    'missing',
    (run) => run.reads.push(read([105, 106], { kind: 'many', by: 'exists', group: 'g2' }, answer(404, ''))),
  ],
  [
    'an event that a follower was not told',
    findFeeds,
    'skipped',
    (run) => run.followed.splice(0, 1, { ...run.followed[0]!, events: logOf(run).slice(1) }),
  ],
  [
    'an event that came twice',
    findFeeds,
    'disorder',
    (run) => run.followed.splice(0, 1, { ...run.followed[0]!, events: [...logOf(run), logOf(run)[0]!] }),
  ],
  [
    'an event of another project with the same id',
    findFeeds,
    'ambiguous',
    (run) => run.logs.set('q', [logOf(run)[0]!]),
  ],
  [
    'an event with another content',
    findFeeds,
    'altered',
    (run) => {
      const [first, ...others] = logOf(run);
      const other = { ...first!, data: { current: document('r', 1, { mark: 'x' }) } };
      run.followed.splice(0, 1, { ...run.followed[0]!, events: [other, ...others] });
    },
  ],
  [
    'a document of the backend that is read as it was before',
    findDocuments,
    'stale',
    (run) => run.reads.push(read([125, 126], { kind: 'document', name: 'document' }, answer(200, {}, '0'))),
  ],
  [
    'an image that is not listed',
    findVariants,
    'lost',
    (run) =>
      run.reads.push(read([155, 156], { kind: 'variant', sku: 's' }, variants({ id: 'v', version: 1, images: [] }))),
  ],
  [
    'two uploads that made the same version',
    findVariants,
    'overwritten',
    (run) => run.writes.push(write('w9', [151, 160], upload('w9'), answer(200, { id: 'v', version: 1, images: [] }))),
  ],
  [
    'a version of a variant that nobody made',
    findVariants,
    'gap',
    (run) => run.writes.push(write('w9', [151, 160], upload('w9'), answer(200, { id: 'v', version: 3, images: [] }))),
  ],
  [
    'a write of a document that is lost',
    findDocuments,
    'gap',
    (run) => {
      logOf(run)[6] = { ...logOf(run)[6]!, resource: { typeId: 'backend-document', id: 'document', version: 2 } };
    },
  ],
];

for (const [name, rule, kind, spoil] of faults) {
  test(`writes: ${rule.name} finds ${name}`, () => {
    const run = goodRun();
    spoil(run);
    const found = rule(run as Recorded);
    assert.match(found.join('\n'), new RegExp(`^${kind}: `, 'm'));
  });
}

test('writes: what followers of one project were told says nothing of another project, whatever its ids', () => {
  const projects = ['p', 'q'];
  const written = projects.map((project, at) => {
    const name = `w${at + 1}`;
    const value: Write = { kind: 'document', name: 'value', value: { mark: name } };
    const attempt = { ...write(name, [1, 2], value, answer(200, { mark: name }, '1-aa')), project };
    const resource = { typeId: 'backend-document', id: 'value', version: 1 };
    const event = { id: 'e1', sequence: 1, type: 'backendDocumentWritten', resource, correlationId: `${name}.0` };
    return { attempt, followed: { project, by: 'pages' as const, events: [event] } };
  });
  const followed = written.map((each) => each.followed);
  const logs = new Map(followed.map(({ project, events }) => [project, completed(project, events, followed)]));
  const writes = written.map(({ attempt }) => attempt);
  assert.deepEqual(findDocuments({ engine: 'postgres', writes, reads: [], followed, logs }), []);
});

test('writes: what an event showed before its resource was forgotten is known from those who followed it', () => {
  const shown = event('created', 'r', 1, 'w1', { mark: 'w1' });
  const { data: _, correlationId: __, ...forgotten } = shown;
  const followed = [{ project, by: 'sse' as const, events: [shown] }];
  assert.deepEqual(completed(project, [forgotten], followed), [shown]);
});

test('writes: what was found is kept with all requests, responses and events', async () => {
  const run = goodRun();
  const path = await keepEvidence({ database: undefined }, { round: 3, violations: ['lost: w1'], recorded: run });
  try {
    const all = { violations: ['lost: w1'], ...run, logs: Object.fromEntries(run.logs) };
    assert.deepEqual(JSON.parse(readFileSync(path, 'utf8')), JSON.parse(JSON.stringify(all)));
  } finally {
    rmSync(dirname(path), { recursive: true });
  }
});

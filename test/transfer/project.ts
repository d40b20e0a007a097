import type { JsonObject } from '../../src/contract/json.ts';
import { parseStoredJson } from '../../src/domain/json/parse.ts';
import type { ResourceRecord } from '../../src/domain/ports/resource-store.ts';
import type { Store } from '../../src/domain/ports/store.ts';
import { historyOf, parseRecord } from '../../src/domain/resource/resource.ts';
import { document, record, uncheckedRecord } from '../storage/records.ts';

/** A project with everything that could be lost on a move. */
function texts(id: string, version: number, fields: string, key?: string): string {
  const text = JSON.stringify(document(id, version, {}, key));
  return `${text.slice(0, -1)},${fields}}`;
}

function recordOf(projectKey: string, current: string, staged?: string): ResourceRecord {
  const plain = record(projectKey, parseStoredJson(current) as JsonObject);
  const history = historyOf([
    { version: plain.version, fields: ['näme', '__proto__', 'a,"b"'] },
    { version: Math.max(1, plain.version - 1), fields: [] },
  ]);
  return { ...plain, current, staged, history, incarnation: 'a1b2c3d4e5' };
}

const exact = '"big":[9007199254740993,-9223372036854775808,18446744073709551616],"half":0.1,"tiny":5e-324';
const odd = '"näme":"Zoë 🦜 \\\\ \\" \\u0001 \\u2028 ","__proto__":{"constructor":[null,true,{}]},"10":1,"2":2';

/** Its records, without a project: under its own key, and beside it in the namespaces of images and backend. */
export function projectRecords(projectKey: string): readonly ResourceRecord[] {
  const many = Array.from({ length: 40 }, (_, n) => recordOf(projectKey, texts(`n-${n}`, 1, `"n":${n}`, `key ${n}`)));
  return [
    ...many,
    recordOf(projectKey, texts('exact', 7, exact)),
    recordOf(projectKey, texts('id with 🦜/%2F', 2, odd, 'Schlüssel [1]')),
    recordOf(projectKey, texts('staged', 3, '"hasStagedChanges":true'), texts('staged', 3, '"price":9007199254740993')),
    recordOf(`${projectKey}~images`, texts('image-variant-1', 4, `"images":["/${projectKey}/images/a.png"]`, 'sku 1')),
    recordOf(`${projectKey}~backend`, texts('value', 2, '"value":"text"')),
  ];
}

/** Creates records as they are, with whatever version. */
export async function createRecords(store: Store, records: readonly ResourceRecord[]): Promise<void> {
  for (const next of records) {
    const outcome = await store.resources.commit({
      kind: 'create',
      next: uncheckedRecord(next),
      after: parseRecord(next).documents,
    });
    if (outcome !== 'committed') throw new Error(`${next.id}: ${outcome}`);
  }
}

/** Everything that a project has, in all its namespaces, as plain data by namespace and id. */
export async function allRecords(store: Store, projectKey: string): Promise<readonly ResourceRecord[]> {
  const all: ResourceRecord[] = [];
  for (const namespace of [projectKey, `${projectKey}~images`, `${projectKey}~backend`]) {
    for (let last: string | undefined; ; ) {
      const portion = await store.resources.scan(namespace, last, 500);
      if (portion.length === 0) break;
      all.push(...portion.map((each) => ({ ...each })));
      last = portion.at(-1)?.id;
    }
  }
  return all;
}

/** Records in the order of `allRecords`. */
export function inOrder(records: readonly ResourceRecord[]): readonly ResourceRecord[] {
  const position = ({ projectKey, id }: ResourceRecord) =>
    Buffer.from(`${projectKey.endsWith('~images') ? 1 : projectKey.endsWith('~backend') ? 2 : 0}${id}`);
  return [...records].sort((a, b) => Buffer.compare(position(a), position(b)));
}

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { ListQuery } from '../../../src/domain/ports/list-query.ts';
import type { Store } from '../../../src/domain/ports/store.ts';
import { parsePredicate } from '../../../src/domain/predicate/parse.ts';
import { creation, document } from '../records.ts';
import { openTestStore, temporaryFolder } from './open-test-store.ts';

/** No index supports it: every resource is read. */
const scan: ListQuery = {
  projectKey: 'p',
  where: [parsePredicate('text matches ignore case "none"', { variables: new Map() })],
  ...{ sort: [], limit: 20, offset: 0, withTotal: true, staged: false },
};

const codeOf = (asked: Promise<unknown>) =>
  asked.then(
    () => 'answered',
    (error: { code?: string }) => error.code,
  );

/** The refusal of a query that has run: on a busy machine it may wait for the whole of a short deadline, which is refused as such. */
async function refusalOf(ask: () => Promise<unknown>): Promise<{ readonly code: string; readonly message: string }> {
  for (;;) {
    const error = await ask().then(
      () => undefined,
      (thrown: unknown) => thrown as { code: string; message: string },
    );
    assert.ok(error, 'it was answered');
    if (error.code !== 'OverCapacity') return error;
  }
}

describe('Lists that take too long', () => {
  const folder = temporaryFolder();
  let hasty: Store;
  before(async () => {
    const store = await openTestStore(folder.file);
    const ids = Array.from({ length: 4000 }, (_, n) => `id-${n}`);
    await Promise.all(
      ids.map((id) => store.resources.commit(creation('p', document(id, 1, { text: 'x'.repeat(300) })))),
    );
    assert.equal((await store.resources.list(scan)).total, 0);
    await store.close();
    // A millisecond is not enough to read thousands of documents, on any machine.
    hasty = await openTestStore(folder.file, { queryTimeoutMs: 1 });
  });
  after(async () => {
    await hasty.close();
    folder.remove();
  });

  it('a scan over its deadline is QueryTimedOut, suggests what would help', async () => {
    for (const _ of [1, 2, 3]) {
      const { code, message } = await refusalOf(() => hasty.resources.list(scan));
      assert.equal(code, 'QueryTimedOut');
      assert.match(message, /index/);
    }
    assert.equal((await hasty.resources.get('p', 'id-7'))?.version, 1);
  });

  it('more scans than may wait are refused with OverCapacity; every one of them is answered', async () => {
    const codes = await Promise.all(Array.from({ length: 3000 }, () => codeOf(hasty.resources.list({ ...scan }))));
    assert.deepEqual(
      codes.filter((code) => code !== 'QueryTimedOut' && code !== 'OverCapacity'),
      [],
    );
    assert.ok(codes.includes('OverCapacity'));
    assert.equal((await hasty.resources.get('p', 'id-8'))?.version, 1);
  });

  it('an existence check has the same deadline', async () => {
    assert.equal((await refusalOf(() => hasty.resources.exists('p', scan.where, false))).code, 'QueryTimedOut');
  });
});

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { ResourceRecord } from '../../../src/domain/ports/resource-store.ts';
import { createDamageLog } from '../../../src/storage/row/checked-table.ts';
import { openReadConnection } from '../../../src/storage/sqlite/open/connection.ts';
import { createPointReads } from '../../../src/storage/sqlite/read/point-reads.ts';
import { creation, document } from '../records.ts';
import { openTestStore, temporaryFolder } from './open-test-store.ts';

/** Reads by id go to the row where the resource was last read. Here rows get others, by deletions, beneath them. */

describe('reads by the place of a row', async () => {
  const folder = temporaryFolder();
  const store = await openTestStore(folder.file);
  // Reads without a cache of records in front of them.
  const reads = createPointReads(
    openReadConnection(folder.file, 1024),
    createDamageLog(() => {}),
  );
  after(async () => {
    reads.close();
    await store.close();
    folder.remove();
  });

  const create = (project: string, id: string, n = 0) =>
    store.resources.commit(creation(project, document(id, 1, { n })));
  const remove = ({ projectKey, id, version, current }: ResourceRecord) => {
    const before = { current: JSON.parse(current) };
    return store.resources.commit({ kind: 'delete', projectKey, id, expectedVersion: version, before });
  };
  function read(project: string, id: string): ResourceRecord | undefined {
    reads.leaveSnapshot();
    return reads.byId(project, id);
  }
  const numberOf = (record: ResourceRecord | undefined) => record && (JSON.parse(record.current) as { n: number }).n;

  it('the same id in several projects is read from each', async () => {
    for (const [n, project] of ['a', 'b', 'c'].entries()) assert.equal(await create(project, 'same', n), 'committed');
    for (let round = 0; round < 3; round += 1) {
      for (const [n, project] of ['a', 'b', 'c'].entries()) {
        const found = read(project, 'same');
        assert.deepEqual([found?.projectKey, numberOf(found)], [project, n]);
      }
    }
    assert.equal(read('d', 'same'), undefined);
  });

  it('a row that another resource has got is not read as the one before', async () => {
    assert.equal(await create('p', 'first', 1), 'committed');
    const first = read('p', 'first');
    assert.equal(numberOf(read('p', 'first')), 1);
    assert.equal(await remove(first!), 'committed');
    assert.equal(read('p', 'first'), undefined);
    // The row of the last resource is given again.
    assert.equal(await create('p', 'second', 2), 'committed');
    assert.equal(read('p', 'first'), undefined);
    assert.equal(numberOf(read('p', 'second')), 2);
    assert.equal(await create('p', 'first', 3), 'committed');
    assert.equal(numberOf(read('p', 'first')), 3);
    assert.equal(numberOf(read('p', 'second')), 2);
  });
});

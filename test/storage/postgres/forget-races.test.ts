import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestApi } from '../../start-test-api.ts';
import { startTestPostgres } from './start-test-postgres.ts';

test('a history is forgotten, or the resource is restored with all of it: never half of both', async () => {
  const postgres = await startTestPostgres();
  const api = await startTestApi({ DATABASE_URL: postgres.url });
  try {
    for (let round = 0; round < 25; round += 1) {
      const path = `/p/resource/r${round}`;
      await api.call({ method: 'PUT', path: '/p/resource', body: { id: `r${round}`, n: 1 } });
      const actions = [{ action: 'changeSomeProperty', someProperty: 'x' }];
      for (let version = 1; version < 4; version += 1) {
        await api.call({ method: 'POST', path, body: { version, actions } });
      }
      assert.equal((await api.call({ method: 'DELETE', path })).status, 200);
      const restoring = api.call({ method: 'POST', path: `${path}/restore`, body: {} });
      for (let waited = 0; waited < round % 5; waited += 1) await new Promise((resolve) => setImmediate(resolve));
      const [forgotten, restored] = await Promise.all([
        api.call({ method: 'DELETE', path: `${path}/history` }),
        restoring,
      ]);
      const first = await api.call({ path: `${path}?version=1` });
      if (forgotten.status === 200) assert.notEqual(first.status, 200, first.text);
      else assert.deepEqual([restored.status < 300, first.status], [true, 200], `${forgotten.text}\n${first.text}`);
    }
  } finally {
    await api.close();
    await postgres.close();
  }
});

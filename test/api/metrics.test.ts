import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { after, test } from 'node:test';
import { findTool } from '../optional-tools.ts';
import { startTestApi } from '../start-test-api.ts';

const api = await startTestApi();
after(() => api.close());

const promtool = findTool('promtool');

test('the metrics of a service that was used are what promtool takes', {
  skip: promtool === undefined && 'promtool is not here',
}, async () => {
  const created = await api.call({ method: 'POST', path: '/p/resource', body: { key: 'k', name: { en: 'red shoe' } } });
  assert.equal(created.status, 201);
  for (const path of ['/p/resource/key=k', '/p/resource/searchApiPattern?text.en=shoe', '/p/resource/key=missing']) {
    await api.call({ path });
  }
  const { text } = await api.call({ path: '/metrics', scope: 'none' });
  assert.match(text, /^http_request_duration_seconds_count\{operation="[^"]+",status="4xx"\} 1$/m);
  const { status, stdout, stderr } = spawnSync(promtool!, ['check', 'metrics'], { input: text, encoding: 'utf8' });
  assert.equal(stdout + stderr, '');
  assert.equal(status, 0);
});

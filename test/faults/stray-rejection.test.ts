import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { writeConfigFile } from '../backend/backend-server.ts';
import { dataFolder, startService } from './service-process.ts';

const define = fileURLToPath(new URL('../../src/backend/define.ts', import.meta.url));

writeConfigFile(
  `
import { defineBackend } from ${JSON.stringify(define)};
const forgotten = async () => { await null; throw new Error('forgotten'); };
export default defineBackend({ handlers: {
  'GET namespace-action': () => { void forgotten(); return { body: 'answered' }; },
} });
`,
  'forgetful.ts',
);

test('a promise that the module of an operator forgets is logged, and the service goes on', async () => {
  const data = dataFolder();
  after(() => data.remove());
  const BACKENDS_FILE = writeConfigFile({ projects: { shop: { kind: 'module', file: './forgetful.ts' } } });
  const service = await startService(data.path, { BACKENDS_FILE });
  const token = await service.token('manage_test:shop');
  const path = '/shop/resource/namespace-action';
  const logged = service.logged('"event":"module-rejection"');
  for (let i = 0; i < 3; i += 1) {
    const { status, text } = await service.request({ path, token });
    assert.deepEqual([status, text], [200, '"answered"']);
  }
  await logged;
  service.kill('SIGTERM');
  const { code, stdout } = await service.ended;
  assert.equal(code, 0);
  const lines = stdout.split('\n').filter((line) => line.includes('"event":"module-rejection"'));
  assert.equal(lines.length, 3);
  assert.match(lines[0]!, /forgetful\.ts.*forgotten/);
});

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { png } from '../images/pictures.ts';
import { startTestApi, type TestApi } from '../start-test-api.ts';
import { openProject, writeFunctions, writeTypes } from './generate.ts';

/** Both programs do the same, and print what came of it. */
const expected = {
  version: 2,
  stale: [409, 'ConcurrentModification'],
  listed: ['shoe-1'],
  arrays: [42],
  found: 1,
  colours: [1],
  sizes: [1],
  images: 1,
  scopes: ['view_test:generated'],
};

const programs = [
  {
    program: 'openapi-fetch.ts',
    generator: 'openapi-typescript',
    generate: (folder: string) => writeTypes(join(folder, 'api.ts')),
  },
  {
    program: 'hey-api.ts',
    generator: '@hey-api/openapi-ts',
    generate: (folder: string) => writeFunctions(join(folder, 'generated')),
  },
];

for (const { program, generator, generate } of programs) {
  describe(`a client by ${generator}`, () => {
    const project = openProject(program);
    let api: TestApi;

    before(async () => {
      await generate(project.folder);
      api = await startTestApi();
    });
    after(async () => {
      project.remove();
      await api?.close();
    });

    test('type-checks without casts', async () => {
      const text = readFileSync(join(project.folder, program), 'utf8');
      assert.equal(/\bas (?!const)\w|<any>|: any\b|@ts-ignore/.test(text), false, 'the program itself has a cast');
      assert.equal(await project.check(), '');
    });

    test('creates, updates, lists, searches and uploads at the service', async () => {
      const credentials = { CLIENT_ID: 'test-admin', CLIENT_SECRET: 'a secret for tests only' };
      const image = (await png(20, 10)).toString('base64');
      const done = await project.run(await api.listen(), { ...credentials, IMAGE: image });
      assert.deepEqual(done, expected);
    });
  });
}

import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after } from 'node:test';
import type { FixedLimits } from '../../src/config/settings.ts';
import { noLog } from '../../src/telemetry/log.ts';
import { startTestApi, type TestResponse } from '../start-test-api.ts';

/** A service for a test file, with the requests that the tests of images make. */
export async function openImages(
  environment: Readonly<Record<string, string>> = {},
  limits: Partial<FixedLimits> = {},
) {
  const api = await startTestApi(environment, noLog, {}, limits);
  after(() => api.close());

  const send = (query: string, bytes: Buffer, type: string, headers: Readonly<Record<string, string>> = {}) =>
    api.call({
      ...{ method: 'POST', path: `/shop/resource/images${query}`, body: bytes },
      headers: { 'content-type': type, ...headers },
    });

  async function expectJson(request: Promise<TestResponse>) {
    const response = await request;
    assert.equal(response.status, 200, response.text);
    return response.json;
  }

  return {
    api,
    /** Uploads to the project `shop`. */
    send,
    upload: (query: string, bytes: Buffer, type = 'image/png') => expectJson(send(query, bytes, type)),
    read: (path: string) => expectJson(api.call({ path })),
    act: (id: string, version: number, ...actions: readonly string[]) =>
      api.call({
        ...{ method: 'POST', path: `/shop/resource/${id}` },
        body: { version, actions: actions.map((action) => ({ action })) },
      }),
    /** Files of a project, and temporary ones. */
    filesOf: (project: string) => namesIn(join(api.dataDir, 'images', project)),
    temporaries: () => namesIn(join(api.dataDir, 'images', '.incoming')),
  };
}

function namesIn(folder: string): readonly string[] {
  return existsSync(folder) ? readdirSync(folder).sort() : [];
}

/** The file name in an address. */
export function fileIn(url: string): string {
  return url.slice(url.lastIndexOf('/') + 1);
}

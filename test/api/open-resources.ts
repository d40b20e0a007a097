import assert from 'node:assert/strict';
import { after } from 'node:test';
import { startTestApi, type TestResponse } from '../start-test-api.ts';

/** The actions of an update in the resource's version. */
interface Versioned {
  readonly id: string;
  readonly version: number;
}

/** A service for a test file, with the requests that the tests of single resources make. */
export async function openResources(environment: Readonly<Record<string, string>> = {}) {
  const api = await startTestApi(environment);
  after(() => api.close());

  const send = (method: string, path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}) =>
    api.call({ method, path, body, headers });

  async function expectJson(status: number, request: Promise<TestResponse>) {
    const response = await request;
    assert.equal(response.status, status, response.text);
    return response.json;
  }

  return {
    api,
    send,
    get: (path: string, headers: Readonly<Record<string, string>> = {}) => api.call({ path, headers }),
    /** Creates a resource from a draft (a value or a JSON text) and returns it. */
    create: (projectKey: string, draft: unknown) => expectJson(201, send('POST', `/${projectKey}/resource`, draft)),
    /** Applies update actions to a resource as it was returned, and returns the result. */
    update: (projectKey: string, { id, version }: Versioned, ...actions: readonly object[]) =>
      expectJson(200, send('POST', `/${projectKey}/resource/${encodeURIComponent(id)}`, { version, actions })),
    /** The resource as a read returns it now. */
    read: (projectKey: string, id: string, query = '') =>
      expectJson(200, api.call({ path: `/${projectKey}/resource/${encodeURIComponent(id)}${query}` })),
  };
}

/** The version in an entity tag, which has the incarnation of the resource behind it (decision 94). */
export function versionIn(etag: string | undefined): number {
  const [, version] = /^"(\d+)-[0-9a-f]{10}"$/.exec(etag ?? '') ?? [];
  return Number(version);
}

/** Checks that a response is this refusal in the one shape of errors (decision 2), and returns its first error. */
export function refusalOf(response: TestResponse, status: number, code: string) {
  assert.equal(response.status, status, response.text);
  assert.equal(response.headers['content-type'], 'application/json; charset=utf-8');
  const { statusCode, message, errors } = response.json;
  assert.equal(statusCode, status);
  assert.equal(errors[0].code, code, response.text);
  assert.equal(errors[0].message, message);
  return errors[0];
}

/** The address of the page that follows, of the header `Link`; undefined on the last one. */
export function nextPageOf({ headers }: TestResponse): string | undefined {
  return /^<([^>]+)>; rel="next"$/.exec(headers.link ?? '')?.[1];
}

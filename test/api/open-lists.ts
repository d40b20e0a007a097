import assert from 'node:assert/strict';
import { after } from 'node:test';
import { startTestApi, type TestResponse } from '../start-test-api.ts';

/** A service for a test file, with the requests that the tests of lists make. Each test has a project of its own. */
export async function openLists() {
  const api = await startTestApi();
  after(() => api.close());

  /** Creates resources from these drafts (JSON texts) and returns their ids. */
  async function create(projectKey: string, ...drafts: readonly string[]): Promise<readonly string[]> {
    const ids: string[] = [];
    for (const body of drafts) {
      const { status, json, text } = await api.call({ method: 'POST', path: `/${projectKey}/resource`, body });
      assert.equal(status, 201, text);
      ids.push(json.id);
    }
    return ids;
  }

  /** Stages a change of one property of a resource in its first version. */
  async function stage(projectKey: string, id: string, someProperty: string): Promise<void> {
    const body = { version: 1, actions: [{ action: 'changeSomeProperty', someProperty, staged: true }] };
    const { status, text } = await api.call({ method: 'POST', path: `/${projectKey}/resource/${id}`, body });
    assert.equal(status, 200, text);
  }

  return {
    app: api.app,
    create,
    stage,
    get: (path: string, scope?: string) => api.call({ path, ...(scope && { scope }) }),
    post: (path: string, form: string) =>
      api.call({ method: 'POST', path, body: form, headers: { 'content-type': 'application/x-www-form-urlencoded' } }),
    head: (path: string) => api.call({ method: 'HEAD', path }),
  };
}

/** A query string of these pairs, percent-encoded. */
export function queryOf(...pairs: readonly (readonly [string, string])[]): string {
  return pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&');
}

/** The keys of the resources of a list response, in its order. */
export function keysOf({ json }: TestResponse): readonly string[] {
  return json.results.map(({ key }: { key: string }) => key);
}

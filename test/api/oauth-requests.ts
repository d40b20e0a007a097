import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { startTestApi, type TestApi, type TestResponse } from '../start-test-api.ts';

export interface TestClient {
  readonly id: string;
  readonly secret: string;
}

export const formType = { 'content-type': 'application/x-www-form-urlencoded' };

/** The Authorization header of HTTP Basic. */
export function basic({ id, secret }: TestClient): string {
  return `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
}

/** Sends a form, with HTTP Basic where a client is given. */
export function postForm(api: TestApi, path: string, form: string, client?: TestClient): Promise<TestResponse> {
  const headers = client ? { ...formType, authorization: basic(client) } : formType;
  return api.call({ method: 'POST', path, headers, body: form, scope: 'none' });
}

/** Creates a client through the API itself. */
export async function newClient(api: TestApi, projectKey: string, scopes: readonly string[]): Promise<TestClient> {
  const body = { name: 'Test', scopes };
  const scope = `manage_api_clients:${projectKey}`;
  const response = await api.call({ method: 'POST', path: `/${projectKey}/api-clients`, body, scope });
  assert.equal(response.status, 201, response.text);
  return response.json;
}

/** An API with one client of the project `shop`; closed with the test. */
export async function startWithClient(
  t: TestContext,
  scopes: readonly string[],
): Promise<{ api: TestApi; client: TestClient }> {
  const api = await startTestApi();
  t.after(() => api.close());
  return { api, client: await newClient(api, 'shop', scopes) };
}

/** An access token of the client with all of its scopes. */
export async function tokenOf(api: TestApi, client: TestClient): Promise<string> {
  const response = await postForm(api, '/oauth/token', 'grant_type=client_credentials', client);
  assert.equal(response.status, 200, response.text);
  return response.json.access_token;
}

/** The status of a read that needs `view_test:shop`: 404 with a good token, as there is nothing to read. */
export async function statusWith(api: TestApi, token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  return (await api.call({ path: '/shop/resource/none', headers })).status;
}

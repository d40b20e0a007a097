import type { CallService } from '../domain/ports/backend.ts';
import type { ModuleResources } from './define.ts';

const withoutBody: ReadonlySet<number> = new Set([204, 205, 304]);

/** Makes the client of a handler: the published one, whose requests go through the service as those of the caller. */
export async function loadModuleResources(): Promise<(projectKey: string, call: CallService) => ModuleResources> {
  const { createClient } = await import('#client');
  return (projectKey, call) => {
    const fetchInside: typeof fetch = async (input, { method = 'GET', headers, body } = {}) => {
      const { pathname, search } = new URL(String(input));
      const {
        status,
        headers: received,
        text,
      } = await call({
        method,
        path: pathname + search,
        headers: Object.fromEntries(new Headers(headers)),
        body: body ? await new Response(body).text() : undefined,
      });
      const kept = Object.entries(received).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, String(value)]],
      );
      return new Response(withoutBody.has(status) || method === 'HEAD' ? null : text, {
        status,
        headers: kept as [string, string][],
      });
    };
    // The service itself gives each request the token of the caller.
    const client = createClient({ baseUrl: 'http://service', projectKey, token: () => 'caller', fetch: fetchInside });
    return client.resources() as unknown as ModuleResources;
  };
}

/**
 * What the package exports. `defineAction`, `defineHook` and `defineBackend` load nothing more than themselves, as the service loads
 * modules that import them; the rest of the service is loaded by the first test server.
 */
import type { TestServer, TestServerOptions } from './test-server/types.ts';

export {
  type ActionHandler,
  type ActionName,
  type BackendModule,
  defineBackend,
  type ModuleRequest,
  type ModuleResources,
  type ModuleResponse,
} from './backend/define.ts';
export type { JsonArray, JsonObject, JsonValue, RawNumber } from './contract/json.ts';
export type { ArrayElement, ArrayTestType, ObjectTestType } from './contract/resource.ts';
export {
  type ActionDefinition,
  type ActionField,
  type ActionFields,
  type ActionTools,
  type ActionValues,
  defineAction,
  type Working,
} from './domain/resource/actions/define.ts';
export {
  defineHook,
  type HookChange,
  type HookDefinition,
  type HookDocuments,
  type HookResult,
} from './extensions/define-hook.ts';
export type { InjectedRequest, InjectedResponse, TestServer, TestServerOptions } from './test-server/types.ts';

/**
 * Starts the service in this process, for tests of what is built on it. Throws if a setting is invalid, the store cannot
 * be opened, or this Node is not supported.
 *
 *     await using server = await createTestServer();
 *     const response = await server.inject({ path: '/my-shop/resource', scope: 'view_test:my-shop' });
 */
export async function createTestServer(options?: TestServerOptions): Promise<TestServer> {
  // Of the commands, which say it as well. No module of the service loads on such a Node.
  const { nodeProblem } = await import(new URL('../bin/supported-node.js', import.meta.url).href);
  const problem: string | undefined = nodeProblem();
  if (problem !== undefined) throw new Error(problem);
  return (await import('./test-server/create-test-server.ts')).createTestServer(options);
}

import type { ActionRequest, ActionResponse } from '../domain/ports/backend.ts';
import { loadOperatorCode, runOperatorCode } from '../extensions/operator-code.ts';
import { acceptResponse, maxResponseBytes } from './action-response.ts';
import {
  type ActionHandler,
  type BackendModule,
  backendProblem,
  type ModuleRequest,
  type ModuleResources,
  type ModuleResponse,
} from './define.ts';
import { backendFailed, backendTimedOut, unregistered } from './errors.ts';
import type { OpenedBackend } from './http/backend.ts';
import { loadModuleResources } from './module-resources.ts';
import type { ModuleSettings } from './settings.ts';

/** Loads a backend of the operator. Throws an error that names the file, which ends the start. */
export async function openModuleBackend({ file }: ModuleSettings, timeoutMs: number): Promise<OpenedBackend> {
  const { handlers } = await loadOperatorCode<BackendModule>(file, 'backend', backendProblem);
  const resourcesOf = await loadModuleResources();
  return {
    async call(request) {
      const handler = handlers[request.action];
      if (handler === undefined) throw unregistered(request);
      const resources = () => resourcesOf(request.projectKey, request.callService!);
      return runHandler((sent) => runOperatorCode(file, () => handler(sent)), request, resources, timeoutMs);
    },
    close() {},
  };
}

/** Waits for a handler until its time is over: then its signal is aborted, and its result is ignored. */
async function runHandler(
  handler: ActionHandler,
  request: ActionRequest,
  resources: () => ModuleResources,
  timeoutMs: number,
): Promise<ActionResponse> {
  const end = new AbortController();
  const { promise: overtime, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    reject(backendTimedOut(timeoutMs));
    end.abort();
  }, timeoutMs);
  try {
    const response = await Promise.race([
      callHandler(handler, moduleRequest(request, resources, end.signal)),
      overtime,
    ]);
    const { status, text, etag } = readResponse(response);
    if (Buffer.byteLength(text) > maxResponseBytes) throw backendFailed(`sent more than ${maxResponseBytes} bytes`);
    if (typeof status !== 'number' || !Number.isInteger(status) || status < 200 || status > 599) {
      throw backendFailed('sent a response without a valid HTTP status');
    }
    return acceptResponse(request, status, text, etag);
  } finally {
    clearTimeout(timer);
  }
}

/** A handler may throw or reject. */
async function callHandler(handler: ActionHandler, request: ModuleRequest): Promise<unknown> {
  try {
    return await handler(request);
  } catch (error) {
    throw backendFailed('failed', error);
  }
}

/** Getters and proxies are code of the module too, and may throw as its handlers may. */
function readResponse(response: unknown): { readonly status: unknown; readonly text: string; readonly etag: unknown } {
  if (typeof response !== 'object' || response === null) throw backendFailed('sent no response with a body');
  try {
    const { status = 200, body, etag } = response as { readonly [name in keyof ModuleResponse]?: unknown };
    return { status, etag, text: JSON.stringify(body) ?? '' };
  } catch (error) {
    throw backendFailed('sent a response that is not JSON', error);
  }
}

function moduleRequest(request: ActionRequest, resources: () => ModuleResources, signal: AbortSignal): ModuleRequest {
  const { query, idempotency, callService: _, ...others } = request;
  const sent = { ...others, signal, query: new URLSearchParams(query), idempotencyKey: idempotency?.key };
  // Made when a handler asks for them. They are no part of the request that could be written or copied.
  return Object.defineProperty(sent, 'resources', { get: resources }) as unknown as ModuleRequest;
}

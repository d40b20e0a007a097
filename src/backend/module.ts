import { pathToFileURL } from 'node:url';
import type { ActionRequest, ActionResponse } from '../domain/ports/backend.ts';
import { runOperatorCode } from '../extensions/operator-code.ts';
import { acceptResponse, maxResponseBytes } from './action-response.ts';
import { type ActionHandler, type BackendModule, backendProblem, type ModuleRequest } from './define.ts';
import { backendFailed, backendTimedOut, unregistered } from './errors.ts';
import type { OpenedBackend } from './http/backend.ts';
import type { ModuleSettings } from './settings.ts';

/** Loads a backend written by the operator. Throws an error that names the file, so that a start stops there. */
export async function openModuleBackend({ file }: ModuleSettings, timeoutMs: number): Promise<OpenedBackend> {
  const { handlers } = await loadBackend(file);
  return {
    async call(request) {
      const handler = handlers[request.action];
      if (handler === undefined) throw unregistered(request);
      return runHandler((sent) => runOperatorCode(file, () => handler(sent)), request, timeoutMs);
    },
    close() {},
  };
}

async function loadBackend(file: string): Promise<BackendModule> {
  let backend: unknown;
  try {
    backend = (await import(pathToFileURL(file).href)).default;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${file}: the backend cannot be loaded: ${reason}`, { cause: error });
  }
  const problem = backendProblem(backend);
  if (problem !== undefined) throw new Error(`${file}: ${problem}`);
  return backend as BackendModule;
}

/** Waits for a handler no longer than the time; what it does after that is lost, and its signal tells it. */
async function runHandler(handler: ActionHandler, request: ActionRequest, timeoutMs: number): Promise<ActionResponse> {
  const end = new AbortController();
  const { promise: overtime, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    reject(backendTimedOut(timeoutMs));
    end.abort();
  }, timeoutMs);
  try {
    const answer = await Promise.race([answerOf(handler, moduleRequest(request, end.signal)), overtime]);
    const { status, text } = readAnswer(answer);
    if (Buffer.byteLength(text) > maxResponseBytes) throw backendFailed(`answered more than ${maxResponseBytes} bytes`);
    if (!isHttpStatus(status)) throw backendFailed('gave an answer without a status of HTTP');
    return acceptResponse(status, text);
  } finally {
    clearTimeout(timer);
  }
}

/** A handler may throw at once or later; what it throws is for the log. */
async function answerOf(handler: ActionHandler, request: ModuleRequest): Promise<unknown> {
  try {
    return await handler(request);
  } catch (error) {
    throw backendFailed('failed', error);
  }
}

/** Getters and proxies are code of the module too, and may throw as its handlers may. */
function readAnswer(answer: unknown): { readonly status: unknown; readonly text: string } {
  if (typeof answer !== 'object' || answer === null) throw backendFailed('gave no answer with a body');
  try {
    const { status = 200, body } = answer as { readonly status?: unknown; readonly body?: unknown };
    return { status, text: JSON.stringify(body) ?? '' };
  } catch (error) {
    throw backendFailed('gave an answer that is not JSON', error);
  }
}

function isHttpStatus(status: unknown): status is number {
  return typeof status === 'number' && Number.isInteger(status) && status >= 200 && status <= 599;
}

function moduleRequest(request: ActionRequest, signal: AbortSignal): ModuleRequest {
  const { projectKey, action, json, headers, clientId, externalUserId, correlationId, idempotency } = request;
  return {
    ...{ projectKey, action, json, headers, clientId, externalUserId, correlationId, signal },
    query: new URLSearchParams(request.query),
    idempotencyKey: idempotency?.key,
  };
}

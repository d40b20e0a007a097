import { isUtf8 } from 'node:buffer';
import type { Agent } from 'node:http';
import { actionTable } from '../../contract/backend-actions.ts';
import { malformedParameter } from '../../contract/errors.ts';
import { stringifyJson } from '../../domain/json/parse.ts';
import type { ActionRequest, ActionResponse, Backend } from '../../domain/ports/backend.ts';
import { type AddressGuard, createAddressGuard, type ResolveAll } from '../../network/address-guard.ts';
import { createAgent, type ExchangeResult, exchange, type Outgoing } from '../../network/exchange.ts';
import { acceptResponse, maxResponseBytes } from '../action-response.ts';
import { backendFailed, backendTimedOut, unregistered } from '../errors.ts';
import type { CircuitBreaker } from './circuit-breaker.ts';
import type { HttpSettings } from './settings.ts';

export interface HttpBackendDeps {
  readonly timeoutMs: number;
  readonly nowMs: () => number;
  readonly resolve: ResolveAll | undefined;
  readonly circuit: CircuitBreaker;
}

/** A backend that must be closed. */
export interface OpenedBackend extends Backend {
  close(): void;
}

/** A backend behind a URL of the operator (decision 26). */
export function createHttpBackend(settings: HttpSettings, deps: HttpBackendDeps): OpenedBackend {
  const { url, allow, maxConcurrent, ca } = settings;
  const { protocol } = new URL(url);
  // Without TLS only to addresses that the operator named: requests to the internet are encrypted.
  const guard = createAddressGuard(allow, protocol === 'http:', deps.resolve);
  const agent = createAgent(protocol, { maxSockets: maxConcurrent, ca });
  return {
    call: (request) => callWithin(settings, deps, request, outgoingOf(settings, request, agent, guard)),
    close: () => agent.destroy(),
  };
}

async function callWithin(
  { actions }: HttpSettings,
  { circuit, timeoutMs, nowMs }: HttpBackendDeps,
  request: ActionRequest,
  outgoing: Outgoing,
): Promise<ActionResponse> {
  if (!actions.includes(request.action)) throw unregistered(request);
  circuit.enter();
  let succeeded = false;
  try {
    const deadlineMs = nowMs() + timeoutMs;
    let outcome = await exchange(outgoing, timeoutMs);
    // Only a read is repeated: a write may have been carried out before the connection broke.
    if ('failure' in outcome && outcome.failure === 'unreachable' && outgoing.method === 'GET') {
      outcome = await exchange(outgoing, deadlineMs - nowMs());
    }
    const { status, text, etag } = receivedOf(outcome, timeoutMs);
    succeeded = status < 500;
    return acceptResponse(request, status, text, etag);
  } finally {
    circuit.leave(succeeded);
  }
}

function receivedOf(outcome: ExchangeResult, timeoutMs: number) {
  if ('failure' in outcome) {
    if (outcome.failure === 'timedOut') throw backendTimedOut(timeoutMs);
    if (outcome.failure === 'tooLarge') throw backendFailed(`sent more than ${maxResponseBytes} bytes`);
    if (outcome.failure === 'denied') throw backendFailed('has an address that is not allowed', outcome.cause);
    throw backendFailed('cannot be reached', outcome.cause);
  }
  const { status, contentType, etag, bytes } = outcome;
  const isJson = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(contentType);
  if (status >= 200 && status < 300 && !isJson) throw backendFailed('sent a response that is not application/json');
  if (!isUtf8(bytes)) throw backendFailed('sent a response that is not UTF-8');
  return { status, etag, text: isJson ? bytes.toString('utf8') : '' };
}

function outgoingOf(settings: HttpSettings, request: ActionRequest, agent: Agent, guard: AddressGuard): Outgoing {
  const { method, segment } = actionTable[request.action];
  const url = new URL(settings.url.replaceAll('{projectKey}', request.projectKey));
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/${segment}`;
  url.search = request.query;
  const body = request.json === undefined ? '' : stringifyJson(request.json);
  const headers = headersOf(settings, request, body);
  return { url, method, headers, body, agent, guard, maxBytes: maxResponseBytes };
}

/** Nothing else is sent, above all not the caller's credentials. The operator's own headers come last. */
function headersOf(settings: HttpSettings, request: ActionRequest, body: string): Record<string, string> {
  const { projectKey, clientId, externalUserId, correlationId, idempotency, headers } = request;
  for (const [name, value] of Object.entries(headers)) checkHeader(name, value);
  return {
    accept: 'application/json',
    'accept-encoding': 'identity',
    ...headers,
    'x-correlation-id': correlationId,
    'x-project-key': projectKey,
    'x-client-id': clientId,
    ...(externalUserId !== undefined && { 'x-external-user-id': externalUserId }),
    ...(idempotency && { 'idempotency-key': idempotency.key }),
    ...(body !== '' && { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }),
    ...settings.headers,
  };
}

/** RFC 9110 §5.5: visible characters, spaces and tabs. Node.js would throw an error for others. */
function checkHeader(name: string, value: string): void {
  if (/[^\t\x20-\x7e\x80-\xff]/.test(value)) throw malformedParameter(name, 'expected no control characters');
}

import { returnsCart } from '../contract/backend-actions.ts';
import { ServiceError } from '../contract/errors.ts';
import { parseJson } from '../domain/json/parse.ts';
import type { Backend, Backends } from '../domain/ports/backend.ts';
import type { ResolveAll } from '../network/address-guard.ts';
import type { Log } from '../telemetry/log.ts';
import { createEmbeddedBackend, type EmbeddedBackendDeps } from './embedded/backend.ts';
import { cartTag, makeCartText } from './embedded/cart-cache.ts';
import { backendFailed } from './errors.ts';
import type { OpenedBackend } from './http/backend.ts';
import { type CircuitState, createCircuitBreaker } from './http/circuit-breaker.ts';
import type { HttpSettings } from './http/settings.ts';
import { openModuleBackend } from './module.ts';
import { type BackendSettings, readBackendSettings } from './settings.ts';
import type { FindImages } from './variant-images.ts';
import { withIdempotency } from './with-idempotency.ts';
import { withMetrics } from './with-metrics.ts';

export interface BackendsDeps extends EmbeddedBackendDeps {
  /** The file of backends; undefined: all projects have the embedded one. */
  readonly file: string | undefined;
  readonly timeoutMs: number;
  readonly log: Log;
  /** Resolves the host names of http backends; by default as the system does. */
  readonly resolve?: ResolveAll;
}

/** In the metrics. No project key has parentheses, so it is unique. */
const fallbackName = '(default)';

/** Opens the backend of every project. Throws with all problems of the file, or of a module that cannot be used. */
export async function openBackends(deps: BackendsDeps): Promise<Backends> {
  const settings = readBackendSettings(deps.file);
  const local = createEmbeddedBackend(deps);
  const opened: OpenedBackend[] = [];
  const open = async (name: string, one: BackendSettings): Promise<Backend> => {
    if (one.kind === 'local') return withMetrics(local, deps.metrics, { backend: name, kind: one.kind });
    const remote = one.kind === 'http' ? await openHttp(name, one, deps) : await openModuleBackend(one, deps.timeoutMs);
    opened.push(remote);
    const backend = withIdempotency(withCarts(remote, deps.findImages), deps);
    return withMetrics(backend, deps.metrics, { backend: name, kind: one.kind });
  };
  const projects = new Map<string, Backend>();
  const fallback = await open(fallbackName, settings.fallback);
  for (const [projectKey, one] of settings.projects) projects.set(projectKey, await open(projectKey, one));
  return {
    of: (projectKey) => projects.get(projectKey) ?? fallback,
    describe(projectKey) {
      const own = settings.projects.get(projectKey);
      return { name: own ? projectKey : fallbackName, kind: (own ?? settings.fallback).kind };
    },
    close() {
      for (const backend of opened) backend.close();
    },
  };
}

const circuitLevels: Readonly<Record<CircuitState, number>> = { closed: 0, halfOpen: 0.5, open: 1 };

async function openHttp(name: string, settings: HttpSettings, deps: BackendsDeps): Promise<OpenedBackend> {
  // Loaded on demand, as most services have no such backend.
  const { createHttpBackend } = await import('./http/backend.ts');
  const { log, metrics, nowMs, timeoutMs, resolve } = deps;
  const { failuresToOpen, openMs, maxConcurrent, allow } = settings;
  if (allow.length > 0) log.write('info', 'backend-addresses-allowed', { backend: name, allow });
  const circuit = createCircuitBreaker({
    failuresToOpen,
    openMs,
    maxConcurrent,
    nowMs,
    onChange: (state) => log.write('warn', 'backend-circuit', { backend: name, state }),
  });
  metrics.gauge(
    'grs_backend_circuit',
    'Circuit breaker of a backend: 0 closed, 1 open, 0.5 trying again.',
    () => circuitLevels[circuit.state()],
    { backend: name },
  );
  return createHttpBackend(settings, { timeoutMs, nowMs, resolve, circuit });
}

/** E16 and E17 return a cart, whatever the backend: its response is completed like a document of the embedded one. */
function withCarts(backend: Backend, findImages: FindImages): Backend {
  return {
    async call(request) {
      const response = await backend.call(request);
      if (!returnsCart(request.action)) return response;
      try {
        const { projectKey } = request;
        const body = await makeCartText(projectKey, parseJson(response.body), { cartId: projectKey }, findImages);
        return { status: response.status, body, etag: cartTag(body) };
      } catch (error) {
        const isNoCart = error instanceof ServiceError && error.code === 'CartConflict';
        throw isNoCart ? backendFailed('sent a response that is not a cart', error) : error;
      }
    },
  };
}

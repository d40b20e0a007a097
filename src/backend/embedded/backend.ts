import { mergePatch } from '../../domain/json/values.ts';
import type { ActionResponse, Backend } from '../../domain/ports/backend.ts';
import type { ResourceRecord } from '../../domain/ports/resource-store.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import type { FindImages } from '../variant-images.ts';
import { type BatchedWritesDeps, batchWrites } from './batched-writes.ts';
import { type CartText, cacheCarts } from './cart-cache.ts';
import { backendProject, storedOf, valueTag } from './record.ts';

export interface EmbeddedBackendDeps extends BatchedWritesDeps {
  readonly findImages: FindImages;
  readonly metrics: Metrics;
}

/** The embedded backend (decision 26): a document and a value for each project, in the store of resources. */
export function createEmbeddedBackend(deps: EmbeddedBackendDeps): Backend {
  const write = batchWrites(deps);
  const cartOf = cacheCarts(deps.findImages, deps.metrics);
  return {
    async call(request) {
      const { action, projectKey, json = null } = request;
      const document = () => deps.store.get(backendProject(projectKey), 'document');
      switch (action) {
        case 'POST namespace-action':
          return write({ request, id: 'document', edit: (before) => mergePatch(before, json) });
        case 'PUT json-serializable-primitive-type':
          return write({ request, id: 'value', edit: () => json });
        case 'GET namespace-action':
          return documentResponse(await document());
        case 'GET namespace-action-with-example':
        case 'GET namespace-action-with-headers':
          return cartResponse(await cartOf(projectKey, await document()));
        default:
          return action satisfies never;
      }
    },
  };
}

function documentResponse(record: ResourceRecord | undefined): ActionResponse {
  if (record === undefined) return { status: 200, body: '{}', etag: valueTag(0, undefined) };
  const { text, writes } = storedOf(record);
  return { status: 200, body: text, etag: valueTag(writes, record) };
}

const cartResponse = ({ text, etag }: CartText): ActionResponse => ({ status: 200, body: text, etag });

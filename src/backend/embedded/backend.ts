import { mergePatch } from '../../domain/json/values.ts';
import type { ActionResponse, Backend } from '../../domain/ports/backend.ts';
import type { ResourceRecord } from '../../domain/ports/resource-store.ts';
import { noteUse } from '../../domain/sessions/sessions.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import type { FindImages } from '../variant-images.ts';
import { type BatchedWritesDeps, batchWrites } from './batched-writes.ts';
import { type CartText, cacheCarts } from './cart-cache.ts';
import { type Place, placeOf, storedOf, valueTag } from './record.ts';
import { createSessionQuota } from './session-upkeep.ts';

export interface EmbeddedBackendDeps extends BatchedWritesDeps {
  readonly findImages: FindImages;
  readonly metrics: Metrics;
}

/** The embedded backend (decision 26): a document and a value for each project and each session, in the store of resources. */
export function createEmbeddedBackend(deps: EmbeddedBackendDeps): Backend {
  const { store, nowMs } = deps;
  const write = batchWrites({ ...deps, admitSession: createSessionQuota(store, nowMs) });
  const cartOf = cacheCarts(deps.findImages, deps.metrics);
  return {
    async call(request) {
      const { action, projectKey, json = null } = request;
      const place = placeOf(request, 'document');
      const document = async () => {
        const record = await store.get(place.projectKey, place.id);
        // A use that cannot be noted, as on a full disk, must not fail the read.
        if (record && place.session !== undefined) await noteUse(store, record, nowMs()).catch(() => undefined);
        return record;
      };
      switch (action) {
        case 'POST namespace-action':
          return write({ request, id: 'document', edit: (before) => mergePatch(before, json) });
        case 'PUT json-serializable-primitive-type':
          return write({ request, id: 'value', edit: () => json });
        case 'GET namespace-action':
          return documentResponse(await document(), place);
        case 'GET namespace-action-with-example':
        case 'GET namespace-action-with-headers':
          return cartResponse(await cartOf(projectKey, await document(), place));
        default:
          return action satisfies never;
      }
    },
  };
}

function documentResponse(record: ResourceRecord | undefined, place: Place): ActionResponse {
  const { text, writes } = storedOf(record, place) ?? { text: '{}', writes: 0 };
  return { status: 200, body: text, etag: valueTag(writes, writes === 0 ? undefined : record) };
}

const cartResponse = ({ text, etag }: CartText): ActionResponse => ({ status: 200, body: text, etag });

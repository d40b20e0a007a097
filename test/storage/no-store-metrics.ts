import type { StoreMetrics } from '../../src/telemetry/store-metrics.ts';

export const noStoreMetrics: StoreMetrics = {
  recordCommit() {},
  recordQuery() {},
  recordWaiting() {},
  recordRead() {},
  recordCache() {},
  recordMirror() {},
};

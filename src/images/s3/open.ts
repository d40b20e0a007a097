import type { ImageStore } from '../../domain/ports/image-store.ts';
import type { Log } from '../../telemetry/log.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import type { S3Credentials } from './client.ts';
import { parseS3Location } from './location.ts';
import { createS3Metrics } from './metrics.ts';
import { createS3Store } from './store.ts';

export interface S3Parts {
  readonly credentials: S3Credentials;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly nowMs: () => number;
}

/** Opens the object storage that an `s3://` address names; answers what is wrong with the address. Sends nothing yet. */
export function openS3Store(address: string, parts: S3Parts): ImageStore | { readonly problem: string } {
  const location = parseS3Location(address);
  if ('problem' in location) return location;
  return createS3Store({ ...parts, location, metrics: createS3Metrics(parts.metrics) });
}

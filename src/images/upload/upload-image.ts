import { hash } from 'node:crypto';
import { ServiceError } from '../../contract/errors.ts';
import { checkVariant, decideAddImage } from '../../domain/image/add-image.ts';
import { chooseVariant, type WantedVariant } from '../../domain/image/choose-variant.ts';
import type { ImageType } from '../../domain/image/file-name.ts';
import { variantProjectOf } from '../../domain/image/variant.ts';
import type { DocumentWrite } from '../../domain/ports/resource-store.ts';
import { commitDecided, type Write, type WriteResponse } from '../../domain/resource/write/commit.ts';
import { type Decision, type Outcome, withDocumentWrites } from '../../domain/resource/write/decision.ts';
import { badImage } from '../codec/container/structure.ts';
import type { Spool, Spooled } from '../files/spool.ts';
import { discardImage, type StoredImage, type StoreImageParts, storeImage } from './store-image.ts';

export interface UploadParts extends StoreImageParts {
  readonly spool: Spool;
}

/** An upload as a request describes it (E13). */
export interface UploadRequest {
  /** The project, conditions and Idempotency-Key of the request; the hash is of the request without its body. */
  readonly write: Write;
  readonly wanted: WantedVariant;
  readonly staged: boolean;
  readonly type: ImageType;
  readonly filename: string | undefined;
  /** The size of the body where it is known; else the most it may have. */
  readonly expectedBytes: number;
  readonly body: AsyncIterable<Uint8Array>;
}

/** Adds an image to a variant (decision 25). What can be refused without the body is refused before it is read. */
export async function uploadImage(parts: UploadParts, request: UploadRequest): Promise<WriteResponse> {
  const { write, wanted, expectedBytes, body } = request;
  // A repeat gets the first response, even where nothing more can be uploaded.
  if (write.idempotency === undefined) {
    checkVariant(await chooseVariant(parts.store, write.projectKey, wanted), write.preconditions);
    await parts.quota.check(write.projectKey, 0);
  }
  const spooled = await parts.spool.receive(body, expectedBytes);
  try {
    if (spooled.sizeBytes === 0) throw badImage('the body is empty; expected the bytes of an image');
    return await commitImage(parts, request, spooled);
  } finally {
    await parts.spool.remove(spooled);
  }
}

async function commitImage(parts: UploadParts, request: UploadRequest, spooled: Spooled): Promise<WriteResponse> {
  const { write, wanted, staged, type, filename } = request;
  const { projectKey, context, preconditions } = write;
  let stored: StoredImage | undefined;
  const decide = async (): Promise<Decision> => {
    const chosen = await chooseVariant(parts.store, projectKey, wanted);
    checkVariant(chosen, preconditions);
    // Once, however often the write is decided, and not at all for a repeat.
    stored ??= await storeImage(parts, { projectKey, spooled, type, filename });
    const decision = decideAddImage(projectKey, chosen, stored.facts, staged, context);
    return withDocumentWrites(decision, [uploadOf(decision.outcome, context)]);
  };
  try {
    return await commitDecided(namespaced(write, spooled), decide);
  } catch (error) {
    // After other errors the row may have been written: the sweeper will find out.
    if (stored !== undefined && error instanceof ServiceError && error.status < 500)
      await discardImage(parts, stored.written);
    throw error;
  }
}

/** The log entry of an upload: the variant is not a resource of the project. */
function uploadOf({ record }: Outcome, context: Write['context']): DocumentWrite {
  const { nowIso: at, clientId, externalUserId, correlationId } = context;
  const origin = { type: 'imageUploaded', cause: 'image', at, clientId, externalUserId, correlationId } as const;
  return { name: record.id, version: record.version, origin };
}

/** The write to the project of the variants. A repeat is recognized by its bytes as well. */
function namespaced(write: UploadRequest['write'], { sha256 }: Spooled): UploadRequest['write'] {
  const { idempotency } = write;
  return {
    ...write,
    projectKey: variantProjectOf(write.projectKey),
    idempotency: idempotency && {
      scope: idempotency.scope,
      requestHash: hash('sha256', `${idempotency.requestHash}\n${sha256}`, 'hex'),
    },
  };
}

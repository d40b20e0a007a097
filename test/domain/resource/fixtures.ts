import { ServiceError } from '../../../src/contract/errors.ts';
import type { JsonObject, JsonValue } from '../../../src/contract/json.ts';
import { checkDraft } from '../../../src/contract/resource.ts';
import { checkUpdate } from '../../../src/contract/update.ts';
import { parseJson } from '../../../src/domain/json/parse.ts';
import { createActions } from '../../../src/domain/resource/actions/index.ts';
import { parseRecord, type StoredResource } from '../../../src/domain/resource/resource.ts';
import type { Decision, WriteContext } from '../../../src/domain/resource/write/decision.ts';
import { type DraftMode, decideDraft } from '../../../src/domain/resource/write/draft.ts';
import type { Preconditions } from '../../../src/domain/resource/write/preconditions.ts';
import { decideActions } from '../../../src/domain/resource/write/update.ts';

export const actions = createActions();

/** A context at a second of a fixed minute. */
export function contextAt(second: number, over: Partial<WriteContext> = {}): WriteContext {
  const nowIso = `2026-05-04T09:12:${String(second).padStart(2, '0')}.000Z`;
  return { nowIso, clientId: 'shop.writer', newId: () => 'new-id', maxDocumentBytes: 1_048_576, ...over };
}

/** Decides a draft given as JSON text. */
export function draftOn(
  target: StoredResource | undefined,
  mode: DraftMode,
  body: string,
  conditions: Preconditions = {},
  context = contextAt(1),
): Decision {
  return decideDraft(target, checkDraft(parseJson(body)), mode, conditions, 'shop', context);
}

/** Decides a list of actions in the current version. */
export function actionsOn(target: StoredResource, list: string, context = contextAt(2), known = actions): Decision {
  const body = parseJson(`{"version":${target.resource.version},"actions":${list}}`);
  return decideActions(target, checkUpdate(body), known, {}, context);
}

/** The resource after a decision, read back from what the store would keep. */
export function after({ outcome }: Decision): StoredResource {
  return parseRecord(outcome.record);
}

/** A resource that a POST made. */
export function created(body: string): StoredResource {
  return after(draftOn(undefined, 'replaceFields', body));
}

/** The client's own fields of a resource. */
export function own(kept: StoredResource): JsonObject {
  return kept.resource.current;
}

/** The refusal that a function throws, as status, code, message and details. */
export function refusalOf(run: () => unknown): {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
} {
  try {
    run();
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const { status, code, message, details } = error;
    return { status, code, message, details };
  }
  throw new Error('nothing was refused');
}

/** The path and the problem that a check names. */
export function problemOf(run: () => unknown): JsonValue {
  return refusalOf(run).details.detailedErrorMessage as string;
}

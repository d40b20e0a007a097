import { ServiceError } from '../contract/errors.ts';
import type { JsonValue } from '../contract/json.ts';
import { parseJson } from '../domain/json/parse.ts';
import type { ActionResponse } from '../domain/ports/backend.ts';
import { backendFailed } from './errors.ts';

/** Longest answer of a backend. */
export const maxResponseBytes = 1_048_576;

/** Refusals that are about the request. Others are between the service and its backend: to a client they are 502. */
const passedOn: ReadonlySet<number> = new Set([400, 404, 409, 410, 412, 422]);

/** Successes without a body, and of a part of one: to a client they would be an empty or a broken answer (decision 1). */
const withoutWholeBody: ReadonlySet<number> = new Set([204, 205, 206]);

/** Details longer than this are left out of a refusal. */
const maxDetailsChars = 16_384;

/**
 * Takes the answer of a backend: 2xx with a JSON text goes on as it is, a refusal in our shape of errors (decision 2),
 * anything else is 502 `BackendFailed`.
 */
export function acceptResponse(status: number, text: string): ActionResponse {
  if (status >= 300 && status < 400) throw backendFailed(`answered with a redirect (${status}), which is not followed`);
  if (passedOn.has(status)) throw refusal(status, text);
  if (status < 200 || status >= 300) throw backendFailed(`failed with status ${status}`);
  if (text === '' || withoutWholeBody.has(status)) {
    throw backendFailed(`answered ${status} without a whole body, JSON expected`);
  }
  jsonOf(text);
  return { status, body: text };
}

function jsonOf(text: string): JsonValue {
  try {
    return parseJson(text);
  } catch (error) {
    throw backendFailed('gave an answer that is not JSON', error);
  }
}

/** What the backend says goes along only where it is JSON: no raw text of another system. */
function refusal(status: number, text: string): ServiceError {
  const details = text === '' || text.length > maxDetailsChars ? {} : { details: jsonOf(text) };
  return new ServiceError('BackendRefused', `The backend refused the action with ${status}.`, details, {}, status);
}

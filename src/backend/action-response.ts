import { ServiceError } from '../contract/errors.ts';
import type { JsonValue } from '../contract/json.ts';
import { parseJson } from '../domain/json/parse.ts';
import type { ActionRequest, ActionResponse } from '../domain/ports/backend.ts';
import { backendFailed } from './errors.ts';

/** Longest response of a backend. */
export const maxResponseBytes = 1_048_576;

/** Refusals that are about the request. Others are between the service and its backend: for a client they are 502. */
const passedOn: ReadonlySet<number> = new Set([400, 404, 409, 410, 412, 422]);

/** Successes without a body, or with a part of one: a client would get an empty or broken response (decision 1). */
const withoutWholeBody: ReadonlySet<number> = new Set([204, 205, 206]);

/** Longer details are left out of a refusal. */
const maxDetailsChars = 16_384;

/** An entity tag in the form of RFC 9110 §8.8.3. */
const entityTag = /^(?:W\/)?"[\x21\x23-\x7e\x80-\xff]{0,256}"$/;

/**
 * The response to a client from that of a backend: a 2xx with a JSON text as it is, a refusal as an error of ours
 * (decision 2), and 304 to a request with If-None-Match. Anything else is 502 `BackendFailed`. An entity tag is passed on
 * if it is well-formed.
 */
export function acceptResponse(request: ActionRequest, status: number, text: string, tag?: unknown): ActionResponse {
  const etag = typeof tag === 'string' && entityTag.test(tag) ? tag : undefined;
  const isConditional = request.json === undefined && request.headers['if-none-match'] !== undefined;
  if (status === 304 && isConditional) return { status, body: '', etag };
  if (status >= 300 && status < 400)
    throw backendFailed(`responded with a redirect (${status}), which is not followed`);
  if (passedOn.has(status)) throw refusal(status, text);
  if (status < 200 || status >= 300) throw backendFailed(`failed with status ${status}`);
  if (text === '' || withoutWholeBody.has(status)) {
    throw backendFailed(`responded with ${status} and without a whole body; expected JSON`);
  }
  jsonOf(text);
  return { status, body: text, etag };
}

function jsonOf(text: string): JsonValue {
  try {
    return parseJson(text);
  } catch (error) {
    throw backendFailed('sent a response that is not JSON', error);
  }
}

/** The backend's details are passed on where they are JSON, never as the raw text of another system. */
function refusal(status: number, text: string): ServiceError {
  const details = text === '' || text.length > maxDetailsChars ? {} : { details: jsonOf(text) };
  return new ServiceError('BackendRefused', `The backend refused the action with ${status}.`, details, {}, status);
}

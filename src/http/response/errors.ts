import { errorBody, ServiceError } from '../../contract/errors.ts';
import type { HttpResponse } from '../route.ts';

/**
 * The response to anything thrown (decision 2). A `ServiceError` is sent as it is; of anything else, a bug or a failed
 * part of the service, the client learns the correlation id and nothing more. `oauth`: with `error` and
 * `error_description`, as the clients of the token endpoint expect them.
 */
export function errorResponse(error: unknown, correlationId: string, form: 'usual' | 'oauth' = 'usual'): HttpResponse {
  const refusal = error instanceof ServiceError ? error : internalError(correlationId);
  const { code, message, details, status } = refusal;
  const body = errorBody(code, message, details, status);
  return {
    status,
    body: JSON.stringify(form === 'oauth' ? { error: oauthCode(status), error_description: message, ...body } : body),
    headers: { ...challenge(refusal), ...refusal.headers },
  };
}

/** What the token endpoint calls an error that is not OAuth's own: its clients look for `error` in every response. */
function oauthCode(status: number): string {
  if (status === 429 || status === 503) return 'temporarily_unavailable';
  return status >= 500 ? 'server_error' : 'invalid_request';
}

/** True for an error that nobody decided on: to be logged with all its text. */
export function isInternal(error: unknown): boolean {
  return !(error instanceof ServiceError);
}

function internalError(correlationId: string): ServiceError {
  return new ServiceError('General', `The service failed. Its log has the details under ${correlationId}.`);
}

/** Every 401 says how to authenticate (RFC 9110 §15.5.2), unless the refusal does so in its own words. */
function challenge({ code, message }: ServiceError): Readonly<Record<string, string>> {
  if (code === 'invalid_client') return { 'www-authenticate': 'Basic realm="token endpoint", charset="UTF-8"' };
  if (code !== 'invalid_token') return {};
  // RFC 6750 §3: no quotes, no backslashes, ASCII only.
  const description = message.replace(/[^\x20-\x7e]|["\\]/g, '?');
  return { 'www-authenticate': `Bearer error="invalid_token", error_description="${description}"` };
}

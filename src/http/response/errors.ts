import { errorBody, ServiceError } from '../../contract/errors.ts';
import type { HttpResponse } from '../route.ts';

/**
 * The response for anything thrown (decision 2). A `ServiceError` is sent as it is. Of any other error, a bug or a failed
 * part of the service, the client gets only the correlation id. `oauth` adds `error` and `error_description`, which
 * clients of the token endpoint expect.
 */
export function errorResponse(error: unknown, correlationId: string, form: 'usual' | 'oauth' = 'usual'): HttpResponse {
  const known = error instanceof ServiceError ? error : internalError(correlationId);
  const { message, status } = known;
  const body = errorBody(known);
  return {
    status,
    body: JSON.stringify(form === 'oauth' ? { error: oauthCode(status), error_description: message, ...body } : body),
    headers: { ...challenge(known), ...known.headers },
  };
}

/** The OAuth code for an error that OAuth does not define: clients of the token endpoint read `error` in every response. */
function oauthCode(status: number): string {
  if (status === 429 || status === 503) return 'temporarily_unavailable';
  return status >= 500 ? 'server_error' : 'invalid_request';
}

/** True for an unexpected error, which is logged with its stack. */
export function isInternal(error: unknown): boolean {
  return !(error instanceof ServiceError);
}

function internalError(correlationId: string): ServiceError {
  return new ServiceError(
    'General',
    `The service failed. Its log has the details under the correlation id ${correlationId}.`,
  );
}

/** Every 401 says how to authenticate (RFC 9110 §15.5.2). Headers of the error itself take precedence. */
function challenge({ code, message }: ServiceError): Readonly<Record<string, string>> {
  if (code === 'invalid_client') return { 'www-authenticate': 'Basic realm="token endpoint", charset="UTF-8"' };
  if (code !== 'invalid_token') return {};
  // RFC 6750 §3: no quotes, no backslashes, ASCII only.
  const description = message.replace(/[^\x20-\x7e]|["\\]/g, '?');
  return { 'www-authenticate': `Bearer error="invalid_token", error_description="${description}"` };
}

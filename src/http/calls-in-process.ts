import type { RequestListener } from 'node:http';
import type { InjectOptions } from 'light-my-request';
import type { ServiceCall, ServiceResponse } from '../domain/ports/backend.ts';

/** Makes the function that sends a request through the whole service without a socket: with all checks, as from a client. */
export function createCallService(handle: () => RequestListener) {
  return async ({ method, path, headers, body }: ServiceCall): Promise<ServiceResponse> => {
    const { default: send } = await import('light-my-request');
    const request = { method, url: path, headers, ...(body !== undefined && { payload: body }) } as InjectOptions;
    const response = await send(handle() as Parameters<typeof send>[0], request);
    return { status: response.statusCode, headers: response.headers, text: response.payload };
  };
}

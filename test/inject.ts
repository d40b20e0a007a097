import type { RequestListener } from 'node:http';
import lightMyRequest, { type InjectOptions, type Response } from 'light-my-request';

/** Sends a request through the whole service but for the socket. */
export function inject(server: { readonly handle: RequestListener }, request: InjectOptions): Promise<Response> {
  return lightMyRequest(server.handle as Parameters<typeof lightMyRequest>[0], request);
}

import type { Cart } from '../dist/api-types.js';
import type { ApiCall, Requester } from './request.ts';

/** A document of the backend that is kept for one visitor (E14–E18 with `X-Session-Id`). Needs the scope use_backend. */
export interface Session {
  /** The document as a cart, with images and the sum. */
  cart(): Promise<Cart>;
  /** The document as it was written; `{}` before the first write. */
  read<T = Record<string, unknown>>(): Promise<T>;
  /** Merges into the document: an object by its members, of which `null` removes one; anything else replaces it. Returns the document. */
  write<T = Record<string, unknown>>(patch: unknown): Promise<T>;
}

export function createSession(request: Requester, id: string): Session {
  const headers = { 'x-session-id': id };
  const call = async (path: string, more: Omit<ApiCall, 'path' | 'headers'> = {}) =>
    (await request({ path: `/resource/${path}`, headers, ...more })).body;
  return {
    cart: async () => (await call('namespace-action-with-example')) as Cart,
    read: async <T>() => (await call('namespace-action')) as T,
    write: async <T>(patch: unknown) =>
      (await call('namespace-action', { method: 'POST', body: patch, isIdempotent: true })) as T,
  };
}

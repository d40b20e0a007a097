import { servicePath } from '../api/base-address.ts';
import { ApiError, type Call, errorOf, pathOf, urlOf } from '../api/client.ts';
import { jsonOf } from '../api/json.ts';
import { tokenOf } from '../app/session.ts';
import { texts } from '../app/texts.ts';

/** Where an image goes. */
export interface Target {
  /** Empty: variant 1. */
  readonly sku: string;
  readonly isStaged: boolean;
}

/** The call that uploads a file. */
export function uploadCall(projectKey: string, file: File, { sku, isStaged }: Target): Call & { readonly body: Blob } {
  const query = new URLSearchParams({ filename: file.name, staged: String(isStaged) });
  if (sku.trim() !== '') query.set('sku', sku.trim());
  const headers = { 'content-type': file.type };
  return { method: 'POST', path: pathOf(projectKey, 'resource', 'images'), query, body: file, headers };
}

/** Uploads a file. Throws `ApiError`, and `AbortError` once it is aborted. */
export async function sendImage(
  projectKey: string,
  call: Call,
  onProgress: (percent: number) => void,
  signal: AbortSignal,
): Promise<void> {
  const token = await tokenOf(projectKey);
  // fetch does not say how much of a body is sent.
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', servicePath + urlOf(call));
    for (const [name, value] of Object.entries(call.headers ?? {})) request.setRequestHeader(name, value);
    request.setRequestHeader('authorization', `Bearer ${token}`);
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 100 : (loaded / total) * 100);
    request.onload = () => {
      const { status, responseText } = request;
      if (status >= 200 && status < 300) resolve();
      else reject(errorOf(status, jsonOf(responseText)));
    };
    request.onerror = () => reject(new ApiError(0, 'NoConnection', texts.offline));
    request.onabort = () => reject(new DOMException(texts.images.cancelled, 'AbortError'));
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.send(call.body ?? null);
  });
}

import { servicePath } from '../api/base-address.ts';
import { ApiError, type Call, pathOf, urlOf } from '../api/client.ts';
import { isMap, type JsonMap, parseJson } from '../api/json.ts';
import { accessToken } from '../app/session.ts';
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

/** What the response says of an error. */
function problemOf(status: number, text: string): ApiError {
  let body: JsonMap = {};
  try {
    const parsed = parseJson(text);
    if (isMap(parsed)) body = parsed;
  } catch {
    // A proxy answered: the status says what there is to say.
  }
  const [first] = (body.errors ?? []) as readonly JsonMap[];
  const message = first?.message ?? body.message ?? `HTTP ${status}`;
  return new ApiError(status, String(first?.code ?? 'Unknown'), String(message));
}

function sendOnce(
  call: Call,
  token: string,
  onProgress: (percent: number) => void,
  signal: AbortSignal,
): Promise<void> {
  // Only this interface of browsers tells how much of a body is sent.
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', servicePath + urlOf(call));
    for (const [name, value] of Object.entries(call.headers ?? {})) request.setRequestHeader(name, value);
    request.setRequestHeader('authorization', `Bearer ${token}`);
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 100 : (loaded / total) * 100);
    request.onload = () => {
      if (request.status >= 200 && request.status < 300) resolve();
      else reject(problemOf(request.status, request.responseText));
    };
    request.onerror = () => reject(new ApiError(0, 'NoConnection', texts.errors.offline));
    request.onabort = () => reject(new DOMException(texts.images.cancelled, 'AbortError'));
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.send(call.body ?? null);
  });
}

/** Uploads a file, with a token that is renewed where it ended. Throws `ApiError`, and `AbortError` once it is aborted. */
export async function sendImage(
  projectKey: string,
  call: Call,
  onProgress: (percent: number) => void,
  signal: AbortSignal,
): Promise<void> {
  await sendOnce(call, await accessToken(projectKey), onProgress, signal);
}

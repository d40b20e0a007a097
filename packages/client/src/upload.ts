/** Uploads in browsers, where only XMLHttpRequest tells how much of a body was sent. */

/** The part of XMLHttpRequest that is used, so that programs without the types of browsers can be compiled too. */
interface Upload {
  readonly upload: { onprogress: unknown };
  readonly status: number;
  readonly responseText: string;
  onload: unknown;
  onerror: unknown;
  onabort: unknown;
  onloadend: unknown;
  open(method: string, url: string): void;
  setRequestHeader(name: string, value: string): void;
  getAllResponseHeaders(): string;
  send(body: Blob): void;
  abort(): void;
}

/** Undefined outside of browsers. */
const browserUpload = Reflect.get(globalThis, 'XMLHttpRequest') as (new () => Upload) | undefined;

export const hasUploadProgress = browserUpload !== undefined;

/** What a single attempt sends beside its body. */
export interface AttemptInit {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly signal: AbortSignal;
}

/** The same as `fetch` with a blob. Rejects with `TypeError` if the connection fails, as fetch does. */
export function fetchWithProgress(
  url: string,
  { method, headers, signal }: AttemptInit,
  body: Blob,
  onProgress: (sentBytes: number) => void,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new browserUpload!();
    const abort = () => request.abort();
    request.open(method, url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded }: { readonly loaded: number }) => onProgress(loaded);
    request.onload = () => {
      const lines = request.getAllResponseHeaders().trim().split(/\r?\n/);
      const pairs = lines.map((line): [string, string] => {
        const colon = line.indexOf(':');
        return [line.slice(0, colon), line.slice(colon + 1).trim()];
      });
      resolve(new Response(request.responseText, { status: request.status, headers: pairs }));
    };
    request.onerror = () => reject(new TypeError('The connection failed.'));
    request.onabort = () => reject(signal.reason);
    request.onloadend = () => signal.removeEventListener('abort', abort);
    if (signal.aborted) reject(signal.reason);
    else {
      signal.addEventListener('abort', abort);
      request.send(body);
    }
  });
}

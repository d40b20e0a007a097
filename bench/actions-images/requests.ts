import type { MakeRequest } from '../load.ts';
import type { Target } from '../search/requests.ts';

function head({ project, token }: Target, method: string, path: string): string {
  return `${method} /${project}${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${token}\r\n`;
}

/** A request with a JSON body. */
export function writeJson(
  target: Target,
  method: string,
  path: string,
  bodyOf: (n: number) => string,
): (n: number) => string {
  const start = `${head(target, method, path)}content-type: application/json\r\ncontent-length: `;
  return (n) => {
    const body = bodyOf(n);
    return `${start}${Buffer.byteLength(body)}\r\n\r\n${body}`;
  };
}

/** A request without a body, with a token. */
export function readAs(target: Target, pathOf: (n: number) => string): (n: number) => string {
  return (n) => `${head(target, 'GET', pathOf(n))}\r\n`;
}

/** An upload of an image for the variant of the number; the address begins with `filename`. */
export function upload(target: Target, image: Buffer, type: string, pathOf: (n: number) => string): MakeRequest {
  return (n) => {
    const start = `${head(target, 'POST', `/resource/images?staged=false&${pathOf(n)}`)}content-type: ${type}\r\n`;
    return Buffer.concat([Buffer.from(`${start}content-length: ${image.length}\r\n\r\n`), image]);
  };
}

/** A request for a file that needs no token, by its whole path. */
export function readFile(method: string, pathOf: (n: number) => string, more = ''): MakeRequest {
  return (n) => `${method} ${pathOf(n)} HTTP/1.1\r\nhost: 127.0.0.1\r\n${more}\r\n`;
}

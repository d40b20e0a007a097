import type { MakeRequest } from '../load.ts';
import type { SearchDocument } from './corpus.ts';
import { type Question, searchParameters } from './questions.ts';

/** The project of the bench and a token for it. */
export interface Target {
  readonly project: string;
  readonly token: string;
}

function head({ project, token }: Target, method: string, path: string): string {
  return `${method} /${project}${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${token}\r\n`;
}

/** The load generator sends ASCII: other letters stand in JSON escapes, which mean the same. */
function asciiJson(value: unknown): string {
  const escaped = (letter: string) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value).replace(/[\u0080-\uffff]/g, escaped);
}

/** Creates the document that `documentAt` gives for each number. */
export function creates(target: Target, documentAt: (n: number) => SearchDocument): MakeRequest {
  const start = `${head(target, 'POST', '/resource')}content-type: application/json\r\ncontent-length: `;
  return (n) => {
    const body = asciiJson(documentAt(n));
    return `${start}${body.length}\r\n\r\n${body}`;
  };
}

/** Sends the queries one after the other. */
export function searches(target: Target, questions: readonly Question[]): MakeRequest {
  return searchesBy(target, questions.map(searchParameters));
}

/** The same of queries in the parameters of E4. */
export function searchesBy(target: Target, queries: readonly URLSearchParams[]): MakeRequest {
  const requests = queries.map((query) => `${head(target, 'GET', `/resource/searchApiPattern?${query}`)}\r\n`);
  return (n) => requests[n % requests.length]!;
}

/** Reads resources by id, evenly spread. */
export function reads(target: Target, ids: readonly string[]): MakeRequest {
  return (n) => {
    const at = (Math.imul(n + 1, 0x9e3779b1) >>> 0) % ids.length;
    return `${head(target, 'GET', `/resource/${ids[at]}`)}\r\n`;
  };
}

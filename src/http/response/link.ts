import type { HttpResponse } from '../route.ts';

/** A longer link is left out: clients bound the headers that they take. The body has the cursor at any length. */
const maxLinkChars = 4000;

/** Parameters that say where a page begins. */
const positions = /^(?:cursor|after|offset|tail)(?:=|$)/;

/**
 * Adds the link to the next page (RFC 8288) to a response that has one. `url` is that of the request, to which `baseUrl` is
 * prefixed: the public address, or else the path of the service.
 */
export function withLink(response: HttpResponse, url: string, baseUrl: string): HttpResponse {
  const { next, nextBy = 'cursor' } = response;
  if (next === undefined) return response;
  const mark = url.indexOf('?');
  const path = mark === -1 ? url : url.slice(0, mark);
  const pairs = mark === -1 ? [] : url.slice(mark + 1).split('&');
  const others = pairs.filter((pair) => !positions.test(pair));
  const link = `<${baseUrl}${path}?${[...others, `${nextBy}=${next}`].join('&')}>; rel="next"`;
  // A character that a header cannot have, or that would end the link.
  if (link.length > maxLinkChars || /[^\x21-\x7e ]|>.*>/.test(link)) return response;
  return { ...response, headers: { ...response.headers, link } };
}

import { malformedParameter, ServiceError } from '../../../contract/errors.ts';
import { checkDraft } from '../../../contract/resource.ts';
import { parseJson } from '../../../domain/json/parse.ts';
import { acceptWeight } from '../../response/accept.ts';
import type { ApiRequest } from '../../route.ts';

/** The headers of E17 (decision 27). Throws 406 or 400. */
export function checkActionHeaders({ headers }: ApiRequest): void {
  if (acceptWeight(headers.accept, 'application/json') === 0) {
    throw new ServiceError('NotAcceptable', `Accept ${headers.accept}: application/json is what is answered here.`);
  }
  const path = headers['path-header'];
  if (path === undefined)
    throw malformedParameter('Path-Header', 'the header is missing, a path such as /cart expected');
  if (!/^\/.*$/.test(path)) throw malformedParameter('Path-Header', 'a path that begins with / expected');
  if (headers['test-header'] !== undefined) checkTestHeader(headers['test-header']);
}

/** A resource as a header: a JSON object with the types of ObjectTestType. A header sent twice is no JSON. */
function checkTestHeader(text: string): void {
  try {
    // Header values reach us as bytes, one character each.
    checkDraft(parseJson(Buffer.from(text, 'latin1').toString('utf8')));
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const problem = String(error.details.detailedErrorMessage).replace(/^body: /, '');
    throw malformedParameter('Test-Header', `a JSON object in the shape of a resource expected; ${problem}`);
  }
}

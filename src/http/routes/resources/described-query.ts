import type { DescribedQuery } from '../../../telemetry/slow-queries.ts';
import type { ApiRequest } from '../../route.ts';

/** Where a list is continued says nothing of the query. */
const unsaid = 'cursor';

/** Describes the query of a request for the list of slow queries, when it is asked to. */
export function describeQuery(operation: string, request: ApiRequest): () => DescribedQuery {
  return () => {
    const { projectKey, url, bytes, caller, correlationId } = request;
    const mark = url.indexOf('?');
    const texts = [mark === -1 ? '' : url.slice(mark + 1), Buffer.from(bytes).toString()];
    const pairs = texts.flatMap((text) => [...new URLSearchParams(text)]).filter(([name]) => name !== unsaid);
    const parameters = Object.fromEntries(
      [...Map.groupBy(pairs, ([name]) => name)].map(([name, each]) => [name, each.map(([, value]) => value)]),
    );
    return { projectKey, operation, parameters, clientId: caller?.clientId, correlationId };
  };
}

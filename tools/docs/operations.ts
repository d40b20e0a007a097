import { markdownPage, markdownTable } from './markdown.ts';

/** What the page needs of an operation of the OpenAPI document. */
interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly responses: Readonly<Record<string, unknown>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

const introduction = [
  'Every operation of the service, by subject. [openapi.json](openapi.json) has their parameters and bodies, the',
  '[interface](interface.md) explains them. Scopes are followed by `:{projectKey}`, except those for the whole service.',
  'Statuses are those of success; the others are in [errors](errors.md). Every GET also answers HEAD.',
].join('\n');

/** docs/operations.md, from the text of the OpenAPI document. */
export function operationsMarkdown(openApiText: string): string {
  const { paths }: Document = JSON.parse(openApiText);
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  const bySubject = Map.groupBy(all, ({ operation }) => operation.tags[0] ?? '');
  const parts = [...bySubject].flatMap(([subject, operations]) => {
    const rows = operations.map(({ path, method, operation }) => [
      `\`${method} ${path}\``,
      operation.summary,
      `\`${operation.operationId}\``,
      accessOf(operation),
      Object.keys(operation.responses)
        .filter((status) => Number(status) < 400)
        .join(', '),
    ]);
    return [`## ${subject}`, markdownTable(['Method and path', 'Does', 'Name', 'Access', 'Status'], rows)];
  });
  return markdownPage('Operations', [introduction, ...parts]);
}

function accessOf({ security }: Operation): string {
  if (security.length === 0) return 'public';
  if (security.some((way) => 'client' in way)) return 'client id and secret';
  const scopes = security.flatMap(({ oauth2 = [] }) => oauth2.map((scope) => `\`${scope.split(':')[0]}\``));
  return scopes.join(' or ');
}

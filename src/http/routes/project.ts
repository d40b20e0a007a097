import { languages } from '#words';
import { list, object } from '../../contract/json.ts';
import { scopeNames } from '../../contract/scopes.ts';
import { variantProjectOf } from '../../domain/image/variant.ts';
import type { ListQuery } from '../../domain/ports/list-query.ts';
import type { Route } from '../route.ts';
import type { RouteDeps } from './all.ts';
import { answer, jsonResponse } from './json.ts';

const count = { type: 'integer', minimum: 0 };
const url = { type: 'string', format: 'uri-reference' };

/** Where each part of a project is, under its own path. */
const linkPaths = {
  self: '',
  resources: '/resource',
  list: '/resource/sorted-query-parameters',
  search: '/resource/searchApiPattern',
  images: '/resource/images',
  deleted: '/resource/deleted',
  subscriptions: '/subscriptions',
  events: '/events',
  apiClients: '/api-clients',
} as const;

const linksOf = (base: string) =>
  Object.fromEntries(Object.entries(linkPaths).map(([name, path]) => [name, base + path]));

const codes: readonly string[] = languages.map(({ code }) => code);

const projectSchema = object('Project', {
  key: { type: 'string' },
  languages: list(
    { type: 'string' },
    { description: 'The languages (ISO 639-1) whose words a search knows, by their forms or by a dictionary.' },
  ),
  counts: object('ProjectCounts', {
    resources: { ...count, description: 'The resources of the project.' },
    imageVariants: { ...count, description: 'The product variants that have images.' },
  }),
  scopes: list({ type: 'string' }, { description: 'The scopes of the token in this project.' }),
  links: object('ProjectLinks', Object.fromEntries(Object.keys(linkPaths).map((name) => [name, url]))),
});

const example = {
  key: 'my-shop',
  languages: ['de', 'en'],
  counts: { resources: 1204, imageVariants: 310 },
  scopes: ['view_test:my-shop'],
  links: linksOf('/my-shop'),
};

/** The query that only counts the resources of a project, up to a number of them. */
export function countQuery(projectKey: string, countUpTo?: number): ListQuery {
  return { projectKey, where: [], sort: [], limit: 0, offset: 0, withTotal: true, countUpTo, staged: false };
}

/** Describes a project: the first request of many clients, which see that address, token and project are right. */
export function projectRoutes({ store, baseUrl }: RouteDeps): readonly Route[] {
  const countOf = async (key: string, signal: AbortSignal) => (await store.list(countQuery(key), signal)).total!;
  return [
    {
      operationId: 'getProject',
      method: 'GET',
      path: '/:projectKey',
      tag: 'Projects',
      summary: 'Describe the project',
      description:
        'A project needs no set-up: it exists as soon as a token has a scope for it. This shows what it holds, and what the token may do.',
      access: ['manage_test', 'view_test'],
      responses: { 200: answer('The project.', projectSchema, example) },
      errors: ['QueryTimedOut'],
      async handler({ projectKey, caller, signal }) {
        const aborted = signal();
        const [resources, imageVariants] = await Promise.all([
          countOf(projectKey, aborted),
          countOf(variantProjectOf(projectKey), aborted),
        ]);
        const scopes = scopeNames.map((name) => `${name}:${projectKey}`).filter((scope) => caller?.scopes.has(scope));
        const links = linksOf(`${baseUrl}/${projectKey}`);
        const project = { key: projectKey, languages: codes, counts: { resources, imageVariants }, scopes, links };
        return jsonResponse(200, project);
      },
    },
  ];
}

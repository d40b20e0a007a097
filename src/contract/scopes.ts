/** OAuth scopes of a project, written `name:projectKey` in tokens (decisions 28–30). */
export const scopeTable = {
  manage_test: { meaning: 'Read and write resources, and write through the backend actions.', implies: ['view_test'] },
  view_test: { meaning: 'Read, list and search resources, and read through the backend actions.', implies: [] },
  view_published: {
    meaning:
      'Read, list and search what is published: current projections without private fields, suggestions and images. The one scope that a browser may have.',
    implies: [],
  },
  use_backend: {
    meaning: 'Read and write through the backend actions alone, such as the carts of sessions.',
    implies: [],
  },
  manage_products: { meaning: 'Upload images.', implies: [] },
  manage_api_clients: {
    meaning:
      'Create, list and delete the API clients of the project, see its recent API calls, and which clients made changes.',
    implies: [],
  },
  manage_subscriptions: {
    meaning:
      'Create, change and delete subscriptions (webhooks), which send the changes of the project to any address.',
    implies: [],
  },
  manage_project: {
    meaning:
      'Everything of manage_test, view_test, manage_products and manage_subscriptions; the settings of types, access and search, sessions, and forgetting deleted resources.',
    implies: ['manage_test', 'view_test', 'manage_products', 'manage_subscriptions'],
  },
} as const satisfies Record<string, { meaning: string; implies: readonly string[] }>;

export type ScopeName = keyof typeof scopeTable;

export const scopeNames = Object.keys(scopeTable) as readonly ScopeName[];

/**
 * The scope of the service as a whole, which has no project and is written without one. Only the administrator's client,
 * and an outside issuer, can give it (decision 145).
 */
export const serviceScope = 'view_service';

export const serviceScopeMeaning =
  'List the projects of the service, and read its health over the last hour, its slow queries and who called what lately. Without a project; for the administrator only.';

/** First path segments that belong to the service itself. */
const reservedProjectKeys: ReadonlySet<string> = new Set(['oauth', 'health', 'metrics', 'docs', 'console']);

/** The caller of a request, from a verified token. */
export interface Caller {
  readonly clientId: string;
  /** Identifies the token, for its revocation. */
  readonly jti: string;
  /** When the token is no longer accepted, by the clock of the service; undefined where that is not known. */
  readonly expiresAtMs?: number;
  /** Of a publishable key: the origins of the pages that may use it. */
  readonly origins?: ReadonlySet<string>;
  /** `name:projectKey`, with all that these imply (decision 28), and `serviceScope`: a check is one look-up of the exact text. */
  readonly scopes: ReadonlySet<string>;
}

/** `[A-Za-z0-9_-]{1,64}`, except the names that are paths outside projects (decisions 6, 32). */
export const projectKeyPattern = new RegExp(`^(?!(?:${[...reservedProjectKeys].join('|')})$)[A-Za-z0-9_-]{1,64}$`);

/** True for a text that can be the key of a project. */
export function isProjectKey(text: string): boolean {
  return projectKeyPattern.test(text);
}

/** The pages of the site in the order of its navigation. A test compares them with the files of docs. */
export const title = 'Generic Resource Service';

interface Entry {
  readonly text: string;
  readonly link: string;
}

const entry = (text: string, page: string): Entry => ({ text, link: `/${page}` });

export const guides: Entry[] = [
  entry('Getting started', 'getting-started'),
  entry('Model your data', 'model-your-data'),
  entry('Console', 'console'),
  entry('Search', 'search'),
  entry('Editorial workflow', 'editorial-workflow'),
  entry('Events and history', 'events'),
  entry('Update actions', 'update-actions'),
  entry('Hooks', 'hooks'),
  entry('Predicates', 'predicates'),
  entry('Paths', 'paths'),
  entry('Batches, imports, exports', 'bulk'),
  entry('Backend actions', 'backend-actions'),
  entry('Webhooks', 'webhooks'),
  entry('Images', 'images'),
  entry('Clients', 'clients'),
  entry('Package and test server', 'package'),
  entry('Deploying', 'deploying'),
  entry('Behind a proxy', 'behind-a-proxy'),
  entry('Operating', 'operating'),
  entry('Scaling', 'scaling'),
  entry('Migrating from a hosted API', 'migrating'),
  entry('Coming from commercetools', 'coming-from-commercetools'),
  entry('Security', 'security'),
];

export const reference: Entry[] = [
  entry('Interface', 'interface'),
  entry('Contract', 'contract'),
  entry('Configuration', 'configuration'),
  entry('Operations', 'operations'),
  entry('Search', 'search-reference'),
  entry('Errors', 'errors'),
  entry('Scopes', 'scopes'),
  entry('Languages', 'languages'),
  entry('Guarantees', 'guarantees'),
  entry('Conformance', 'conformance'),
  entry('The embedded store', 'storage'),
  entry('Performance', 'performance'),
  entry('Storage engines', 'engines'),
  entry('Decisions', 'decisions/'),
];

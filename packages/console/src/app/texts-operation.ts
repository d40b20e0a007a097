/** Texts of what is about the service rather than the data: the palette, backends, access and health. */
export const operationTexts = {
  palette: {
    label: 'Go to a room, a project or a resource, or do something',
    groups: { room: 'Room', project: 'Project', resource: 'Resource', action: 'Action' },
    theme: { light: 'Light colours', dark: 'Dark colours', system: 'Colours of the system' },
  },
  access: {
    heading: 'API clients',
    create: 'New API client',
    name: 'Name',
    scopes: 'May',
    publishable: 'For pages in browsers: a publishable key instead of a secret',
    origins: 'Origins of the pages',
    key: 'Publishable key',
    delete: 'Delete',
    deleteLabel: (name: string) => `Delete ${name}`,
    rotateLabel: (name: string) => `New secret for ${name}`,
    rotation: {
      rotate: 'New secret',
      rotateHint:
        'The new secret is shown once. For as long as both are accepted, programs can change over one after the other. Tokens that were issued stay valid until they expire; to end those at once, delete the client.',
      overlap: 'Keep the previous secret valid for',
      overlaps: { '0': 'not at all', '3600': '1 hour', '86400': '1 day', '604800': '7 days', '2592000': '30 days' },
    },
    calls: {
      heading: 'Recent API calls',
      client: 'Client',
      operation: 'Operation',
      user: 'User',
      status: 'Status',
      statuses: { '': 'All', '2xx': 'Succeeded (2xx)', '4xx': 'Refused (4xx)', '5xx': 'Failed (5xx)' },
    },
  },
  backends: {
    kinds: {
      local: 'Embedded: the service itself keeps a document, and shows it as a cart',
      http: 'A server of the operator, called by HTTP',
      module: 'A module of the operator, which runs in the service',
    },
    circuits: {
      closed: 'Closed: calls go through',
      halfOpen: 'Trying: one call finds out whether the backend is back',
      open: 'Open: the backend failed several times in a row, so calls are refused at once and it is tried again soon',
    },
    cart: 'Cart',
    document: 'Document',
  },
  health: {
    heading: 'Health',
    bad: (count: number) => (count === 1 ? '1 problem.' : `${count} problems.`),
    table: 'As a table',
    charts: {
      requests: { name: 'Requests', meaning: 'Responses a second.', red: '' },
      errors: {
        name: 'Failed requests',
        meaning: 'Of all responses, those with a status of 500 and more.',
        red: 'More than 1 % of the responses of the last minutes say that the service failed. The log names each of them; below is which operations they are.',
      },
      latency: {
        name: 'Slowest requests',
        meaning: 'p99 of the slowest operation, without event streams.',
        red: 'An operation takes more than a second. Look at the slow queries below, and whether the CPU is busy.',
      },
      commits: { name: 'Writes', meaning: 'Changes a second that became durable.', red: '' },
      commitTime: {
        name: 'Time of a commit',
        meaning: 'p99 of the time until the disk or database has a commit.',
        red: 'A commit takes more than a quarter of a second: the disk is slow or shared with something busy.',
      },
      commitSize: { name: 'Size of a commit', meaning: 'Changes that share a commit, on average.', red: '' },
      queue: {
        name: 'Queries that wait',
        meaning: 'Lists and searches that wait for a thread.',
        red: 'More than 20 queries wait: they come faster than they can be answered. Slow ones are listed below.',
      },
      searches: { name: 'Queries', meaning: 'Lists and searches a second.', red: '' },
      processor: { name: 'CPU', meaning: '1 is one core, fully used.', red: '' },
      delay: {
        name: 'Busy main thread',
        meaning: 'The longest delay of a timer, during which all requests wait.',
        red: 'The main thread blocks for more than 100 ms at a time. The machine is overloaded, or an extension computes for long.',
      },
      memory: { name: 'Memory', meaning: 'What the processes occupy.', red: '' },
      store: { name: 'Size of the store', meaning: 'The database with its indexes and its log.', red: '' },
      images: {
        name: 'Images in work',
        meaning: 'Uploads whose renditions are being made, or wait.',
        red: 'As many uploads wait as the service takes; further ones get 503.',
      },
      events: {
        name: 'Lag of deliveries',
        meaning: 'The age of the oldest undelivered event.',
        red: 'A receiver has not received an event for more than five minutes. The room of events shows which subscription fails, and why.',
      },
    },
    operations: 'Operations',
  },
} as const;

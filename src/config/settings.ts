/** Every setting in one table: `--help`, docs/configuration.md and the checks at start are made from it. */
import { addressHelp, checkStoreAddress } from '../store/engines.ts';
import { checkAddresses, checkDottedPath, checkFolder, checkOrigin } from './check-setting.ts';

export type SettingType = 'text' | 'secret' | 'integer' | 'boolean' | 'list' | 'port';

export interface Setting {
  /** Environment variable. */
  readonly variable: string;
  readonly type: SettingType;
  /** Default for an unset or empty variable, or undefined. */
  readonly default?: string | number | boolean;
  /** Inclusive bounds of an integer. */
  readonly min?: number;
  readonly max?: number;
  readonly unit?: string;
  readonly pattern?: RegExp;
  /** Says what the text, or an item of a list, must be where it is not; undefined where it is. */
  readonly check?: (text: string) => string | undefined;
  readonly group: 'Address' | 'Store' | 'Tokens' | 'Limits' | 'Queries' | 'Images' | 'Logs' | 'Extension';
  readonly meaning: string;
}

type Described = Omit<Setting, 'variable' | 'group'>;
type Named<T> = { readonly [K in keyof T]: T[K] & Pick<Setting, 'variable' | 'group'> };

/** Settings of a group. The variable of each is its name in capitals: `PORT`, and `DATA_DIR` for `dataDir`. */
function inGroup<const T extends Record<string, Described>>(group: Setting['group'], settings: T): Named<T> {
  const named = Object.entries(settings).map(([name, setting]) => {
    return [name, { ...setting, group, variable: name.replaceAll(/[A-Z]/g, '_$&').toUpperCase() }];
  });
  return Object.fromEntries(named);
}

export const settingTable = {
  ...inGroup('Address', {
    port: { type: 'port', default: 8080, meaning: 'TCP port to listen on; 0 chooses a free one.' },
    host: { type: 'text', default: '127.0.0.1', meaning: 'Address to listen on; 0.0.0.0 or :: for all interfaces.' },
    region: {
      type: 'text',
      pattern: /^[a-z0-9-]+$/,
      meaning:
        'Region in the public host name api.{region}.{cloudProvider}.{domain}; set together with CLOUD_PROVIDER and DOMAIN.',
    },
    cloudProvider: { type: 'text', pattern: /^[a-z0-9-]+$/, meaning: 'Cloud provider in the public host name.' },
    domain: {
      type: 'text',
      pattern: /^[a-z0-9.-]+$/,
      meaning: 'Domain of the public host name. A Host of this domain with another region or provider gets 421.',
    },
    workers: {
      type: 'integer',
      default: 1,
      min: 1,
      max: 64,
      meaning:
        'Processes that serve the port. With more than 1, another process starts and ends them and, with the embedded store, writes for them. One per CPU core is enough.',
    },
    console: {
      type: 'boolean',
      default: true,
      meaning:
        'Serve the console at `/console`: a page to find, edit and publish resources. If false, nothing of it is served.',
    },
  }),
  ...inGroup('Store', {
    dataDir: {
      type: 'text',
      default: './data',
      meaning:
        'Folder of the embedded database, or of the mirror of PostgreSQL, and of generated secrets. Created at the first start, readable by its owner only.',
    },
    databaseUrl: {
      type: 'secret',
      check: checkStoreAddress,
      meaning: `Where the store is: ${addressHelp}, or unset for the embedded database in DATA_DIR.`,
    },
    databaseConnections: {
      type: 'integer',
      default: 16,
      min: 4,
      max: 500,
      meaning:
        'Maximum number of connections of this process to PostgreSQL: a quarter for writes, a quarter for reads by id and key, the others for the mirror.',
    },
    mirrorBytes: {
      type: 'integer',
      default: 0,
      min: 0,
      unit: 'bytes',
      meaning:
        'Approximate maximum size of the mirror of PostgreSQL in DATA_DIR; beyond it the projects are evicted that were asked for longest ago, but none within a minute after a query. An evicted project is copied again when it is asked for. 0 means no limit.',
    },
    indexedPaths: {
      type: 'list',
      check: checkDottedPath,
      meaning:
        'Dotted paths, separated by commas, for which ranges of texts and descending sorts use the index, like the fields of ArrayTestType. Equality, ranges of numbers and times, and system fields always use it. A change takes effect at the next start, which rebuilds the index in the background, on PostgreSQL that of the machine.',
    },
    checkEveryHours: {
      type: 'integer',
      default: 0,
      min: 0,
      max: 500,
      unit: 'hours',
      meaning:
        'How often a background process of the lowest priority checks the whole store like “npx grs check”: checksums, structure and indexes. Findings are logged as `check-found`, and `/health/ready` has the last result under `check`. 0 means never.',
    },
    historyRetentionDays: {
      type: 'integer',
      default: 30,
      min: 0,
      max: 36_500,
      unit: 'days',
      meaning:
        'How long the log of changes keeps a change, for the history of resources, for restoring deleted ones, and for followers of changes. The last change of each project stays. 0 switches the log off and deletes it.',
    },
    historyMaxBytes: {
      type: 'integer',
      default: 1_073_741_824,
      min: 1_048_576,
      unit: 'bytes',
      meaning:
        'Approximate maximum size of the log of changes of a project; beyond it the oldest changes are deleted early. Checked every ten minutes.',
    },
    acceptLoss: {
      type: 'boolean',
      default: false,
      meaning:
        'Start although the database lacks acknowledged writes. They stay lost; use it once, after reading the message.',
    },
  }),
  ...inGroup('Tokens', {
    adminClientId: {
      type: 'text',
      pattern: /^[\x21-\x39\x3b-\x7e]{1,128}$/,
      meaning:
        'Client that may request any scope of any project. Unset: one is created at the first start and stored in DATA_DIR.',
    },
    adminClientSecret: {
      type: 'secret',
      meaning: 'Secret of ADMIN_CLIENT_ID, at least 16 characters. Set both or none.',
    },
    tokenLifetimeSeconds: {
      type: 'integer',
      default: 3600,
      min: 600,
      max: 172800,
      unit: 'seconds',
      meaning: 'Lifetime of an access token. Clients renew five minutes early.',
    },
    issuer: {
      type: 'text',
      pattern: /^https?:\/\/[^\s?#]+[^\s?#/]$/,
      meaning:
        'Issuer of the tokens: the address that clients use, a URL without query or final slash. Its path begins all links, for a proxy that serves the service under it. Unset: the public address, else http://HOST:PORT.',
    },
    oidcIssuer: {
      type: 'text',
      pattern: /^https?:\/\/[^\s?#]+$/,
      meaning: 'An external OpenID Connect issuer whose tokens are accepted too; set together with OIDC_AUDIENCE.',
    },
    oidcAudience: { type: 'text', meaning: 'Audience that the tokens of OIDC_ISSUER must name.' },
    oidcScopeClaim: {
      type: 'text',
      default: 'scope',
      meaning: 'Claim with the scopes of tokens of OIDC_ISSUER: a text with spaces between them, or an array.',
    },
    consoleOidcClientId: {
      type: 'text',
      meaning:
        'Client id of the console at OIDC_ISSUER: people then log in there as well. Its redirect address is `/console/session/login/callback`.',
    },
    consoleOidcClientSecret: {
      type: 'secret',
      meaning: 'Secret of that client. Unset: a public client; PKCE is used with both.',
    },
    consoleOidcScope: {
      type: 'text',
      default: 'openid profile',
      pattern: /(?:^| )openid(?: |$)/,
      meaning: 'Scopes that the console requests from OIDC_ISSUER, separated by spaces; `openid` is among them.',
    },
  }),
  ...inGroup('Limits', {
    maxBodyBytes: {
      type: 'integer',
      default: 1_048_576,
      min: 1024,
      max: 16_777_216,
      unit: 'bytes',
      meaning: 'Largest JSON body, and largest stored document.',
    },
    maxConnections: {
      type: 'integer',
      default: 8192,
      min: 1,
      max: 1_000_000,
      meaning: 'Maximum number of open connections; further ones are closed at once.',
    },
    requestTimeoutMs: {
      type: 'integer',
      default: 30_000,
      min: 1000,
      max: 600_000,
      unit: 'ms',
      meaning: 'Time for a request to arrive completely; then 408.',
    },
    keepAliveTimeoutMs: {
      type: 'integer',
      default: 65_000,
      min: 1000,
      max: 600_000,
      unit: 'ms',
      meaning: 'How long an idle connection stays open. Set it longer than that of a proxy in front.',
    },
    drainTimeoutMs: {
      type: 'integer',
      default: 8000,
      min: 0,
      max: 60_000,
      unit: 'ms',
      meaning: 'Time for requests in flight after SIGTERM, before their connections are closed.',
    },
    tokenRatePerSecond: {
      type: 'integer',
      default: 50,
      min: 0,
      max: 1_000_000,
      unit: 'requests/s',
      meaning:
        'Rate of the token endpoint per client and address, with a burst of twenty times as many. Failed authentications have limits of their own: 10 at once per client and address, 20 per address, then one in 5 seconds. 0 means no limit of either kind.',
    },
    apiRatePerSecond: {
      type: 'integer',
      default: 0,
      min: 0,
      max: 1_000_000,
      unit: 'requests/s',
      meaning: 'Rate of the API per client, with a burst of twice as many; 0 means no limit.',
    },
    keyRatePerSecond: {
      type: 'integer',
      default: 50,
      min: 0,
      max: 1_000_000,
      unit: 'requests/s',
      meaning: 'Rate of the API per publishable key and address, with a burst of four times as many; 0 means no limit.',
    },
    shedDelayMs: {
      type: 'integer',
      default: 200,
      min: 0,
      max: 60_000,
      unit: 'ms',
      meaning: 'Event-loop delay above which requests get 503 with Retry-After; 0 turns this off.',
    },
    trustProxy: {
      type: 'list',
      check: checkAddresses,
      meaning: 'Addresses or CIDR ranges of proxies whose X-Forwarded-For is trusted, separated by commas.',
    },
    corsOrigins: {
      type: 'list',
      check: checkOrigin,
      meaning: 'Exact origins that browsers may call from, separated by commas. Unset: none.',
    },
  }),
  ...inGroup('Queries', {
    queryTimeoutMs: {
      type: 'integer',
      default: 2000,
      min: 50,
      max: 600_000,
      unit: 'ms',
      meaning:
        'CPU time that a list, an existence check or a search may use; beyond it the query gets 400 QueryTimedOut. A query that is not answered within twice this time and 500 ms gets 503 OverCapacity.',
    },
  }),
  ...inGroup('Images', {
    imageStoreUrl: {
      type: 'text',
      pattern: /^s3:\/\//,
      meaning:
        'Object storage for the files of images: s3://bucket/prefix?region=…, with endpoint=https://host:port for object storage other than that of AWS, and forcePathStyle=true or false (default: true with an endpoint) for the bucket in the path. Unset: the folder images in DATA_DIR.',
    },
    s3AccessKeyId: {
      type: 'text',
      meaning: 'Access key for the object storage. Set together with IMAGE_STORE_URL and S3_SECRET_ACCESS_KEY.',
    },
    s3SecretAccessKey: { type: 'secret', meaning: 'Secret of S3_ACCESS_KEY_ID.' },
    s3SessionToken: {
      type: 'secret',
      meaning: 'Session token of temporary credentials. They are read only at the start: restart before they expire.',
    },
    imageMaxBytes: {
      type: 'integer',
      default: 10_485_760,
      min: 1024,
      max: 104_857_600,
      unit: 'bytes',
      meaning: 'Largest image that can be uploaded.',
    },
    imageQuotaCount: {
      type: 'integer',
      default: 100_000,
      min: 0,
      meaning: 'Maximum number of images of a project; 0 means no limit.',
    },
    imageQuotaBytes: {
      type: 'integer',
      default: 21_474_836_480,
      min: 0,
      unit: 'bytes',
      meaning: 'Maximum bytes of the images of a project, with their renditions; 0 means no limit.',
    },
  }),
  ...inGroup('Logs', {
    logLevel: {
      type: 'text',
      default: 'info',
      pattern: /^(trace|debug|info|warn|error|fatal|silent)$/,
      meaning:
        'Lowest level that is logged: trace, debug, info, warn, error, fatal or silent. At debug each request is one line.',
    },
  }),
  ...inGroup('Extension', {
    actionsDir: {
      type: 'text',
      check: checkFolder,
      meaning: "Folder of the operator's own update actions and hooks, one module each.",
    },
    backendsFile: {
      type: 'text',
      meaning: 'JSON file that assigns backends to projects. Unset: the embedded backend for all.',
    },
    backendTimeoutMs: {
      type: 'integer',
      default: 8000,
      min: 100,
      max: 600_000,
      unit: 'ms',
      meaning: 'Time for a backend to respond completely; then 504.',
    },
    webhookAddresses: {
      type: 'list',
      check: checkAddresses,
      meaning:
        'Addresses or CIDR ranges, separated by commas, that receivers of events may have besides public ones, by https: or http:. Unset: public addresses by https: only.',
    },
  }),
} satisfies Record<string, Setting>;

export type SettingTable = typeof settingTable;
type ValueOf<T extends SettingType> = T extends 'integer' | 'port'
  ? number
  : T extends 'boolean'
    ? boolean
    : T extends 'list'
      ? readonly string[]
      : string;
/** Limits that serve every installation, and so are no settings. Tests use smaller ones. */
export const fixedLimits = {
  /** Event streams, polls, imports and exports that a client may have open at a time, in each process. */
  maxStreamsPerClient: 100,
  maxPollsPerClient: 100,
  maxImportsPerClient: 8,
  maxExportsPerClient: 8,
  /** Queries at least this slow are listed at /health/slow-queries. */
  slowQueryMs: 100,
  /** Largest response of a list. A larger page is refused with the advice to use a smaller limit. */
  maxPageBytes: 8_388_608,
  /**
   * Pixels of an image, all frames of an animation together. Pictures that are decoded as a whole (turned, progressive,
   * interlaced) are also refused where the memory of the process is too small for them.
   */
  imageMaxPixels: 50_000_000,
  /** Frames of an animation. */
  imageMaxFrames: 500,
  /** Space on the disk of the data folder that images leave to the database. */
  imageDiskReserveBytes: 268_435_456,
  /** Age at which the signing key is replaced. */
  keyRotationDays: 90,
  deadLetterRetentionDays: 90,
};

export type FixedLimits = Readonly<typeof fixedLimits>;

/** The settings of a process, checked and frozen. A setting without a default may be undefined; lists may be empty. */
export type Config = FixedLimits & {
  readonly [K in keyof SettingTable]: SettingTable[K] extends { default: unknown }
    ? ValueOf<SettingTable[K]['type']>
    : SettingTable[K]['type'] extends 'list'
      ? readonly string[]
      : ValueOf<SettingTable[K]['type']> | undefined;
};

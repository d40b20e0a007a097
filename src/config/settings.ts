/** Every setting in one table: `--help`, docs/configuration.md and the checks at start are made from it. */
import { addressHelp, checkStoreAddress } from '../storage/engines.ts';
import { checkAddresses, checkDottedPath, checkFolder, checkOrigin } from './check-setting.ts';

export type SettingType = 'text' | 'secret' | 'integer' | 'boolean' | 'list' | 'port';

export interface Setting {
  /** Environment variable. */
  readonly variable: string;
  readonly type: SettingType;
  /** Value where the variable is unset or empty; undefined where there is none. */
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

export const settingTable = {
  port: {
    variable: 'PORT',
    type: 'port',
    default: 8080,
    group: 'Address',
    meaning: 'TCP port to listen on; 0 takes a free one.',
  },
  host: {
    variable: 'HOST',
    type: 'text',
    default: '127.0.0.1',
    group: 'Address',
    meaning: 'Address to listen on; 0.0.0.0 or :: for all interfaces.',
  },
  region: {
    variable: 'REGION',
    type: 'text',
    pattern: /^[a-z0-9-]+$/,
    group: 'Address',
    meaning:
      'Region in the public host name api.{region}.{cloudProvider}.{domain}; set together with CLOUD_PROVIDER and DOMAIN.',
  },
  cloudProvider: {
    variable: 'CLOUD_PROVIDER',
    type: 'text',
    pattern: /^[a-z0-9-]+$/,
    group: 'Address',
    meaning: 'Cloud provider in the public host name.',
  },
  domain: {
    variable: 'DOMAIN',
    type: 'text',
    pattern: /^[a-z0-9.-]+$/,
    group: 'Address',
    meaning: 'Domain of the public host name. A Host of this domain with another region or provider is answered 421.',
  },
  workers: {
    variable: 'WORKERS',
    type: 'integer',
    default: 1,
    min: 1,
    max: 64,
    group: 'Address',
    meaning:
      'Processes that serve the port. With more than 1, another one starts them, ends them and, with the embedded store, writes for them. One for each processor core is enough.',
  },
  dataDir: {
    variable: 'DATA_DIR',
    type: 'text',
    default: './data',
    group: 'Store',
    meaning:
      'Folder of the embedded database and of generated secrets. Made on the first start, readable by its owner only.',
  },
  databaseUrl: {
    variable: 'DATABASE_URL',
    type: 'secret',
    check: checkStoreAddress,
    group: 'Store',
    meaning: `Where the store is: ${addressHelp}, or unset for the embedded database in DATA_DIR.`,
  },
  databaseReplicaUrl: {
    variable: 'DATABASE_REPLICA_URL',
    type: 'secret',
    group: 'Store',
    meaning:
      'A standby of the PostgreSQL, or several separated by commas, in the form of DATABASE_URL. Only reads that ask for it are sent there, with Prefer: eventual or consistency=eventual.',
  },
  databaseConnections: {
    variable: 'DATABASE_CONNECTIONS',
    type: 'integer',
    default: 16,
    min: 4,
    max: 500,
    group: 'Store',
    meaning:
      'Connections of this process to a PostgreSQL at most, and as many to a standby for reads: a quarter for writes, a quarter for reads by id, the others for lists.',
  },
  indexedPaths: {
    variable: 'INDEXED_PATHS',
    type: 'list',
    check: checkDottedPath,
    group: 'Store',
    meaning:
      'Dotted paths, separated by commas, whose ranges of texts and descending sorts use the index as well, beside the fields of ArrayTestType. Equality anywhere, ranges of numbers and times, and the system fields always do. A change is applied at the next start.',
  },
  acceptLoss: {
    variable: 'ACCEPT_LOSS',
    type: 'boolean',
    default: false,
    group: 'Store',
    meaning:
      'Start although the database is behind what was acknowledged. What was lost stays lost; use it once, after reading the message.',
  },
  adminClientId: {
    variable: 'ADMIN_CLIENT_ID',
    type: 'text',
    pattern: /^[\x21-\x39\x3b-\x7e]{1,128}$/,
    group: 'Tokens',
    meaning:
      'Client that may ask for any scope of any project. Unset: one is made on the first start and kept in DATA_DIR.',
  },
  adminClientSecret: {
    variable: 'ADMIN_CLIENT_SECRET',
    type: 'secret',
    group: 'Tokens',
    meaning: 'Its secret, at least 16 characters. Set both or none.',
  },
  tokenLifetimeSeconds: {
    variable: 'TOKEN_LIFETIME_SECONDS',
    type: 'integer',
    default: 3600,
    min: 600,
    max: 172800,
    unit: 'seconds',
    group: 'Tokens',
    meaning: 'How long an access token is good. Clients renew five minutes early.',
  },
  issuer: {
    variable: 'ISSUER',
    type: 'text',
    pattern: /^https?:\/\/[^\s?#]+[^\s?#/]$/,
    group: 'Tokens',
    meaning:
      'Issuer of the tokens, an URL without query or final slash. Unset: the public address, else http://HOST:PORT.',
  },
  keyRotationDays: {
    variable: 'KEY_ROTATION_DAYS',
    type: 'integer',
    default: 90,
    min: 1,
    max: 3650,
    unit: 'days',
    group: 'Tokens',
    meaning: 'Age at which the signing key is replaced. The next key is published a day before it signs.',
  },
  oidcIssuer: {
    variable: 'OIDC_ISSUER',
    type: 'text',
    pattern: /^https?:\/\/[^\s?#]+$/,
    group: 'Tokens',
    meaning: 'An outside OpenID Connect issuer whose tokens are accepted too; set together with OIDC_AUDIENCE.',
  },
  oidcAudience: {
    variable: 'OIDC_AUDIENCE',
    type: 'text',
    group: 'Tokens',
    meaning: 'Audience that its tokens must name.',
  },
  oidcJwksUri: {
    variable: 'OIDC_JWKS_URI',
    type: 'text',
    pattern: /^https?:\/\/[^\s#]+$/,
    group: 'Tokens',
    meaning: 'Where its keys are. Unset: as its discovery document says.',
  },
  oidcScopeClaim: {
    variable: 'OIDC_SCOPE_CLAIM',
    type: 'text',
    default: 'scope',
    group: 'Tokens',
    meaning: 'Claim that holds the scopes: a text separated by blanks, or an array.',
  },
  maxBodyBytes: {
    variable: 'MAX_BODY_BYTES',
    type: 'integer',
    default: 1_048_576,
    min: 1024,
    max: 16_777_216,
    unit: 'bytes',
    group: 'Limits',
    meaning: 'Largest JSON body, and largest stored document.',
  },
  maxPageBytes: {
    variable: 'MAX_PAGE_BYTES',
    type: 'integer',
    default: 8_388_608,
    min: 65_536,
    max: 134_217_728,
    unit: 'bytes',
    group: 'Limits',
    meaning: 'Largest list answer. A page over it is refused with the advice to ask for a smaller limit.',
  },
  maxConnections: {
    variable: 'MAX_CONNECTIONS',
    type: 'integer',
    default: 8192,
    min: 1,
    max: 1_000_000,
    group: 'Limits',
    meaning: 'Open connections; further ones are closed at once.',
  },
  requestTimeoutMs: {
    variable: 'REQUEST_TIMEOUT_MS',
    type: 'integer',
    default: 30_000,
    min: 1000,
    max: 600_000,
    unit: 'ms',
    group: 'Limits',
    meaning: 'Time for a request to arrive completely; 408 after it.',
  },
  headersTimeoutMs: {
    variable: 'HEADERS_TIMEOUT_MS',
    type: 'integer',
    default: 10_000,
    min: 1000,
    max: 600_000,
    unit: 'ms',
    group: 'Limits',
    meaning: 'Time for the header fields to arrive; 408 after it.',
  },
  keepAliveTimeoutMs: {
    variable: 'KEEP_ALIVE_TIMEOUT_MS',
    type: 'integer',
    default: 65_000,
    min: 1000,
    max: 600_000,
    unit: 'ms',
    group: 'Limits',
    meaning: 'How long an idle connection is kept. Longer than that of a proxy in front.',
  },
  drainTimeoutMs: {
    variable: 'DRAIN_TIMEOUT_MS',
    type: 'integer',
    default: 8000,
    min: 0,
    max: 60_000,
    unit: 'ms',
    group: 'Limits',
    meaning: 'After SIGTERM, time for requests in flight before their connections are closed.',
  },
  tokenRatePerSecond: {
    variable: 'TOKEN_RATE_PER_SECOND',
    type: 'integer',
    default: 5,
    min: 0,
    max: 1_000_000,
    unit: 'requests/s',
    group: 'Limits',
    meaning:
      'Rate of the token endpoint per client and address, with a burst of ten times as many; 0 is without limit.',
  },
  apiRatePerSecond: {
    variable: 'API_RATE_PER_SECOND',
    type: 'integer',
    default: 0,
    min: 0,
    max: 1_000_000,
    unit: 'requests/s',
    group: 'Limits',
    meaning: 'Rate of the API per client, with a burst of twice as many; 0 is without limit.',
  },
  shedDelayMs: {
    variable: 'SHED_DELAY_MS',
    type: 'integer',
    default: 200,
    min: 0,
    max: 60_000,
    unit: 'ms',
    group: 'Limits',
    meaning: 'Event-loop delay above which requests are answered 503 with Retry-After; 0 switches it off.',
  },
  trustProxy: {
    variable: 'TRUST_PROXY',
    type: 'list',
    check: checkAddresses,
    group: 'Limits',
    meaning: 'Addresses or CIDR ranges of proxies whose X-Forwarded-For is believed, separated by commas.',
  },
  corsOrigins: {
    variable: 'CORS_ORIGINS',
    type: 'list',
    check: checkOrigin,
    group: 'Limits',
    meaning: 'Exact origins that browsers may call from, separated by commas. Unset: none.',
  },
  queryTimeoutMs: {
    variable: 'QUERY_TIMEOUT_MS',
    type: 'integer',
    default: 2000,
    min: 50,
    max: 600_000,
    unit: 'ms',
    group: 'Queries',
    meaning:
      'Processor time that a list, an existence check or a search may use; 400 QueryTimedOut after it. One that waits longer than this for others is 503 OverCapacity.',
  },
  readThreads: {
    variable: 'READ_THREADS',
    type: 'integer',
    default: 2,
    min: 2,
    max: 64,
    group: 'Queries',
    meaning:
      'Threads for lists in the embedded store: one for queries that outgrow the short budget, the others for the rest.',
  },
  searchThreads: {
    variable: 'SEARCH_THREADS',
    type: 'integer',
    default: 2,
    min: 2,
    max: 64,
    group: 'Queries',
    meaning:
      'Threads for searches in the embedded store: one for all searches, the others for those that take long while others wait. Each has caches of its own.',
  },
  imageStoreUrl: {
    variable: 'IMAGE_STORE_URL',
    type: 'text',
    pattern: /^s3:\/\//,
    group: 'Images',
    meaning:
      'Object storage for the files of images: s3://bucket/prefix?region=…, with endpoint=https://host:port for one that is not of AWS, and forcePathStyle=true or false (true where there is an endpoint) for the bucket in the path. Unset: the folder images in DATA_DIR.',
  },
  s3AccessKeyId: {
    variable: 'S3_ACCESS_KEY_ID',
    type: 'text',
    group: 'Images',
    meaning: 'Access key for the object storage. Set together with IMAGE_STORE_URL and S3_SECRET_ACCESS_KEY.',
  },
  s3SecretAccessKey: {
    variable: 'S3_SECRET_ACCESS_KEY',
    type: 'secret',
    group: 'Images',
    meaning: 'Its secret.',
  },
  s3SessionToken: {
    variable: 'S3_SESSION_TOKEN',
    type: 'secret',
    group: 'Images',
    meaning: 'Session token of temporary credentials. They are read at the start only: restart before they end.',
  },
  imageMaxBytes: {
    variable: 'IMAGE_MAX_BYTES',
    type: 'integer',
    default: 10_485_760,
    min: 1024,
    max: 104_857_600,
    unit: 'bytes',
    group: 'Images',
    meaning: 'Largest image that can be uploaded.',
  },
  imageMaxPixels: {
    variable: 'IMAGE_MAX_PIXELS',
    type: 'integer',
    default: 50_000_000,
    min: 1,
    max: 1_000_000_000,
    unit: 'pixels',
    group: 'Images',
    meaning: 'Most pixels of an image, all frames of an animation together. Decoding takes up to 8 bytes for each.',
  },
  imageMaxFrames: {
    variable: 'IMAGE_MAX_FRAMES',
    type: 'integer',
    default: 500,
    min: 1,
    max: 10_000,
    group: 'Images',
    meaning: 'Most frames of an animation.',
  },
  imageJobs: {
    variable: 'IMAGE_JOBS',
    type: 'integer',
    default: 1,
    min: 1,
    max: 16,
    group: 'Images',
    meaning: 'Images that are checked or scaled at a time, in each process. Each takes a core while it lasts.',
  },
  imageQuotaCount: {
    variable: 'IMAGE_QUOTA_COUNT',
    type: 'integer',
    default: 100_000,
    min: 0,
    group: 'Images',
    meaning: 'Most images of a project; 0 is without limit.',
  },
  imageQuotaBytes: {
    variable: 'IMAGE_QUOTA_BYTES',
    type: 'integer',
    default: 21_474_836_480,
    min: 0,
    unit: 'bytes',
    group: 'Images',
    meaning: 'Most bytes of the images of a project, with their renditions; 0 is without limit.',
  },
  imageDiskReserveBytes: {
    variable: 'IMAGE_DISK_RESERVE_BYTES',
    type: 'integer',
    default: 268_435_456,
    min: 0,
    unit: 'bytes',
    group: 'Images',
    meaning: 'Room on the disk of DATA_DIR that images leave to the database; 507 for an upload that would take of it.',
  },
  logLevel: {
    variable: 'LOG_LEVEL',
    type: 'text',
    default: 'info',
    pattern: /^(trace|debug|info|warn|error|fatal|silent)$/,
    group: 'Logs',
    meaning:
      'Least level that is logged: trace, debug, info, warn, error, fatal or silent. Each request is one line at debug.',
  },
  actionsDir: {
    variable: 'ACTIONS_DIR',
    type: 'text',
    check: checkFolder,
    group: 'Extension',
    meaning: "Folder of the operator's own update actions, one module each.",
  },
  backendsFile: {
    variable: 'BACKENDS_FILE',
    type: 'text',
    group: 'Extension',
    meaning:
      'JSON file that says which backend carries out the actions of which project. Unset: the embedded one for all.',
  },
  backendTimeoutMs: {
    variable: 'BACKEND_TIMEOUT_MS',
    type: 'integer',
    default: 8000,
    min: 100,
    max: 600_000,
    unit: 'ms',
    group: 'Extension',
    meaning: 'Time for a backend to answer an action completely; 504 after it.',
  },
} as const satisfies Record<string, Setting>;

export type SettingTable = typeof settingTable;
type ValueOf<T extends SettingType> = T extends 'integer' | 'port'
  ? number
  : T extends 'boolean'
    ? boolean
    : T extends 'list'
      ? readonly string[]
      : string;
/** The settings of a process, checked and frozen. A setting without a default may be undefined; lists may be empty. */
export type Config = {
  readonly [K in keyof SettingTable]: SettingTable[K] extends { default: unknown }
    ? ValueOf<SettingTable[K]['type']>
    : SettingTable[K]['type'] extends 'list'
      ? readonly string[]
      : ValueOf<SettingTable[K]['type']> | undefined;
};

/** Where images are stored, read from IMAGE_STORE_URL. */
export interface S3Location {
  /** Precedes the name of each image: empty, or ends in `/`. */
  readonly prefix: string;
  readonly region: string;
  /** Without a final slash. */
  readonly bucketUrl: string;
}

const bucketForm = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
// Servers and proxies encode other characters differently in what is signed.
const prefixForm = /^([A-Za-z0-9_-][A-Za-z0-9_.-]*\/)*$/;
const parameterNames: readonly string[] = ['region', 'endpoint', 'forcePathStyle'];

/** Reads `s3://bucket/prefix?region=…&endpoint=…&forcePathStyle=…`; returns the problem where it is no such address. */
export function parseS3Location(text: string): S3Location | { readonly problem: string } {
  const url = URL.parse(text);
  if (url?.protocol !== 's3:') return { problem: 'expected s3://bucket/prefix?region=…' };
  // Not shown, since they may be secret.
  if (url.username || url.password) {
    return { problem: 'expected no credentials in it; they are S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY' };
  }
  const problem = bucketProblem(url) ?? parameterProblem(url.searchParams);
  if (problem !== undefined) return { problem };
  const prefix = prefixOf(url);
  const region = url.searchParams.get('region') ?? 'us-east-1';
  return { prefix, region, bucketUrl: bucketUrlOf(url, region) };
}

function prefixOf({ pathname }: URL): string {
  const path = pathname.replace(/^\/+|\/+$/g, '');
  return path === '' ? '' : `${path}/`;
}

function bucketProblem(url: URL): string | undefined {
  if (!bucketForm.test(url.hostname) || url.port !== '') {
    return 'expected the name of a bucket after s3://, 3–63 lower-case letters, digits, “-” and “.”';
  }
  const prefix = prefixOf(url);
  if (!prefixForm.test(prefix) || prefix.length > 256) {
    return 'expected a prefix of letters, digits, “_”, “-”, “.” and “/” after the bucket, at most 256 of them';
  }
  return url.hash === '' ? undefined : 'expected no “#”';
}

function parameterProblem(parameters: URLSearchParams): string | undefined {
  const names = [...parameters.keys()];
  const wrong = names.find((name, at) => !parameterNames.includes(name) || names.indexOf(name) !== at);
  if (wrong !== undefined) return `parameter “${wrong}”: expected only ${parameterNames.join(', ')}, each once`;
  const region = parameters.get('region');
  const endpoint = parameters.get('endpoint');
  if (region === null && endpoint === null) return 'expected the parameter region, such as region=eu-central-1';
  if (region !== null && !/^[a-z0-9-]{1,64}$/.test(region))
    return 'parameter region: expected one such as eu-central-1';
  if (endpoint !== null && !isEndpoint(endpoint)) {
    return 'parameter endpoint: expected https://host[:port] without path, query and credentials';
  }
  const style = parameters.get('forcePathStyle');
  return style === null || style === 'true' || style === 'false'
    ? undefined
    : 'parameter forcePathStyle: expected true or false';
}

function isEndpoint(text: string): boolean {
  const url = URL.parse(text);
  return (
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    `${url.pathname}${url.search}${url.hash}` === '/' &&
    `${url.username}${url.password}` === ''
  );
}

/** Self-hosted storage seldom has a host name for each bucket, so by default the bucket is in the path there. */
function bucketUrlOf({ hostname: bucket, searchParams }: URL, region: string): string {
  const given = searchParams.get('endpoint');
  const { protocol, host } = new URL(given ?? `https://s3.${region}.amazonaws.com`);
  const isInPath = (searchParams.get('forcePathStyle') ?? String(given !== null)) === 'true';
  return isInPath ? `${protocol}//${host}/${bucket}` : `${protocol}//${bucket}.${host}`;
}

import type { Random } from '../random.ts';

/** A request before it is written as bytes. */
export interface FuzzRequest {
  readonly method: string;
  /** The parts of the path, without slashes. */
  readonly path: readonly string[];
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Parsed as JSON where it is; undefined for none. */
  readonly body: unknown;
}

/** Texts that parsers, databases and languages have stumbled over. Those with spaces stand by themselves. */
const texts: readonly string[] = [
  ...['', ' ', '\0', '\n', '\r\n', '\ud800', '\udfff', '\ufeff', '\u202e', '\u2028', 'e\u0301'],
  ...'0 -0 -1 1e999 1e-999 NaN null true [] {} "" %00 % %zz %ff %C0%AF %ED%A0%80 .. ../.. . / \\ * \' " ` ; -- /*'.split(
    ' ',
  ),
  ...'9007199254740993 9223372036854775807 9223372036854775808 -9223372036854775809 0x10 1_000 1970 bytes=0-'.split(
    ' ',
  ),
  ...'__proto__ constructor toString hasOwnProperty $where a.b a..b a[0] a[*] key= key=x :v W/"1-a" "3" text:"a"'.split(
    ' ',
  ),
  ...'İ ß 😀 𝟙 ﬀ'.split(' '),
  ...['a'.repeat(300), 'a'.repeat(9000), '('.repeat(200), '['.repeat(100), 'not '.repeat(100), 'a=1 or '.repeat(80)],
  ...['id = "x"', 'a = 1 and (b > 2 or c in (1,2))', 'a within circle(1,2,3)', 'a contains any (', 'a is defined'],
  ...['range(* to 5)', 'range(9 to "x")', 'createdAt desc', 'name.en asc'],
];

const numbers = [0, -0, -1, 1, 0.1, 1e21, 1e300, -1e300, 2 ** 31, 2 ** 53, 2 ** 53 + 2, 2 ** 63, 5e-324] as const;

/** Any JSON value, shallow. */
function anyValue(random: Random, depth = 0): unknown {
  switch (random.integer(0, depth > 2 ? 3 : 6)) {
    case 0:
      return random.pick(texts);
    case 1:
      return random.pick(numbers);
    case 2:
      return random.pick([null, true, false]);
    case 3:
      return [];
    case 4:
      return Array.from({ length: random.integer(1, 4) }, () => anyValue(random, depth + 1));
    case 5:
      return Object.fromEntries([[random.pick(texts), anyValue(random, depth + 1)]]);
    default:
      return deep(random.integer(2, 200), random.pick(numbers));
  }
}

function deep(levels: number, innermost: number): unknown {
  let value: unknown = innermost;
  for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

/** Changes one place of a JSON value. */
function mutateValue(value: unknown, random: Random): unknown {
  if (typeof value !== 'object' || value === null || random.next() < 0.2) return anyValue(random);
  if (Array.isArray(value)) {
    const at = random.integer(0, value.length);
    return random.next() < 0.3
      ? value.toSpliced(at, 1)
      : value.toSpliced(at, at < value.length ? 1 : 0, mutateValue(value[at], random));
  }
  const entries = Object.entries(value);
  const at = random.integer(0, entries.length);
  const [name, inner] = entries[at] ?? [random.pick(texts), undefined];
  const kept = entries.filter((_, index) => index !== at);
  if (random.next() < 0.2) return Object.fromEntries(kept);
  const newName = random.next() < 0.15 ? random.pick(texts) : name;
  return Object.fromEntries([...kept, [newName, mutateValue(inner, random)]]);
}

function mutatePairs(pairs: FuzzRequest['query'], random: Random, names: readonly string[]): FuzzRequest['query'] {
  const at = random.integer(0, pairs.length);
  const [name, value] = pairs[at] ?? [random.pick(names), random.pick(texts)];
  const others = pairs.filter((_, index) => index !== at);
  switch (random.integer(0, 4)) {
    case 0:
      return others;
    case 1:
      return [...pairs, [name, random.pick(texts)]];
    case 2:
      return [...others, [random.pick(names), value]];
    default:
      return [...others, [name, random.pick(texts)]];
  }
}

const queryNames =
  'where sort limit offset withTotal expand staged var.v var. text.en text. filter filter.query filter.facets facet fuzzy priceCurrency consistency version sku variant __proto__ objectParameter objectParameter[arrayOfString] unionParameter filename external grant_type scope token'.split(
    ' ',
  );
const headerNames =
  'If-Match If-None-Match Idempotency-Key Prefer Accept Content-Type Content-Encoding Range Expect X-Correlation-ID X-External-User-ID Origin Authorization Content-Length Transfer-Encoding Host'.split(
    ' ',
  );
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'QUERY', 'TRACE', 'get'];

/** Changes one place of a request, or a few. */
export function mutate(request: FuzzRequest, random: Random): FuzzRequest {
  let mutated = request;
  for (let changes = random.pick([1, 1, 1, 2, 4]); changes > 0; changes -= 1) {
    const { path, query, headers, body } = mutated;
    const at = random.integer(0, path.length);
    switch (random.integer(0, 9)) {
      case 0:
        mutated = { ...mutated, method: random.pick(methods) };
        break;
      case 1:
        mutated = { ...mutated, path: path.toSpliced(at, 1, random.pick(texts)) };
        break;
      case 2:
      case 3:
      case 4:
        mutated = { ...mutated, query: mutatePairs(query, random, queryNames) };
        break;
      case 5:
        mutated = { ...mutated, headers: mutatePairs(headers, random, headerNames) };
        break;
      default:
        mutated = { ...mutated, body: body === undefined ? anyValue(random) : mutateValue(body, random) };
    }
  }
  return mutated;
}

/** True if the length or the order of what is sent may be another than the service expects. */
export function changesFraming({ headers }: FuzzRequest): boolean {
  return headers.some(([name]) => /^(content-length|transfer-encoding|expect)$/i.test(name));
}

/** Writes the target with the reserved characters encoded, or as they are. */
function targetOf({ path, query }: FuzzRequest, encode: (text: string) => string): string {
  const pairs = query.map(([name, value]) => `${encode(name)}=${encode(value)}`);
  return `/${path.map(encode).join('/')}${pairs.length === 0 ? '' : `?${pairs.join('&')}`}`;
}

/** A request as bytes. Some are encoded carelessly, so that the parser of HTTP has something to do as well. */
export function encodeRequest(request: FuzzRequest, token: string, random: Random): Buffer {
  const careful = (text: string) => encodeURIComponent(text.toWellFormed());
  const encode = random.next() < 0.9 ? careful : (text: string) => text.replaceAll(/[\s#]/g, '+');
  const body = request.body === undefined ? '' : JSON.stringify(request.body);
  const given = new Set(request.headers.map(([name]) => name.toLowerCase()));
  const defaults = [
    ['Host', 'localhost'],
    ['Connection', 'close'],
    ['Authorization', `Bearer ${token}`],
    ...(body === '' ? [] : [['Content-Type', 'application/json']]),
    ['Content-Length', String(Buffer.byteLength(body))],
  ].filter(([name]) => !given.has(name!.toLowerCase()));
  const lines = [...defaults, ...request.headers].map(
    ([name, value]) => `${name}: ${value!.replaceAll(/[\r\n]/g, ' ')}`,
  );
  return Buffer.from(`${request.method} ${targetOf(request, encode)} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
}

/** Changes bytes anywhere: in the request line, the headers, the framing or the body. */
export function mutateBytes(bytes: Buffer, random: Random): Buffer {
  let mutated = bytes;
  for (let changes = random.pick([1, 1, 2, 5]); changes > 0; changes -= 1) {
    const at = random.integer(0, mutated.length);
    const end = Math.min(mutated.length, at + random.integer(1, 8));
    const some = Buffer.from(Array.from({ length: random.integer(0, 4) }, () => random.integer(0, 255)));
    const replacement = random.pick([some, mutated.subarray(at, end), Buffer.from('\r\n'), Buffer.alloc(0)]);
    const keepsRest = random.next() < 0.5;
    mutated = Buffer.concat([mutated.subarray(0, at), replacement, mutated.subarray(keepsRest ? at : end)]);
  }
  return mutated;
}

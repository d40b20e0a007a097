import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../random.ts';
import { NoAnswer, type ProcessAnswer, type ProcessRequest } from '../service-process.ts';
import type { History, Shown, Step, Story } from './history.ts';
import type { ServiceNode } from './nodes.ts';

/** What the clients of a run share. */
export interface World {
  readonly nodes: readonly ServiceNode[];
  readonly random: Random;
  readonly histories: readonly History[];
  readonly violations: string[];
  readonly figures: Record<string, number>;
  /** Of the tokens of this round. */
  readonly scope: string;
}

export const ballast = 'ballast';
const kinds = ['k0', 'k1', 'k2'];
/** Resources that a client writes in a project. */
const resourcesOfWriter = 8;
/** A query waits so long for a mirror, and may take so much longer on a machine that does much else. */
const [waitMs, spareMs] = [2000, 15_000];
const hungMs = 40_000;

const encode = encodeURIComponent;
export const add = (figures: Record<string, number>, name: string, count = 1) => {
  figures[name] = (figures[name] ?? 0) + count;
};

/** Sends a request to a service, with a token of that service: the clock of another one may be ahead. */
export async function exchange(
  { scope, violations }: World,
  node: ServiceNode,
  request: ProcessRequest,
): Promise<ProcessAnswer | NoAnswer['kind']> {
  const { service } = node;
  if (!service) return 'refused';
  const { promise: hung, resolve: hang } = Promise.withResolvers<'none'>();
  const timer = setTimeout(() => {
    violations.push(`hung: ${request.method} ${request.path}: no response in ${hungMs} ms`);
    hang('none');
  }, hungMs);
  try {
    const answer = await Promise.race([hung, service.request({ ...request, token: node.token })]);
    if (answer === 'none' || answer.status !== 401) return answer;
    node.token = await service.token(scope).catch(() => '');
    return 'refused';
  } catch (error) {
    if (error instanceof NoAnswer) return error.kind;
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** The next write of a resource: its state, and the request for it. */
function nextWrite({ random }: World, { project }: History, { id, steps }: Story, step: Pick<Step, 'sent' | 'n'>) {
  const { version, kind: before } = steps.at(-1)!;
  const path = `/${project}/resource`;
  const kind = random.pick(kinds);
  const next = { ...step, kind, version: before === undefined ? 1 : version + 1 };
  const draft = { id, kind, n: step.n, name: { en: `common ${id}` } };
  if (before === undefined) return { step: next, request: { method: 'POST', path, body: draft } };
  const roll = random.next();
  if (roll < 0.2) {
    const request = { method: 'DELETE', path: `${path}/${id}?version=${version}` };
    return { step: { ...next, version, kind: undefined }, request };
  }
  if (roll < 0.5) return { step: next, request: { method: 'PUT', path, body: { ...draft, version } } };
  const actions = Object.entries({ kind, n: step.n }).map(([field, value]) => ({
    ...{ action: 'setField', path: field, value },
  }));
  return { step: next, request: { method: 'POST', path: `${path}/${id}`, body: { version, actions } } };
}

/** Writes a resource once by some service, and notes what is known of the outcome. */
async function write(world: World, history: History, story: Story, n: number): Promise<void> {
  const { random, violations, figures } = world;
  const { step, request } = nextWrite(world, history, story, { sent: history.now(), n });
  const sentMs = performance.now();
  story.steps.push(step);
  const answer = await exchange(world, random.pick(world.nodes), request);
  if (typeof answer === 'object' && answer.status < 300) {
    add(figures, 'acknowledged');
    history.raise(story, story.steps.length - 1);
  } else if (answer === 'refused' || (typeof answer === 'object' && answer.status === 503 && !isLost(answer))) {
    add(figures, 'refused');
    violations.push(...history.withdraw(story));
    await pause(20);
  } else {
    story.isLost = true;
    add(figures, 'unknown');
    // By its event a service knows a commit as its own whose answer it lost: not where the event has been deleted within that moment.
    const isForgotten = history.prunedMs > sentMs && typeof answer === 'object' && answer.status === 409;
    if (typeof answer === 'object' && answer.status !== 503 && !isForgotten) {
      violations.push(`failed: ${request.method} ${request.path}: ${answer.status} ${answer.text.slice(0, 300)}`);
    }
  }
}

const isLost = ({ text }: ProcessAnswer) => text.includes('OutcomeUnknown');

let writes = 0;

/** Writes at random to resources of its own until the signal ends it. */
export async function keepWriting(world: World, writer: number, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const history = world.random.pick(world.histories);
    const slot = `w${writer}-${world.random.integer(1, resourcesOfWriter)}`;
    let story = history.story(slot);
    for (let again = 1; story.isLost; again += 1) story = history.story(`${slot}-${again}`);
    writes += 1;
    await write(world, history, story, writes);
    await pause(world.random.integer(0, 30));
  }
}

interface Page {
  readonly total: number;
  readonly results: readonly Shown[];
  readonly facets?: { readonly kind: { readonly missing: number; readonly terms: readonly Counted[] } };
}
type Counted = { readonly term: string; readonly count: number };

interface Query {
  readonly path: string;
  readonly method?: string;
  /** What contradicts the answer to the query, which was sent at a moment. */
  readonly judge: (asked: number, page: Page, status: number) => readonly string[];
}

const isThere = ({ kind }: Step) => kind !== undefined;
const ofKind = (kind: string) => (step: Step) => step.kind === kind;
const sorted = (condition: string, more: string) => `/sorted-query-parameters?where=${encode(condition)}&${more}`;

/** A list or search with all resources, of a kind or of all, whose total and facets must agree with them. */
function ofAll(history: History, title: string, path: string, matches: (step: Step) => boolean): Query {
  return {
    path,
    judge(asked, { total, results, facets }) {
      const violations = history.judgeAll(title, asked, results, matches);
      if (total !== results.length) violations.push(`total: ${title}: ${total} with ${results.length} results`);
      for (const { term, count } of facets?.kind.terms ?? []) {
        const shown = results.filter(({ kind }) => kind === term).length;
        if (count !== shown) violations.push(`facet: ${title}: ${term} ${count} with ${shown} results`);
      }
      return violations;
    },
  };
}

/** A query at random. */
export const queries: readonly ((history: History, random: Random) => Query)[] = [
  (history, random) => {
    const kind = random.pick(kinds);
    return ofAll(history, `list ${kind}`, sorted(`kind="${kind}"`, 'limit=500&sort=n%20desc'), ofKind(kind));
  },
  (history) => ofAll(history, 'list', sorted(`kind<>"${ballast}"`, 'limit=500'), isThere),
  (history) => ofAll(history, 'search', '/searchApiPattern?text.en=common&limit=500&facet=kind', isThere),
  (history, random) => {
    const kind = random.pick(kinds);
    const path = `/searchApiPattern?text.en=common&limit=500&facet=kind&filter.query=${encode(`kind:"${kind}"`)}`;
    return ofAll(history, `search ${kind}`, path, ofKind(kind));
  },
  (history) => ({
    path: '/sorted-query-parameters?limit=0',
    judge: (asked, { total }) => history.judgeCount('all', asked, total, isThere, history.ballast),
  }),
  (history) => ({
    path: '/searchApiPattern?limit=0&facet=kind',
    judge(asked, { total, facets }) {
      const terms = new Map(facets!.kind.terms.map(({ term, count }) => [term, count]));
      const sum = facets!.kind.terms.reduce((all, { count }) => all + count, facets!.kind.missing);
      return [
        ...(sum === total ? [] : [`facet: ${history.project}: the counts of all kinds are ${sum} of ${total}`]),
        ...history.judgeCount(ballast, asked, terms.get(ballast) ?? 0, () => false, history.ballast),
        ...kinds.flatMap((kind) => history.judgeCount(kind, asked, terms.get(kind) ?? 0, ofKind(kind))),
      ];
    },
  }),
  (history, random) => {
    // What was written last has to be found by its own number.
    const story = random.pick([...history.stories.values()]);
    const n = story?.steps.at(-1)?.n ?? 0;
    return {
      ...{ method: 'HEAD', path: `?stringParameter=${encode(`n = ${n}`)}` },
      judge: (asked, _, status) =>
        history.judgeCount(`n = ${n}`, asked, Number(status === 200), (step) => isThere(step) && step.n === n),
    };
  },
];

/** Sends a query to a service and judges the answer. Returns what was answered. */
export async function ask(world: World, node: ServiceNode, history: History, query: Query) {
  const { violations, figures } = world;
  const { method = 'GET' } = query;
  const path = `/${history.project}/resource${query.path}`;
  const [asked, askedMs, heldMs] = [history.now(), performance.now(), node.heldMs];
  const answer = await exchange(world, node, { method, path });
  if (typeof answer === 'string') return undefined;
  const { status, text } = answer;
  const ms = performance.now() - askedMs - (node.heldMs - heldMs);
  if (ms > waitMs + spareMs) violations.push(`late: ${path}: ${status} after ${Math.round(ms)} ms`);
  add(figures, status === 200 || status === 404 ? 'queries' : 'unavailable');
  if (status === 503) {
    node.refusal = text;
    return undefined;
  }
  if (status !== 200 && method !== 'HEAD') {
    violations.push(`failed: ${path}: ${status} ${text.slice(0, 300)}`);
    return undefined;
  }
  const found = query.judge(asked, text === '' ? { total: 0, results: [] } : JSON.parse(text), status);
  violations.push(...found.map((each) => `${each}; by service ${world.nodes.indexOf(node)} in ${Math.round(ms)} ms`));
  return text;
}

/** Asks at random until the signal ends it, now and then much at once, so that some of it waits for a thread. */
export async function keepAsking(world: World, signal: AbortSignal): Promise<void> {
  const { random, nodes } = world;
  while (!signal.aborted) {
    const [history, node] = [random.pick(world.histories), random.pick(nodes)];
    const count = random.next() < 0.1 ? 16 : 1;
    const some = Array.from({ length: count }, () => ask(world, node, history, random.pick(queries)(history, random)));
    const [first] = await Promise.all(some);
    await pause(first === undefined ? 20 : random.integer(0, 20));
  }
}

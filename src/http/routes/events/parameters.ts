import { malformedParameter } from '../../../contract/errors.ts';
import { decodePosition } from '../../../domain/history/cursor.ts';
import type { Beginning } from '../../../domain/history/feed.ts';
import { type EventType, eventTypes } from '../../../domain/ports/change-log.ts';
import { nearestName } from '../../request/nearest-name.ts';
import type { ApiRequest, HeaderParameter, ParameterTable } from '../../route.ts';

/** The options of a reader of events. */
export type EventsRequest = ReturnType<typeof readEventsRequest>;

export const eventsParameters: ParameterTable = {
  after: {
    type: 'string',
    description:
      'The start: the `id` of an event (starts after it), the `next` of a page, `oldest` (the first stored event) or `latest` (only new events). Default: `oldest`.',
    example: 'latest',
  },
  tail: {
    type: 'integer',
    minimum: 1,
    maximum: 500,
    description: 'Instead of `after`: begin at most so many changes before the end.',
    example: 50,
  },
  types: {
    type: 'string',
    description: `Only events of these types, separated by commas: ${eventTypes.map((type) => `\`${type}\``).join(', ')}.`,
    example: 'created,updated',
  },
  resource: {
    type: 'string',
    pattern: /^./s,
    form: 'the id of a resource',
    description: 'Only events of the resource with this id.',
  },
  actor: { type: 'string', description: 'Only changes by this client.' },
  include: {
    type: 'string',
    words: ['resource'],
    description: '`resource` adds the resource as it is after each change, as `data`.',
    example: 'resource',
  },
  limit: {
    type: 'integer',
    minimum: 1,
    maximum: 500,
    description: 'Most events of a page; 100 by default. A stream ends after so many; by default it does not end.',
  },
  wait: {
    type: 'integer',
    minimum: 0,
    maximum: 60,
    description:
      'Seconds that a page without events waits for one; 0 by default. A stream ends after so many without an event; by default it stays open.',
  },
};

export const lastEventHeader: HeaderParameter = {
  name: 'Last-Event-ID',
  description:
    'The `id` of the last event that was received; sent by clients of `text/event-stream`. Instead of `after`.',
};

/** Reads the parameters. Throws 400. */
export function readEventsRequest({ projectKey, query, headers }: ApiRequest) {
  const lastId = headers['last-event-id'];
  const [name, after] =
    lastId === undefined || lastId === '' ? ['after', textOf(query.get('after'))] : ['Last-Event-ID', lastId];
  const tail = query.get('tail');
  if (tail !== undefined && query.has('after')) throw malformedParameter('tail', 'expected either `tail` or `after`');
  const types = textOf(query.get('types'));
  const id = textOf(query.get('resource'));
  const wait = query.get('wait');
  const filter = {
    types: types === undefined ? undefined : typesIn(types),
    id,
    clientId: textOf(query.get('actor')),
  };
  return {
    query: { projectKey, filter, withData: query.get('include') === 'resource' },
    after: after === undefined && tail !== undefined ? Number(tail) : positionOf(name, after ?? 'oldest'),
    limit: query.get('limit') as number | undefined,
    waitMs: wait === undefined ? undefined : Number(wait) * 1000,
  };
}

function textOf(value: unknown): string | undefined {
  return value === undefined ? undefined : String(value);
}

function positionOf(name: string, text: string): Beginning {
  return text === 'oldest' || text === 'latest' ? text : decodePosition(name, text);
}

function typesIn(text: string): readonly EventType[] {
  return text.split(',').map((part) => {
    const type = eventTypes.find((known) => known === part.trim());
    if (type !== undefined) return type;
    const shown = part.length > 64 ? `${part.slice(0, 63)}…` : part;
    const nearest = nearestName(part, eventTypes);
    const advice = nearest === undefined ? '' : `; did you mean \`${nearest}\`?`;
    throw malformedParameter('types', `unknown type '${shown}'${advice || '.'} Types: ${eventTypes.join(', ')}`);
  });
}

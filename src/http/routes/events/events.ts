import { ServiceError } from '../../../contract/errors.ts';
import { eventExample, eventPageSchema, eventSchema } from '../../../contract/events.ts';
import { causes, eventTypes } from '../../../domain/ports/change-log.ts';
import type { ApiRequest, HttpResponse, Route } from '../../route.ts';
import { actorNamesFor } from '../actors.ts';
import type { RouteDeps } from '../all.ts';
import { jsonContent } from '../json.ts';
import { formatFor, namingActors, type StreamFormat } from './format.ts';
import { eventPage } from './page.ts';
import { type EventsRequest, eventsParameters, lastEventHeader, readEventsRequest } from './parameters.ts';
import { eventStream, streamTimes } from './stream.ts';

const event = eventSchema(eventTypes, causes);

const description = [
  'Every change of a resource is an event. By default the response is a page of events; with `wait`, an empty page waits for the next event.',
  'With `Accept: text/event-stream` or `application/x-ndjson` the response is a continuous stream. It can be resumed after any event, without loss or repetition, and ends when the service shuts down and at least once an hour.',
].join(' ');

/** The changes of a project, as pages and as streams. */
export function eventRoutes(
  { feeds, isLogKept, metrics, clients }: Pick<RouteDeps, 'feeds' | 'isLogKept' | 'metrics' | 'clients'>,
  times = streamTimes,
): readonly Route[] {
  let open = 0;
  metrics.gauge('event_streams', 'Open streams of events.', () => open);

  async function stream(
    request: EventsRequest,
    format: StreamFormat,
    isHead: boolean,
    occupy: ApiRequest['occupy'],
  ): Promise<HttpResponse> {
    if (!isHead) occupy('streams');
    const from = await feeds.begin(request.query.projectKey, request.after);
    const headers = {
      'content-type': format.contentType,
      'cache-control': 'no-cache, no-transform',
      // Else nginx collects a response before it passes it on.
      'x-accel-buffering': 'no',
    };
    if (isHead) return { status: 200, body: '', headers };
    const follow = () => feeds.follow(request.query);
    const { limit = Number.POSITIVE_INFINITY, waitMs: idleMs = Number.POSITIVE_INFINITY } = request;
    const options = { follow, from, format, limit, idleMs, times };
    async function* texts(signal: AbortSignal) {
      open += 1;
      try {
        yield* eventStream(options, signal);
      } finally {
        open -= 1;
      }
    }
    const { slowReaderMs } = times;
    return {
      status: 200,
      body: '',
      headers,
      stream: { sizeBytes: undefined, open: texts, slowReaderMs, isLive: true },
    };
  }

  async function handler(request: ApiRequest): Promise<HttpResponse> {
    if (!isLogKept) {
      const message = 'This service keeps no log of changes, so there are no events: HISTORY_RETENTION_DAYS is 0.';
      throw new ServiceError('InvalidOperation', message);
    }
    const asked = readEventsRequest(request);
    const names = actorNamesFor({ clients }, request);
    const format = formatFor(request.headers.accept);
    const isHead = request.method === 'HEAD';
    if (format) return stream(asked, names ? namingActors(format, names) : format, isHead, request.occupy);
    const from = await feeds.begin(request.projectKey, asked.after);
    return eventPage(feeds, isHead ? { ...asked, waitMs: 0 } : asked, from, names, request);
  }

  return [
    {
      operationId: 'getEvents',
      method: 'GET',
      path: '/:projectKey/events',
      tag: 'Events',
      summary: 'Follow the changes of the project',
      description,
      access: ['manage_test', 'view_test'],
      query: eventsParameters,
      headers: [lastEventHeader],
      responses: {
        200: {
          description: 'Events in the order of the changes: a page, or a stream. `Link` where `hasMore` is true.',
          headers: ['Link'],
          content: {
            ...jsonContent(eventPageSchema(event)),
            'text/event-stream': {
              schema: { type: 'string', description: 'Each `data` is an Event.' },
              example: `id: ${eventExample.id}\ndata: ${JSON.stringify(eventExample)}\n\n`,
            },
            'application/x-ndjson': {
              schema: { type: 'string', description: 'Each line is an Event, or `{"type":"heartbeat","id":…}`.' },
              example: `${JSON.stringify(eventExample)}\n`,
            },
          },
        },
      },
      errors: ['InvalidOperation', 'CursorGone'],
      handler,
    },
  ];
}

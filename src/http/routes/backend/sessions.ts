import { cursorQuery } from '../../../auth/cursors.ts';
import { ServiceError } from '../../../contract/errors.ts';
import { object, text } from '../../../contract/json.ts';
import { cursorPage } from '../../../contract/pages.ts';
import { deleteSession, deleteUnusedSessions, listSessions, sessionLimits } from '../../../domain/sessions/sessions.ts';
import type { Route } from '../../route.ts';
import type { RouteDeps } from '../all.ts';
import { answer, jsonResponse, noStore } from '../json.ts';
import { cursorParameters, cutPage, limitOf, pageResponse } from '../pages.ts';

const shared = { tag: 'Backend actions', access: ['manage_project'] } as const satisfies Partial<Route>;
const collectionPath = '/:projectKey/sessions';

const sessionExample = {
  id: '0b2d8c1e-6f0a-4f57-9f43-3f1d5c1c7a52',
  createdAt: '2026-11-22T17:05:00.000Z',
  lastModifiedAt: '2026-11-22T17:08:30.000Z',
  lastUsedOn: '2026-11-24',
  bytes: 1204,
};
const sessionSchema = object('Session', {
  id: text('The `X-Session-Id`. Whoever knows it can use the session.'),
  createdAt: text('When it was first written.', { format: 'date-time' }),
  lastModifiedAt: text('When it was last written, or first read on a day.', { format: 'date-time' }),
  lastUsedOn: text('The day of the last read or write, in UTC.', { format: 'date' }),
  bytes: { type: 'integer', minimum: 0 },
});
const pageSchema = cursorPage('SessionPage', sessionSchema, 'By their ids.', sessionExample);
const deletedSchema = object('DeletedSessions', { deleted: { type: 'integer', minimum: 0 } });

/** The sessions of the embedded backend, for operators. */
export function sessionRoutes({ store, cursors, nowMs }: RouteDeps): readonly Route[] {
  return [
    {
      ...shared,
      operationId: 'listSessions',
      method: 'GET',
      path: collectionPath,
      summary: 'List the sessions of the embedded backend',
      query: cursorParameters,
      responses: { 200: answer('A page of sessions.', pageSchema, undefined, ['Link']) },
      async handler(request) {
        const { projectKey, query } = request;
        const limit = limitOf(request);
        const listed = cursorQuery(JSON.stringify(['sessions', projectKey]));
        const cursor = query.get('cursor') as string | undefined;
        const [after] = cursor === undefined ? [undefined] : (cursors.open(listed, cursor) as [string]);
        const found = await listSessions(store, projectKey, after, limit + 1);
        const { items, next } = cutPage(found, limit, ({ id }) => cursors.seal(listed, [id]));
        return pageResponse(limit, items, next, { headers: noStore });
      },
    },
    {
      ...shared,
      operationId: 'deleteUnusedSessions',
      method: 'DELETE',
      path: collectionPath,
      summary: 'Delete unused sessions',
      description: `Deletes the sessions that were neither read nor written for so many days. The service itself does so regularly, after ${sessionLimits.unusedDays} days.`,
      query: {
        unusedDays: {
          type: 'integer',
          minimum: 0,
          maximum: 36_500,
          default: sessionLimits.unusedDays,
          description: 'Days without use; 0 deletes all sessions.',
        },
      },
      responses: { 200: answer('How many were deleted.', deletedSchema, { deleted: 12 }) },
      async handler({ projectKey, query }) {
        const days = Number(query.get('unusedDays') ?? sessionLimits.unusedDays);
        return jsonResponse(200, { deleted: await deleteUnusedSessions(store, projectKey, days, nowMs()) });
      },
    },
    {
      ...shared,
      operationId: 'deleteSession',
      method: 'DELETE',
      path: `${collectionPath}/:sessionId`,
      summary: 'Delete a session',
      responses: { 200: answer('The session is deleted.', deletedSchema, { deleted: 1 }) },
      errors: ['ResourceNotFound'],
      async handler({ projectKey, params }) {
        if (await deleteSession(store, projectKey, params.sessionId!, nowMs()))
          return jsonResponse(200, { deleted: 1 });
        throw new ServiceError('ResourceNotFound', 'There is no session with this id.');
      },
    },
  ];
}

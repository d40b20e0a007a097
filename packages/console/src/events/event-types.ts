import type { Place } from '../app/router.ts';

/** Types of events, in the order in which they are offered. */
export const eventTypes = [
  'created',
  'updated',
  'published',
  'reverted',
  'deleted',
  'restored',
  'imageUploaded',
  'backendDocumentWritten',
  'forgotten',
] as const;

/** Where the subject of an event is shown: the history of a resource, the images, or the backend that keeps a document. */
export function subjectPlace(projectKey: string, type: string, id: string): Place {
  if (type === 'imageUploaded') return { projectKey, room: 'images', query: new URLSearchParams() };
  if (type === 'backendDocumentWritten') return { projectKey, room: 'backends', query: new URLSearchParams() };
  return { projectKey, room: 'resources', item: id, query: new URLSearchParams({ tab: 'history' }) };
}

import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { servicePath } from '../api/base-address.ts';

/** Rooms of the console: the second segment of a path. */
export const rooms = ['resources', 'types', 'search', 'images', 'events', 'backends', 'access', 'health'] as const;
export type Room = (typeof rooms)[number];

export interface Place {
  /** Undefined where no project is open. */
  readonly projectKey?: string | undefined;
  readonly room: Room;
  /** The rest of the path, decoded: the id of a resource, for example. */
  readonly item?: string | undefined;
  readonly query: URLSearchParams;
}

const base = `${servicePath}/console`;

function parse({ pathname, search }: Pick<Location, 'pathname' | 'search'>): Place {
  const decoded = (text: string) => {
    try {
      return decodeURIComponent(text);
    } catch {
      return undefined;
    }
  };
  const segments = pathname.slice(base.length).split('/').filter(Boolean).map(decoded);
  const [projectKey, room, item] = segments;
  const known = rooms.find((name) => name === room) ?? 'resources';
  return { projectKey, room: known, item, query: new URLSearchParams(search) };
}

/** The address of a place: everything that is seen can be linked to. */
export function addressOf({ projectKey, room, item, query }: Place): string {
  const segments = [projectKey, ...(projectKey ? [room, item] : [])].filter((segment) => segment !== undefined);
  const path = [base, ...segments.map(encodeURIComponent)].join('/');
  return query.size > 0 ? `${path}?${query}` : path;
}

export const place = signal<Place>(parse(location));

/** Knows whether the open place has unsaved changes. */
let guard: { readonly isUnsaved: () => boolean; readonly question: string } | undefined;

/** Asks before unsaved changes are left. Returns false to stay. */
const mayLeave = (): boolean => !guard?.isUnsaved() || confirm(guard.question);

/** Asks before the place or the page is left while something is not saved; `isUnsaved` is called again then. */
export function useUnsaved(isUnsaved: () => boolean, question: string): void {
  const latest = useRef(isUnsaved);
  latest.current = isUnsaved;
  useEffect(() => {
    const own = { isUnsaved: () => latest.current(), question };
    guard = own;
    return () => {
      if (guard === own) guard = undefined;
    };
  }, []);
}

const isSameRoomItem = (a: Place, b: Place) => a.projectKey === b.projectKey && a.room === b.room && a.item === b.item;

/** Goes to a place. `replace`: without an entry in the history of the browser. */
export function go(next: Partial<Place>, replace = false): boolean {
  const to: Place = { ...place.value, item: undefined, query: new URLSearchParams(), ...next };
  if (!isSameRoomItem(to, place.value) && !mayLeave()) return false;
  history[replace ? 'replaceState' : 'pushState'](null, '', addressOf(to));
  place.value = to;
  return true;
}

/** Goes to where a link leads; with a modifier key the browser opens it as it does any link. */
export function follow(event: MouseEvent, to: Partial<Place>): void {
  if (event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  go(to);
}

/** Changes the query of the place and keeps the rest. An empty value removes its name. */
export function setQuery(changes: Readonly<Record<string, string | undefined>>, replace = true): void {
  const query = new URLSearchParams(place.value.query);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === '') query.delete(name);
    else query.set(name, value);
  }
  go({ ...place.value, query }, replace);
}

/** Goes to an address of the console, in place of the one that is open. Any other text leads to its start. */
export function replaceAddress(address: string): void {
  const url = new URL(address, location.origin);
  const isOurs = url.origin === location.origin && (url.pathname === base || url.pathname.startsWith(`${base}/`));
  go(parse(isOurs ? url : { pathname: base, search: '' }), true);
}

/** Gives the place another query, for one that has a name several times; with an entry in the history of the browser. */
export function setPage(query: URLSearchParams): void {
  go({ ...place.value, query });
}

/** Follows the buttons of the browser. */
export function startRouter(): void {
  addEventListener('popstate', () => {
    const to = parse(location);
    if (!isSameRoomItem(to, place.value) && !mayLeave()) {
      history.pushState(null, '', addressOf(place.value));
      return;
    }
    place.value = to;
  });
  addEventListener('beforeunload', (event) => {
    if (guard?.isUnsaved()) event.preventDefault();
  });
}

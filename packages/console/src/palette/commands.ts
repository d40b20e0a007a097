import { servicePath } from '../api/base-address.ts';
import { notify, notifyError } from '../app/notices.tsx';
import { projectList } from '../app/projects.ts';
import { go, place, type Room, rooms } from '../app/router.ts';
import { logOut, mayWrite, read, scopes, session } from '../app/session.ts';
import { texts } from '../app/texts.ts';
import { setTheme, type Theme } from '../browser/theme.ts';
import { listPath, type Page } from '../model/pages.ts';

/** Something that the palette offers. */
export interface Command {
  readonly id: string;
  readonly group: keyof typeof texts.palette.groups;
  readonly label: string;
  /** Beside the label, such as the version of a resource. */
  readonly detail?: string;
  readonly run: () => void;
}

/** Opens a dialog of the room of resources, above what is filtered and open there. */
function openAbove(name: string): void {
  const { room, item, query } = place.value;
  const isThere = room === 'resources' && query.get('view') === null;
  const next = new URLSearchParams(isThere ? query : {});
  next.set('open', name);
  go({ room: 'resources', item: isThere ? item : undefined, query: next });
}

/** The commands that do not depend on the typed text: rooms, actions, projects. */
export function fixedCommands(changeProject: () => void): readonly Command[] {
  const { projectKey } = place.value;
  const own = session.value?.projectKey;
  const maySeeService = session.value?.isAdministrator === true || scopes.value.has('view_service');
  const action = (id: string, label: string, run: () => void): Command => ({ id, group: 'action', label, run });
  const visit = (room: Room, query: Readonly<Record<string, string>>) => () =>
    void go({ room, query: new URLSearchParams(query) });
  const roomCommand = (room: Room): Command => ({
    ...{ id: `room-${room}`, group: 'room', label: texts.rooms[room], run: () => void go({ room }) },
  });
  const inProject: readonly (Command | false)[] = [
    ...rooms.map((room) => (room !== 'health' || maySeeService) && roomCommand(room)),
    mayWrite.value && action('new-resource', 'New resource', () => void go({ room: 'resources', item: '~new' })),
    mayWrite.value && action('import', texts.import.heading, () => openAbove('import')),
    mayWrite.value && action('sample', texts.resources.sample, () => openAbove('sample')),
    action('export', texts.resources.exportAll, () => openAbove('export')),
    action('columns', 'Choose columns', () => openAbove('columns')),
    action('deleted', texts.resources.deleted, visit('resources', { view: 'deleted' })),
    scopes.value.has('manage_subscriptions') &&
      action('new-subscription', texts.subscriptions.create, visit('events', { new: 'true' })),
    scopes.value.has('manage_api_clients') &&
      action('new-client', texts.access.create, visit('access', { new: 'true' })),
  ];
  const themes = Object.entries(texts.palette.theme).map(([theme, label]) =>
    action(`theme-${theme}`, label, () => setTheme(theme as Theme)),
  );
  const projects = (projectList.value?.projects ?? []).map(
    ({ key }): Command => ({
      ...{ id: `project-${key}`, group: 'project', label: key },
      run: () => void go({ projectKey: key, room: 'resources' }),
    }),
  );
  return [
    ...(projectKey === undefined ? [] : inProject.filter((command) => command !== false)),
    action('copy-link', 'Copy the address of this view', () => {
      navigator.clipboard.writeText(location.href).then(() => notify('The address is copied.'), notifyError);
    }),
    ...(own === undefined && projectKey !== undefined
      ? [action('change-project', 'Change project…', changeProject)]
      : []),
    action('docs', 'Documentation of the API', () => void open(`${servicePath}/docs`, '_blank', 'noopener')),
    ...themes,
    action('log-out', texts.login.out, () => void logOut().catch(notifyError)),
    ...(own === undefined ? projects : []),
  ];
}

/** Commands with every word of the text in their label or group; those that begin with it come first. */
export function matching(commands: readonly Command[], text: string): readonly Command[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = commands.filter(({ label, group }) => {
    const name = `${label} ${texts.palette.groups[group]}`.toLowerCase();
    return words.every((word) => name.includes(word));
  });
  const begins = ({ label }: Command) => label.toLowerCase().startsWith(words[0] ?? '');
  return [...found.filter(begins), ...found.filter((command) => !begins(command))];
}

const maxResources = 8;
const idForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The resources whose key begins with the text, and the one with that id. Read by the index: as quick among millions. */
export async function findResources(
  projectKey: string,
  text: string,
  signal: AbortSignal,
): Promise<readonly Command[]> {
  const quoted = JSON.stringify(text);
  const end = JSON.stringify(`${text}\u{10ffff}`);
  const where = idForm.test(text) ? `id = ${quoted}` : `key >= ${quoted} and key < ${end}`;
  const query = new URLSearchParams({ where, limit: String(maxResources), sort: idForm.test(text) ? 'id' : 'key' });
  const { results } = await read<Page>(projectKey, { path: listPath(projectKey), query, signal });
  return results.map(({ id, key, version }) => ({
    ...{ id: `resource-${String(id)}`, group: 'resource', label: String(key ?? id) },
    detail: texts.resource.version(String(version)),
    run: () => void go({ room: 'resources', item: String(id) }),
  }));
}

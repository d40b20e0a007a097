import type { ComponentType } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Access } from '../access/access.tsx';
import { Backend } from '../backends/backends.tsx';
import { Button } from '../components/button.tsx';
import { lazily } from '../components/lazily.tsx';
import { PlaceLink } from '../components/place-link.tsx';
import { Events } from '../events/events.tsx';
import { Health } from '../health/health.tsx';
import { Images } from '../images/images.tsx';
import { Palette } from '../palette/palette.tsx';
import { Resources } from '../resources/resources.tsx';
import { Search } from '../search/search.tsx';
import { follow } from './live.ts';
import { notifyError } from './notices.tsx';
import { OpenProject, rememberProject } from './open-project.tsx';
import { go, place, type Room } from './router.ts';
import { logOut, scopes, session } from './session.ts';
import { texts } from './texts.ts';

const Types = lazily<RoomProps>(() => import('../types/types-room.tsx').then((module) => module.Types));

interface RoomProps {
  readonly projectKey: string;
}

/** The component of each room, in the order of the navigation. */
const roomViews: readonly (readonly [Room, ComponentType<RoomProps>])[] = [
  ['resources', Resources],
  ['types', Types],
  ['search', Search],
  ['images', Images],
  ['events', Events],
  ['backends', Backend],
  ['access', Access],
  ['health', Health],
];

/** A link inside the console. */
function RoomLink({ room, isCurrent }: { readonly room: Room; readonly isCurrent: boolean }) {
  const to = { projectKey: place.value.projectKey, room, query: new URLSearchParams() };
  return (
    <PlaceLink to={to} isCurrent={isCurrent}>
      {texts.rooms[room]}
    </PlaceLink>
  );
}

/** The keys are those of the system, which the button names. */
const isApple = /^(?:Mac|iP)/.test(navigator.platform);
const paletteKeys = isApple ? '⌘ K' : 'Ctrl K';

/** Opens the palette by its keys, but not over a question that is to be answered first. */
function usePaletteKeys(open: () => void): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(isApple ? event.metaKey : event.ctrlKey)) return;
      if (event.altKey || event.shiftKey) return;
      event.preventDefault();
      if (!document.querySelector('dialog[open]')) open();
    };
    addEventListener('keydown', listen, { capture: true });
    return () => removeEventListener('keydown', listen, { capture: true });
  }, []);
}

export function Shell() {
  const { projectKey, room } = place.value;
  const own = session.value?.projectKey;
  const [isChoosing, setChoosing] = useState(false);
  const [isPalette, setPalette] = useState(false);
  usePaletteKeys(() => setPalette(true));
  useEffect(() => {
    // Not the place of this drawing: a return from a login may have gone elsewhere meanwhile.
    if (place.value.projectKey === undefined && own !== undefined) go({ projectKey: own, room: 'resources' }, true);
    if (projectKey !== undefined) rememberProject(projectKey);
    setChoosing(false);
  }, [projectKey, own]);
  useEffect(() => (projectKey === undefined ? undefined : follow(projectKey)), [projectKey]);
  // Health is of the service as a whole, which not everybody may see.
  const maySeeService = session.value?.isAdministrator === true || scopes.value.has('view_service');
  const isOffered: Partial<Record<Room, boolean>> = {
    health: maySeeService,
    types: scopes.value.has('manage_project'),
  };
  const shownRooms = roomViews.filter(([name]) => isOffered[name] !== false || name === room);
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    // On a phone the rooms do not fit side by side.
    nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [room, projectKey]);
  const View = roomViews.find(([name]) => name === room)?.[1] ?? Resources;
  return (
    <div class="shell">
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <header>
        {projectKey === undefined ? (
          <strong class="title cut">{texts.title}</strong>
        ) : (
          <button
            type="button"
            class="project plain"
            title="Change project"
            disabled={own !== undefined}
            onClick={() => setChoosing(true)}
          >
            {projectKey}
          </button>
        )}
        {projectKey !== undefined && (
          <nav ref={nav}>
            {shownRooms.map(([name]) => (
              <RoomLink key={name} room={name} isCurrent={name === room} />
            ))}
          </nav>
        )}
        <span class="space" />
        <button
          type="button"
          class="palette-button"
          aria-keyshortcuts={isApple ? 'Meta+K' : 'Control+K'}
          onClick={() => setPalette(true)}
        >
          Go to… <kbd>{paletteKeys}</kbd>
        </button>
        <span class="client">{session.value?.name}</span>
        <Button label={texts.login.out} kind="plain" onClick={() => logOut().catch(notifyError)} />
      </header>
      <main id="content" tabIndex={-1}>
        {projectKey === undefined ? <OpenProject /> : <View key={projectKey} projectKey={projectKey} />}
      </main>
      {isPalette && <Palette onClose={() => setPalette(false)} onChangeProject={() => setChoosing(true)} />}
      {isChoosing && <OpenProject onClose={() => setChoosing(false)} />}
    </div>
  );
}

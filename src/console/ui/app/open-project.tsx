import { Dialog } from '../components/dialog.tsx';
import { focus } from '../components/focus.ts';
import { go } from './router.ts';
import { texts } from './texts.ts';

/** Names only: what is in a project is never stored in the browser. */
const storageKey = 'grs-console-projects';
const maxRemembered = 8;

function remembered(): readonly string[] {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(storageKey) ?? '[]');
    return Array.isArray(value) ? value.filter((key) => typeof key === 'string') : [];
  } catch {
    return [];
  }
}

/** Keeps the key for the list of projects that were opened before. */
export function rememberProject(projectKey: string): void {
  const keys = [projectKey, ...remembered().filter((key) => key !== projectKey)].slice(0, maxRemembered);
  try {
    localStorage.setItem(storageKey, JSON.stringify(keys));
  } catch {
    // The browser keeps nothing: then nothing is remembered.
  }
}

/** Asks which project to open; as a dialog where another one is open. */
export function OpenProject({ onClose }: { readonly onClose?: () => void }) {
  const open = (projectKey: string) => {
    if (go({ projectKey, room: 'resources' })) onClose?.();
  };
  const form = (
    <form
      class="narrow"
      onSubmit={(event) => {
        event.preventDefault();
        open(String(new FormData(event.currentTarget).get('projectKey')).trim());
      }}
    >
      <h1>{texts.projects.heading}</h1>
      <label>
        {texts.projects.label}
        <input name="projectKey" required pattern="[A-Za-z0-9_\-]{1,64}" ref={focus} autocomplete="off" />
      </label>
      <p class="hint">{texts.projects.hint}</p>
      {remembered().length > 0 && (
        <>
          <h2>{texts.projects.recent}</h2>
          <ul class="buttons">
            {remembered().map((key) => (
              <li key={key}>
                <button type="button" onClick={() => open(key)}>
                  {key}
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
      <div class="actions">
        {onClose && (
          <button type="button" onClick={onClose}>
            {texts.cancel}
          </button>
        )}
        <button type="submit" class="main">
          {texts.projects.open}
        </button>
      </div>
    </form>
  );
  if (!onClose) return <div class="center">{form}</div>;
  return (
    <Dialog label={texts.projects.heading} onClose={onClose}>
      {form}
    </Dialog>
  );
}

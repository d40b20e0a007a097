import { useEffect, useMemo, useState } from 'preact/hooks';
import { notifyError } from '../app/notices.tsx';
import { loadProjects, projectList } from '../app/projects.ts';
import { place } from '../app/router.ts';
import { session } from '../app/session.ts';
import { texts } from '../app/texts.ts';
import { focus } from '../browser/focus.ts';
import { Dialog } from '../components/dialogs/dialog.tsx';
import { Options, optionId } from '../components/inputs/options.tsx';
import { type Command, findResources, fixedCommands, matching } from './commands.ts';

interface PaletteProps {
  readonly onClose: () => void;
  /** Asks for another project. */
  readonly onChangeProject: () => void;
}

const maxShown = 50;
/** Debounce of the search. */
const pauseMs = 120;

const optionsId = 'palette-list';

/** The resources that what is typed may mean; those before stay until the next ones are there. */
function useResources(text: string): readonly Command[] {
  const [found, setFound] = useState<readonly Command[]>([]);
  const { projectKey } = place.value;
  useEffect(() => {
    if (projectKey === undefined || text === '') {
      setFound([]);
      return;
    }
    const gone = new AbortController();
    const timer = setTimeout(() => {
      findResources(projectKey, text, gone.signal).then(setFound, (error) => {
        if (!gone.signal.aborted) notifyError(error);
      });
    }, pauseMs);
    return () => {
      clearTimeout(timer);
      gone.abort();
    };
  }, [projectKey, text]);
  return found;
}

/** Goes anywhere and does anything by typing: a text field, and below it what that may mean. */
export function Palette({ onClose, onChangeProject }: PaletteProps) {
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(0);
  useEffect(() => {
    if (session.value && !projectList.value) loadProjects().catch(() => {});
  }, []);
  const fixed = useMemo(() => fixedCommands(onChangeProject), [projectList.value]);
  const resources = useResources(text.trim());
  const shown = [...matching(fixed, text), ...resources].slice(0, maxShown);
  const current = Math.min(chosen, shown.length - 1);

  const run = (command: Command | undefined) => {
    if (!command) return;
    onClose();
    command.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 };
    const step = steps[event.key];
    if (step !== undefined) {
      event.preventDefault();
      const next = current + step;
      // By one it goes around; by a page it stops at the ends.
      const around = (next + shown.length) % Math.max(1, shown.length);
      setChosen(Math.abs(step) === 1 ? around : Math.max(0, Math.min(shown.length - 1, next)));
    } else if (event.key === 'Enter') {
      event.preventDefault();
      run(shown[current]);
    }
  };

  return (
    <Dialog label={texts.palette.label} onClose={onClose} kind="palette">
      <input
        role="combobox"
        aria-label={texts.palette.label}
        aria-expanded="true"
        aria-controls={optionsId}
        aria-autocomplete="list"
        aria-activedescendant={shown.length > 0 ? optionId(optionsId, current) : undefined}
        placeholder="A room, project, key, id or action"
        autocomplete="off"
        spellcheck={false}
        ref={focus}
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setChosen(0);
        }}
        onKeyDown={onKeyDown}
      />
      <Options
        id={optionsId}
        label="Results"
        active={current}
        onTake={(at) => run(shown[at])}
        onPoint={setChosen}
        options={shown.map(({ id, label, detail, group }) => ({
          key: id,
          content: (
            <>
              <span dir="auto" class="grow">
                {label}
              </span>
              {detail !== undefined && <span class="hint">{detail}</span>}
              <span class="badge">{texts.palette.groups[group]}</span>
            </>
          ),
        }))}
      />
      <p class="hint" role="status">
        {shown.length === 0 ? 'No matches.' : '↑ ↓ to choose, Enter to go, Escape to close'}
      </p>
    </Dialog>
  );
}

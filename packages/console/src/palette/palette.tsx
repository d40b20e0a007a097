import { useEffect, useMemo, useState } from 'preact/hooks';
import { notifyError } from '../app/notices.tsx';
import { loadProjects, projectList } from '../app/projects.ts';
import { place } from '../app/router.ts';
import { session } from '../app/session.ts';
import { texts } from '../app/texts.ts';
import { Dialog } from '../components/dialogs/dialog.tsx';
import { Combobox } from '../components/inputs/options.tsx';
import { type Command, findResources, fixedCommands, matching } from './commands.ts';

interface PaletteProps {
  readonly onClose: () => void;
  /** Asks for another project. */
  readonly onChangeProject: () => void;
}

const maxShown = 50;
/** Debounce of the search. */
const pauseMs = 120;

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
  useEffect(() => {
    if (session.value && !projectList.value) loadProjects().catch(() => {});
  }, []);
  const fixed = useMemo(() => fixedCommands(onChangeProject), [projectList.value]);
  const resources = useResources(text.trim());
  const shown = [...matching(fixed, text), ...resources].slice(0, maxShown);

  return (
    <Dialog label={texts.palette.label} onClose={onClose} kind="palette">
      <Combobox
        id="palette-list"
        name={texts.palette.label}
        isNameHidden
        label="Results"
        placeholder="A room, project, key, id or action"
        text={text}
        onText={setText}
        onTake={(at) => {
          onClose();
          shown[at]!.run();
        }}
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

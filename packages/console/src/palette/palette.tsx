import { useEffect, useMemo, useState } from 'preact/hooks';
import { loadProjects, projectList } from '../app/projects.ts';
import { place } from '../app/router.ts';
import { session } from '../app/session.ts';
import { texts } from '../app/texts.ts';
import { Dialog } from '../components/dialogs/dialog.tsx';
import { Combobox } from '../components/inputs/options.tsx';
import { Problem } from '../components/problem.tsx';
import { useRead } from '../model/use-read.ts';
import { findResources, fixedCommands, matching } from './commands.ts';

interface PaletteProps {
  readonly onClose: () => void;
  /** Asks for another project. */
  readonly onChangeProject: () => void;
}

const maxShown = 50;
/** Debounce of the search. */
const pauseMs = 120;

/** Goes anywhere and does anything by typing: a text field, and below it what that may mean. */
export function Palette({ onClose, onChangeProject }: PaletteProps) {
  const [text, setText] = useState('');
  useEffect(() => {
    if (session.value && !projectList.value) loadProjects().catch(() => {});
  }, []);
  const fixed = useMemo(() => fixedCommands(onChangeProject), [projectList.value]);
  const key = text.trim();
  const { projectKey } = place.value;
  // What the text before found stays until the next results are there.
  const { value: resources = [], problem } = useRead(
    (signal) => findResources(projectKey!, key, signal),
    projectKey === undefined || key === '' ? undefined : key,
    { delayMs: pauseMs },
  );
  const shown = [...matching(fixed, text), ...(key === '' ? [] : resources)].slice(0, maxShown);

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
      <Problem text={problem} />
      <p class="hint" role="status">
        {shown.length === 0 ? 'No matches.' : '↑ ↓ to choose, Enter to go, Escape to close'}
      </p>
    </Dialog>
  );
}

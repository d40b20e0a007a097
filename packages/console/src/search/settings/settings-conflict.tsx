import { useState } from 'preact/hooks';
import { briefly } from '../../api/json.ts';
import { texts } from '../../app/texts.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { mergeLines, remaining } from '../../model/merge.ts';
import { pathText, withValue } from '../../model/paths.ts';
import type { Settings } from './draft.ts';

/** Settings with the version that they are of. */
export interface Versioned {
  readonly version: number;
  readonly settings: Settings;
}

interface SettingsConflictProps {
  readonly base: Versioned;
  readonly mine: Settings;
  readonly theirs: Versioned;
  /** Called with both sides' changes in one. */
  readonly onMerged: (settings: Settings) => void;
  readonly onClose: () => void;
}

/** Somebody else has saved meanwhile: what does not collide is taken from both, the rest a person decides. */
export function SettingsConflict({ base, mine, theirs, onMerged, onClose }: SettingsConflictProps) {
  const lines = mergeLines(base.settings, mine, theirs.settings);
  const [decided, setDecided] = useState<ReadonlyMap<string, 'mine' | 'theirs'>>(new Map());
  const open = lines.filter(({ path, isConflict }) => isConflict && !decided.has(pathText(path))).length;
  const t = texts.settings;

  function merge(): void {
    const forMine = new Set([...decided].filter(([, side]) => side === 'mine').map(([path]) => path));
    const merged = remaining(lines, forMine).reduce(
      (settings, { path, mine: value }) => withValue(settings, path, value) as Settings,
      theirs.settings,
    );
    onMerged(merged);
  }

  return (
    <Dialog label={t.conflictHeading} isWide onClose={onClose}>
      <h1>{t.conflictHeading}</h1>
      <p class="hint">
        You started from version {String(base.version)}; version {String(theirs.version)} is stored now. Changes that do
        not conflict are merged.
      </p>
      <div class="scroll">
        <table class="merge">
          <thead>
            <tr>
              <th scope="col">Setting</th>
              <th scope="col">Mine</th>
              <th scope="col">Theirs</th>
            </tr>
          </thead>
          <tbody>
            {lines.map(({ path, mine: ours, theirs: others, isConflict }) => {
              const name = pathText(path);
              return (
                <tr key={name} class={isConflict ? 'conflict' : ''}>
                  <th scope="row">{name}</th>
                  {(
                    [
                      ['mine', ours],
                      ['theirs', others],
                    ] as const
                  ).map(([side, value]) => (
                    <td key={side} class={decided.get(name) === side ? 'taken' : ''}>
                      {isConflict ? (
                        <label class="check">
                          <input
                            type="radio"
                            name={`settings ${name}`}
                            checked={decided.get(name) === side}
                            onChange={() => setDecided(new Map(decided).set(name, side))}
                          />
                          {briefly(value, 500) || texts.resource.none}
                        </label>
                      ) : (
                        briefly(value, 500) || texts.resource.none
                      )}
                    </td>
                  ))}
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
      <div class="actions">
        <span class="hint">{open > 0 ? texts.resource.toDecide(open) : 'Then look at the result and save.'}</span>
        <Button label="Back to editing" onClick={onClose} />
        <Button label="Merge both" kind="main" isDisabled={open > 0} onClick={merge} />
      </div>
    </Dialog>
  );
}

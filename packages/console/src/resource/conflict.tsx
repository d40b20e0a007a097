import { useMemo, useState } from 'preact/hooks';
import { briefly, type Json, sameJson } from '../api/json.ts';
import { notifyError } from '../app/notices.tsx';
import { texts } from '../app/texts.ts';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialogs/dialog.tsx';
import { Scroll } from '../components/scroll.tsx';
import { type MergeLine, mergeLines, remaining } from '../model/merge.ts';
import { pathText } from '../model/paths.ts';
import type { Editor } from './editor.ts';

type Side = 'mine' | 'theirs';

/** The merge of what I edited with what someone else saved meanwhile. */
export function Conflict({ editor, name }: { readonly editor: Editor; readonly name: string }) {
  const { theirs, isStaged } = editor.conflict.value!;
  const [base, mine] = [editor.base.value!, editor.mine.value!];
  const lines = useMemo(() => mergeLines(base, mine, theirs), [theirs]);
  const [decided, setDecided] = useState<ReadonlyMap<string, Side>>(new Map());
  const open = lines.filter(({ isConflict, path }) => isConflict && !decided.has(pathText(path)));
  const close = () => {
    editor.conflict.value = undefined;
  };
  const save = () => {
    const forMine = new Set([...decided].filter(([, side]) => side === 'mine').map(([path]) => path));
    const rest = remaining(lines, forMine).map(({ path, mine: value }) => ({ path, value }));
    editor.saveOver(theirs, rest, isStaged).catch(notifyError);
  };
  const next = String(Number(theirs.version) + 1);
  return (
    <Dialog label={texts.resource.conflictHeading(name)} onClose={close} isWide>
      <h1>{texts.resource.conflictHeading(name)}</h1>
      <p class="hint">
        You started from version {String(base.version)}; version {String(theirs.version)} is stored now. Changes that do
        not conflict are merged.
      </p>
      <Scroll class="scroll" label={texts.resource.conflictHeading(name)}>
        <table class="merge">
          <thead>
            <tr>
              <th scope="col">{texts.resource.field}</th>
              <th scope="col">{`Base (version ${base.version})`}</th>
              <th scope="col">Mine</th>
              <th scope="col">{`Theirs (version ${theirs.version})`}</th>
            </tr>
          </thead>
          <tbody>
            {lines.map((line) => (
              <MergeRow
                key={pathText(line.path)}
                line={line}
                side={decided.get(pathText(line.path))}
                onDecide={(side) => setDecided(new Map(decided).set(pathText(line.path), side))}
              />
            ))}
          </tbody>
        </table>
      </Scroll>
      <div class="actions">
        {open.length > 0 && <span>{texts.resource.toDecide(open.length)}</span>}
        <Button label={texts.resource.back} onClick={close} />
        <Button
          label={`Save as version ${next}`}
          kind="main"
          isDisabled={open.length > 0 || editor.isBusy.value}
          onClick={save}
        />
      </div>
    </Dialog>
  );
}

interface MergeRowProps {
  readonly line: MergeLine;
  readonly side: Side | undefined;
  readonly onDecide: (side: Side) => void;
}

function MergeRow({ line, side, onDecide }: MergeRowProps) {
  const { path, base, mine, theirs, isConflict } = line;
  const name = pathText(path);
  const show = (value: Json | undefined) =>
    value === undefined ? <em>{texts.resource.none}</em> : briefly(value, 500);
  const cell = (value: Json | undefined, which: Side) => {
    if (!isConflict) {
      const isTaken = which === 'mine' ? !sameJson(mine, base) : sameJson(mine, base);
      return (
        <td class={isTaken ? 'taken' : ''} dir="auto">
          {show(value)}
        </td>
      );
    }
    return (
      <td class={side === which ? 'taken' : ''}>
        <label class="check" dir="auto">
          <input type="radio" name={`side-${name}`} checked={side === which} onChange={() => onDecide(which)} />
          {show(value)}
        </label>
      </td>
    );
  };
  return (
    <tr class={isConflict ? 'conflict' : ''}>
      <th scope="row" dir="auto">
        {name}
      </th>
      <td dir="auto">{show(base)}</td>
      {cell(mine, 'mine')}
      {cell(theirs, 'theirs')}
    </tr>
  );
}

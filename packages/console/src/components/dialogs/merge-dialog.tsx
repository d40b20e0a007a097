import { useMemo, useState } from 'preact/hooks';
import { briefly, type Json, type JsonMap, sameJson } from '../../api/json.ts';
import { texts } from '../../app/texts.ts';
import { type MergeLine, mergeLines, remaining } from '../../model/merge.ts';
import { pathText } from '../../model/paths.ts';
import { type Column, ListTable } from '../../table/list-table.tsx';
import { Button } from '../button.tsx';
import { Dialog } from './dialog.tsx';

type Side = 'mine' | 'theirs';

interface MergeDialogProps {
  readonly heading: string;
  readonly base: JsonMap;
  readonly mine: JsonMap;
  readonly theirs: JsonMap;
  /** The versions that `base` and `theirs` are of. */
  readonly versions: readonly [base: string, theirs: string];
  readonly submit: string;
  readonly isBusy?: boolean;
  /** Called with those of my changes that are to be written over theirs. */
  readonly onMerge: (changes: readonly MergeLine[]) => void;
  readonly onClose: () => void;
}

/** A value, or a note that it is absent. */
export const shownValue = (value: Json | undefined, limit = 500) =>
  value === undefined ? <em>{texts.resource.none}</em> : briefly(value, limit);

/** Someone else has saved meanwhile: what does not collide is taken from both sides, the rest a person decides. */
export function MergeDialog(props: MergeDialogProps) {
  const { heading, base, mine, theirs, versions, submit, isBusy = false, onMerge, onClose } = props;
  const lines = useMemo(() => mergeLines(base, mine, theirs), [theirs]);
  const [decided, setDecided] = useState<ReadonlyMap<string, Side>>(new Map());
  const open = lines.filter(({ isConflict, path }) => isConflict && !decided.has(pathText(path))).length;

  const sideOf = (side: Side) => (line: MergeLine) => {
    const name = pathText(line.path);
    if (!line.isConflict) return shownValue(line[side]);
    const isChosen = decided.get(name) === side;
    return (
      <label class="check" dir="auto">
        <input
          type="radio"
          name={`side-${name}`}
          checked={isChosen}
          onChange={() => setDecided(new Map(decided).set(name, side))}
        />
        {shownValue(line[side])}
      </label>
    );
  };
  const isTaken = (side: Side) => (line: MergeLine) => {
    if (line.isConflict) return decided.get(pathText(line.path)) === side;
    return sameJson(line.mine, line.base) === (side === 'theirs');
  };
  const takenOf = (side: Side) => (line: MergeLine) => (isTaken(side)(line) ? 'taken' : undefined);
  const columns: readonly Column<MergeLine>[] = [
    { name: texts.resource.field, kind: 'head', cell: ({ path }) => pathText(path) },
    { name: `Base (version ${versions[0]})`, cell: (line) => shownValue(line.base) },
    { name: 'Mine', cell: sideOf('mine'), classOf: takenOf('mine') },
    { name: `Theirs (version ${versions[1]})`, cell: sideOf('theirs'), classOf: takenOf('theirs') },
  ];
  const merge = () => {
    const forMine = new Set([...decided].filter(([, side]) => side === 'mine').map(([path]) => path));
    onMerge(remaining(lines, forMine));
  };
  return (
    <Dialog label={heading} onClose={onClose} isWide>
      <h1>{heading}</h1>
      <p class="hint">
        You started from version {versions[0]}; version {versions[1]} is stored now. Changes that do not conflict are
        merged.
      </p>
      <ListTable
        label={heading}
        class="merge"
        rows={lines}
        keyOf={({ path }) => pathText(path)}
        rowClassOf={({ isConflict }) => (isConflict ? 'conflict' : undefined)}
        columns={columns}
      />
      <div class="actions">
        {open > 0 && <span>{`${open} to decide`}</span>}
        <Button label={texts.resource.back} onClick={onClose} />
        <Button label={submit} kind="main" isDisabled={open > 0 || isBusy} onClick={merge} />
      </div>
    </Dialog>
  );
}

import { useEffect, useRef, useState } from 'preact/hooks';
import { writeJson } from '../api/json.ts';
import { errorText } from '../app/notices.tsx';
import { texts } from '../app/texts.ts';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialogs/dialog.tsx';
import { Form } from '../components/form.tsx';
import { Problem } from '../components/problem.tsx';
import type { ListRequest } from '../model/pages.ts';
import { Refusals } from '../table/refusals.tsx';
import { FieldForm } from './field-form.tsx';
import {
  type Change,
  currentTargets,
  isAllKept,
  nothingDone,
  type Progress,
  portionsMatching,
  portionsOf,
  type Refusal,
  runChange,
  type Target,
} from './run.ts';

export type BulkKind = 'setField' | 'publish' | 'delete';

interface BulkProps {
  readonly projectKey: string;
  readonly kind: BulkKind;
  /** The resources that were chosen; or all that match. */
  readonly scope: { readonly targets: readonly Target[] } | { readonly request: ListRequest };
  /** How many they are; undefined where that is not counted. */
  readonly count: number | undefined;
  /** Paths to choose from. */
  readonly paths: readonly string[];
  /** Called when it is closed; `isChanged`: something was changed. */
  readonly onClose: (isChanged: boolean) => void;
}

type Portions = AsyncIterable<readonly Target[]>;
type Step = 'asked' | 'running' | 'done' | 'stopped';

/** A change of many resources: how far it is, and what can be done then. */
function useBulkChange(projectKey: string, count: number | undefined) {
  const [step, setStep] = useState<Step>('asked');
  const [progress, setProgress] = useState<Progress>(nothingDone);
  const [problem, setProblem] = useState('');
  const [isUndone, setUndone] = useState(false);
  const [total, setTotal] = useState(count);
  const isChanged = useRef(false);
  const abort = useRef(new AbortController());
  useEffect(() => () => abort.current.abort(), []);

  /** Changes what `targetsOf` names. */
  async function run(what: Change, targetsOf: (signal: AbortSignal) => Promise<Portions> | Portions): Promise<void> {
    abort.current = new AbortController();
    const { signal } = abort.current;
    setStep('running');
    setProblem('');
    try {
      const portions = await targetsOf(signal);
      setProgress(nothingDone);
      await runChange(projectKey, portions, what, signal, (now) => {
        isChanged.current ||= now.changed > 0;
        setProgress(now);
      });
      setStep(signal.aborted ? 'stopped' : 'done');
    } catch (error) {
      if (!signal.aborted) setProblem(errorText(error));
      setStep('stopped');
    }
  }

  const only = (targets: readonly Target[]): Portions => {
    setTotal(targets.length);
    return portionsOf(targets);
  };
  return {
    ...{ step, progress, problem, isUndone, total, isChanged, run },
    /** Tries those again that were refused. */
    again: (what: Change) => {
      const refused = progress.refused.map(({ target }) => target);
      return run(what, async () => only(await currentTargets(projectKey, refused)));
    },
    undo: (kind: 'restore' | 'undo') => {
      setUndone(true);
      return run({ kind }, () => only(progress.changedTargets));
    },
    stop: () => abort.current.abort(),
  };
}

/** Asks, changes many resources with progress, can be stopped, and tells what became of each. */
export function BulkDialog({ projectKey, kind, scope: given, count, paths, onClose }: BulkProps) {
  // The selection when the dialog opened: later changes by others are reported, not overwritten.
  const [scope] = useState(given);
  const [actions, setActions] = useState<Extract<Change, { kind: 'update' }>['actions']>();
  const bulk = useBulkChange(projectKey, count);
  const { step, progress, problem, isUndone } = bulk;
  const change: Change | undefined =
    kind === 'delete'
      ? { kind: 'delete' }
      : kind === 'publish'
        ? { kind: 'update', actions: [{ action: 'publish' }] }
        : actions && { kind: 'update', actions };

  const isOver = step === 'done' || step === 'stopped';
  const hasRefused = isOver && progress.refused.length > 0;
  const close = () => {
    if (step === 'running') bulk.stop();
    else onClose(bulk.isChanged.current);
  };
  const begin = (signal: AbortSignal) =>
    'targets' in scope ? portionsOf(scope.targets) : portionsMatching(scope.request, signal);
  const heading = texts.bulk.headings[kind](count?.toLocaleString('en') ?? 'all');
  return (
    <Dialog label={heading} onClose={close} isWide={hasRefused}>
      <Form onSubmit={() => step === 'asked' && change && bulk.run(change, begin)}>
        <h1>{heading}</h1>
        {step === 'asked' && (
          <>
            {kind === 'setField' && <FieldForm paths={paths} onChange={setActions} />}
            <p class="hint">{texts.bulk.hints[kind]}</p>
            {kind === 'setField' && (
              <p class="hint">
                Unless it is staged, the change replaces drafts of this field as well; Undo brings them back.
              </p>
            )}
          </>
        )}
        {step !== 'asked' && <ProgressLines progress={progress} total={bulk.total} isOver={isOver} />}
        {step === 'stopped' && problem === '' && (
          <p role="status">Stopped. The counted changes are saved; the rest is unchanged.</p>
        )}
        <Problem text={problem} />
        {hasRefused && <Refused progress={progress} />}
        <div class="actions">
          <Button label={step === 'running' ? texts.bulk.stop : isOver ? texts.close : texts.cancel} onClick={close} />
          {hasRefused && !isUndone && (
            <Button label="Retry the refused resources" onClick={() => bulk.again(change!)} />
          )}
          {isOver && !isUndone && progress.changed > 0 && isAllKept(progress) && (
            <Button
              label={(kind === 'delete' ? texts.bulk.restore : texts.bulk.undo)(progress.changed)}
              onClick={() => bulk.undo(kind === 'delete' ? 'restore' : 'undo')}
            />
          )}
          {step === 'asked' && (
            <Button
              isSubmit
              label={texts.bulk.submit[kind]}
              kind={kind === 'delete' ? 'danger' : 'main'}
              isDisabled={change === undefined}
            />
          )}
        </div>
      </Form>
    </Dialog>
  );
}

interface ProgressProps {
  readonly progress: Progress;
  readonly total: number | undefined;
  readonly isOver: boolean;
}

function ProgressLines({ progress, total, isOver }: ProgressProps) {
  const { done, changed, unchanged, refused } = progress;
  const shown = (count: number) => count.toLocaleString('en');
  return (
    <>
      {!isOver && (
        <progress
          aria-label={texts.bulk.progress}
          max={total ?? 1}
          {...(total === undefined ? {} : { value: Math.min(done, total) })}
        />
      )}
      <p role="status">
        {shown(changed)} changed, {shown(unchanged)} unchanged, {shown(refused.length)} refused
      </p>
    </>
  );
}

/** The resources that stayed as they were, and why. */
function Refused({ progress: { refused } }: { readonly progress: Progress }) {
  const lineOf = ({ target: { id, key }, code, message }: Refusal) =>
    writeJson({ id, ...(key !== undefined && { key }), code, message });
  return (
    <Refusals
      rows={refused}
      keyOf={({ target }) => target.id}
      columns={[
        { name: texts.resource.key, kind: 'head', cell: ({ target }) => target.key ?? target.id },
        {
          name: texts.bulk.reason,
          cell: ({ target, code, message }) =>
            code === 'ConcurrentModification' ? `Someone has changed it since version ${target.version}.` : message,
        },
      ]}
      files={[['Download the refused resources', 'refused.ndjson', () => refused.map(lineOf)]]}
    />
  );
}

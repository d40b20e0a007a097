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
  type BatchChange,
  type Change,
  changeMatching,
  currentTargets,
  isAllKept,
  nothingDone,
  type Progress,
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

type Work = (signal: AbortSignal, onProgress: (progress: Progress) => void) => Promise<void>;
type Step = 'asked' | 'checking' | 'running' | 'done' | 'stopped';

/** A change of many resources: how far it is, and what can be done then. */
function useBulkChange(projectKey: string, count: number | undefined) {
  const [step, setStep] = useState<Step>('asked');
  const [progress, setProgress] = useState<Progress>(nothingDone);
  const [problem, setProblem] = useState('');
  const [isUndone, setUndone] = useState(false);
  const [total, setTotal] = useState(count);
  /** What a check has found. */
  const [checked, setChecked] = useState<Progress>();
  const isChanged = useRef(false);
  const abort = useRef(new AbortController());
  useEffect(() => () => abort.current.abort(), []);

  async function run(work: Work): Promise<void> {
    abort.current = new AbortController();
    const { signal } = abort.current;
    setStep('running');
    setProblem('');
    try {
      setProgress(nothingDone);
      await work(signal, (now) => {
        isChanged.current ||= now.changed > 0;
        setProgress(now);
      });
      setStep(signal.aborted ? 'stopped' : 'done');
    } catch (error) {
      if (!signal.aborted) setProblem(errorText(error));
      setStep('stopped');
    }
  }

  /** Tells what a change would do. */
  async function check(work: Work): Promise<void> {
    abort.current = new AbortController();
    setStep('checking');
    setProblem('');
    try {
      await work(abort.current.signal, setChecked);
    } catch (error) {
      setProblem(errorText(error));
    }
    if (abort.current.signal.aborted) setChecked(undefined);
    setStep('asked');
  }

  const only =
    (what: Change, targetsOf: () => Promise<readonly Target[]> | readonly Target[]): Work =>
    async (signal, onProgress) => {
      const targets = await targetsOf();
      setTotal(targets.length);
      await runChange(projectKey, portionsOf(targets), what, signal, onProgress);
    };
  return {
    ...{ step, progress, problem, isUndone, total, isChanged, checked, run, check, only },
    forget: () => setChecked(undefined),
    /** Tries those again that were refused. */
    again: (what: Change) => {
      const refused = progress.refused.map(({ target }) => target);
      return run(only(what, () => currentTargets(projectKey, refused)));
    },
    undo: (kind: 'restore' | 'undo') => {
      setUndone(true);
      return run(only({ kind }, () => progress.changedTargets));
    },
    stop: () => abort.current.abort(),
  };
}

/** Asks, changes many resources with progress, can be stopped, and tells what became of each. */
export function BulkDialog({ projectKey, kind, scope: given, count, paths, onClose }: BulkProps) {
  // The selection when the dialog opened: later changes by others are reported, not overwritten.
  const [scope] = useState(given);
  const [actions, setActions] = useState<Extract<BatchChange, { kind: 'update' }>['actions']>();
  const bulk = useBulkChange(projectKey, count);
  const { step, progress, problem, isUndone, checked } = bulk;
  const change: BatchChange | undefined =
    kind === 'delete'
      ? { kind: 'delete' }
      : kind === 'publish'
        ? { kind: 'update', actions: [{ action: 'publish' }] }
        : actions && { kind: 'update', actions };

  const isOver = step === 'done' || step === 'stopped';
  const hasRefused = isOver && progress.refused.length > 0;
  const close = () => {
    if (step === 'running' || step === 'checking') bulk.stop();
    else onClose(bulk.isChanged.current);
  };
  const workOf =
    (what: BatchChange, isDryRun = false): Work =>
    (signal, onProgress) =>
      'targets' in scope
        ? bulk.only(what, () => scope.targets)(signal, onProgress)
        : changeMatching({ request: scope.request, change: what, expect: count, isDryRun }, signal, onProgress);
  const heading = texts.bulk.headings[kind](count?.toLocaleString('en') ?? 'all');
  return (
    <Dialog label={heading} onClose={close} isWide={hasRefused}>
      <Form onSubmit={() => step === 'asked' && change && bulk.run(workOf(change))}>
        <h1>{heading}</h1>
        {step === 'asked' && (
          <>
            {kind === 'setField' && (
              <FieldForm
                paths={paths}
                onChange={(next) => {
                  setActions(next);
                  bulk.forget();
                }}
              />
            )}
            <p class="hint">{'targets' in scope ? texts.bulk.hints[kind] : texts.bulk.matching[kind]}</p>
            {kind === 'setField' && (
              <p class="hint">
                Unless it is staged, the change replaces drafts of this field as well; Undo brings them back.
              </p>
            )}
          </>
        )}
        {step === 'checking' && <p role="status">{texts.bulk.checking}</p>}
        {step === 'asked' && checked && <p role="status">{checkedText(checked)}</p>}
        {step === 'asked' && checked && checked.refused.length > 0 && <Refused progress={checked} />}
        {step !== 'asked' && step !== 'checking' && (
          <ProgressLines progress={progress} total={bulk.total} isOver={isOver} />
        )}
        {step === 'stopped' && problem === '' && (
          <p role="status">Stopped. The counted changes are saved; the rest is unchanged.</p>
        )}
        <Problem text={problem} />
        {hasRefused && <Refused progress={progress} />}
        <div class="actions">
          <Button
            label={step === 'running' || step === 'checking' ? texts.bulk.stop : isOver ? texts.close : texts.cancel}
            onClick={close}
          />
          {hasRefused && !isUndone && (
            <Button label="Retry the refused resources" onClick={() => bulk.again(change!)} />
          )}
          {isOver && !isUndone && progress.changed > 0 && isAllKept(progress) && (
            <Button
              label={(kind === 'delete' ? texts.bulk.restore : texts.bulk.undo)(progress.changed)}
              onClick={() => bulk.undo(kind === 'delete' ? 'restore' : 'undo')}
            />
          )}
          {step === 'asked' && 'request' in scope && (
            <Button
              label={texts.bulk.check}
              isDisabled={change === undefined}
              onClick={() => change && bulk.check(workOf(change, true))}
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

const shown = (count: number) => count.toLocaleString('en');

const checkedText = ({ changed, unchanged, refused }: Progress) =>
  texts.bulk.checked(shown(changed), shown(unchanged), shown(refused.length));

interface ProgressProps {
  readonly progress: Progress;
  readonly total: number | undefined;
  readonly isOver: boolean;
}

function ProgressLines({ progress, total, isOver }: ProgressProps) {
  const { done, changed, unchanged, refused, skipped } = progress;
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
        {skipped > 0 && `, ${shown(skipped)} no longer match`}
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

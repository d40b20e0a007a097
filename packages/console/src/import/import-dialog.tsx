import { useEffect, useRef, useState } from 'preact/hooks';
import { errorText } from '../app/notices.tsx';
import { texts } from '../app/texts.ts';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Problem } from '../components/problem.tsx';
import { Scroll } from '../components/scroll.tsx';
import { type Charset, guessCharset, otherForm, WrongCharset } from './charset.ts';
import {
  type Column,
  type ColumnProblem,
  columnsOf,
  createRecordReader,
  createRecordWriter,
  problemOf,
  type RawRecord,
  type Separator,
  separatorOf,
} from './csv.ts';
import { type Chosen, FormChoice } from './form-choice.tsx';
import { Mapping } from './mapping.tsx';
import { linePortions, recordPortions } from './portions.ts';
import { ReportView } from './report.tsx';
import { emptyReport, type Mode, modes, nothingReached, type Reached, type Report, sendPortions } from './send.ts';

interface ImportProps {
  readonly projectKey: string;
  /** Undefined where it is still to be chosen. */
  readonly file: File | undefined;
  readonly onClose: (isChanged: boolean) => void;
}

/** What is known of the file by its beginning. */
interface Preview {
  readonly charset: Charset;
  readonly separator: Separator | undefined;
  readonly columns: readonly Column[];
  readonly examples: readonly RawRecord[];
  readonly lines: readonly string[];
}

const nothingChosen: Chosen = {};
const previewBytes = 64 * 1024;

/** A charset and a separator that are not chosen are guessed. */
async function previewOf(file: File, chosen: Chosen): Promise<Preview> {
  const bytes = new Uint8Array(await file.slice(0, previewBytes).arrayBuffer());
  const other = otherForm(bytes);
  if (other) throw new Error(texts.import[other]);
  const charset = chosen.charset ?? guessCharset(bytes);
  const text = new TextDecoder(charset).decode(bytes, { stream: true });
  const isCsv = /\.(?:csv|tsv)$/i.test(file.name) || !/^\s*\{/.test(text);
  if (!isCsv) {
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    return { charset, separator: undefined, columns: [], examples: [], lines: lines.slice(0, 3) };
  }
  const separator = chosen.separator ?? separatorOf(text);
  const [header, ...examples] = createRecordReader(separator).read(text, file.size <= previewBytes);
  return { charset, separator, columns: header ? columnsOf(header) : [], examples: examples.slice(0, 3), lines: [] };
}

type Step = 'asked' | 'checking' | 'checked' | 'writing' | 'written' | 'stopped';

/** Imports a file: what becomes of its columns, a check that writes nothing, then the import with progress. */
export function ImportDialog({ projectKey, file: given, onClose }: ImportProps) {
  const [file, setFile] = useState(given);
  const [preview, setPreview] = useState<Preview>();
  const [chosen, setChosen] = useState(nothingChosen);
  const [columns, setColumns] = useState<readonly Column[]>([]);
  const [mode, setMode] = useState<Mode>('merge');
  const [step, setStep] = useState<Step>('asked');
  const [report, setReport] = useState<Report>(emptyReport);
  const [problem, setProblem] = useState('');
  const abort = useRef(new AbortController());
  const reached = useRef<Reached>(nothingReached);
  const isChanged = useRef(false);
  useEffect(() => () => abort.current.abort(), []);
  useEffect(() => {
    if (!file) return;
    setPreview(undefined);
    setStep('asked');
    setProblem('');
    previewOf(file, chosen)
      .then((found) => {
        setPreview(found);
        setColumns(found.columns);
      })
      .catch((error: unknown) => setProblem(errorText(error)));
  }, [file, chosen]);

  const { separator } = preview ?? {};
  const isRunning = step === 'checking' || step === 'writing';
  const wrong = separator === undefined ? undefined : problemOf(columns);

  async function run(isDryRun: boolean, isResumed: boolean): Promise<void> {
    if (!file) return;
    if (!isResumed) reached.current = nothingReached;
    abort.current = new AbortController();
    setReport(reached.current.report);
    setProblem('');
    setStep(isDryRun ? 'checking' : 'writing');
    const portions =
      separator === undefined
        ? linePortions(file, preview?.charset)
        : recordPortions(file, columns, separator, preview?.charset);
    const options = { projectKey, mode, isDryRun, signal: abort.current.signal };
    try {
      await sendPortions(portions, reached.current, options, (now) => {
        isChanged.current ||= !isDryRun && now.report.created + now.report.updated > 0;
        reached.current = now;
        setReport(now.report);
      });
      setStep(isDryRun ? 'checked' : 'written');
    } catch (error) {
      if (error instanceof WrongCharset) setProblem(texts.import.wrongCharset(error.line.toLocaleString('en')));
      else if (!abort.current.signal.aborted)
        setProblem(error instanceof TypeError ? texts.errors.offline : errorText(error));
      setStep(isDryRun ? 'asked' : 'stopped');
    }
  }

  const close = () => {
    if (isRunning) abort.current.abort();
    else onClose(isChanged.current);
  };
  const change = (next: readonly Column[]) => {
    setColumns(next);
    if (step === 'checked') setStep('asked');
  };
  const isOpen = step === 'asked' || step === 'checked';
  const hasReport = step !== 'asked';
  const header = separator === undefined ? undefined : createRecordWriter(columns, separator).header;
  return (
    <Dialog label={texts.import.heading} onClose={close} isWide>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (step === 'asked') void run(true, false);
          else if (step === 'checked' || step === 'stopped') void run(false, step === 'stopped');
        }}
      >
        <h1>{texts.import.heading}</h1>
        <FileInput
          file={file}
          isDisabled={!isOpen}
          onFile={(next) => {
            setChosen(nothingChosen);
            setFile(next);
          }}
        />
        {preview && isOpen && <FormChoice {...preview} onChange={(change) => setChosen({ ...chosen, ...change })} />}
        {preview && separator !== undefined && (
          <Mapping columns={columns} examples={preview.examples} isDisabled={!isOpen} onChange={change} />
        )}
        {preview && separator === undefined && (
          <Scroll class="document-text" label={texts.import.examples}>
            <pre class="code" dir="auto">
              {preview.lines.map((line) => line.slice(0, 400)).join('\n')}
            </pre>
          </Scroll>
        )}
        {wrong && <p class="problem">{problemText(wrong)}</p>}
        {preview && isOpen && (
          <label>
            {texts.import.mode}
            <select
              value={mode}
              onChange={(event) => {
                setMode(event.currentTarget.value as Mode);
                setStep('asked');
              }}
            >
              {modes.map((one) => (
                <option key={one} value={one}>
                  {texts.import.modes[one]}
                </option>
              ))}
            </select>
          </label>
        )}
        {preview && isOpen && <p class="hint">{texts.drafts.importHint}</p>}
        {isRunning && file && <progress aria-label={texts.bulk.progress} max={file.size} value={report.sentBytes} />}
        {hasReport && (
          <>
            <p role="status">{texts.import.steps[step](report.lines.toLocaleString('en'))}</p>
            <ReportView report={report} isDryRun={step === 'checking' || step === 'checked'} header={header} />
          </>
        )}
        <Problem text={problem} />
        <div class="actions">
          <Button
            label={isRunning ? texts.bulk.stop : step === 'written' || step === 'stopped' ? texts.close : texts.cancel}
            onClick={close}
          />
          {step === 'asked' && (
            <Button isSubmit label={texts.import.check} kind="main" isDisabled={!preview || wrong !== undefined} />
          )}
          {step === 'checked' && (
            <Button
              isSubmit
              label={texts.import.submit((report.created + report.updated).toLocaleString('en'))}
              kind="main"
              isDisabled={report.created + report.updated === 0}
            />
          )}
          {step === 'stopped' && <Button isSubmit label={texts.import.goOn} kind="main" />}
        </div>
      </form>
    </Dialog>
  );
}

function problemText(problem: ColumnProblem): string {
  if (problem.kind === 'none') return texts.import.noColumns;
  return problem.kind === 'twice' ? texts.import.twice(problem.path) : texts.import.inside(problem.path, problem.outer);
}

interface FileProps {
  readonly file: File | undefined;
  readonly isDisabled: boolean;
  readonly onFile: (file: File) => void;
}

/** The file: chosen, or dropped here. */
function FileInput({ file, isDisabled, onFile }: FileProps) {
  const [isOver, setOver] = useState(false);
  return (
    <fieldset
      class={isOver ? 'drop over' : 'drop'}
      aria-label={texts.import.file}
      disabled={isDisabled}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        const [dropped] = event.dataTransfer?.files ?? [];
        if (dropped && !isDisabled) onFile(dropped);
      }}
    >
      {file && (
        <strong dir="auto">
          {file.name} <span class="hint">{Math.ceil(file.size / 1000).toLocaleString('en')} KB</span>
        </strong>
      )}
      <label>
        {file ? texts.import.otherFile : texts.import.choose}
        <input
          type="file"
          accept=".csv,.tsv,.ndjson,.jsonl,.json,text/csv,application/x-ndjson"
          onChange={(event) => {
            const [chosen] = event.currentTarget.files ?? [];
            if (chosen) onFile(chosen);
          }}
        />
      </label>
    </fieldset>
  );
}

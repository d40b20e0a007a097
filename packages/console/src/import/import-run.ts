import { useEffect, useRef, useState } from 'preact/hooks';
import { errorText } from '../app/notices.tsx';
import { texts } from '../app/texts.ts';
import { type Charset, guessCharset, otherForm, WrongCharset } from './charset.ts';
import { type Column, columnsOf, createRecordReader, type RawRecord, type Separator, separatorOf } from './csv.ts';
import { linePortions, recordPortions } from './portions.ts';
import { emptyReport, type Mode, nothingReached, type Reached, type Report, sendPortions } from './send.ts';

/** Facts that the beginning of the file tells. */
interface Preview {
  readonly charset: Charset;
  readonly separator: Separator | undefined;
  readonly columns: readonly Column[];
  readonly examples: readonly RawRecord[];
  readonly lines: readonly string[];
}

/** The choices of the user. */
export interface Chosen {
  readonly charset?: Charset;
  readonly separator?: Separator;
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

/** Where an import is: it is checked first, which writes nothing. */
export type Step = 'asked' | 'checking' | 'checked' | 'writing' | 'written' | 'stopped';

/** An import of a file: what the file is, what is chosen for it, how far it is. */
export function useImport(projectKey: string, given: File | undefined) {
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

  async function run(isDryRun: boolean, isResumed: boolean): Promise<void> {
    if (!file) return;
    const { separator, charset } = preview ?? {};
    if (!isResumed) reached.current = nothingReached;
    abort.current = new AbortController();
    setReport(reached.current.report);
    setProblem('');
    setStep(isDryRun ? 'checking' : 'writing');
    const portions =
      separator === undefined ? linePortions(file, charset) : recordPortions(file, columns, separator, charset);
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
      else if (!abort.current.signal.aborted) setProblem(error instanceof TypeError ? texts.offline : errorText(error));
      setStep(isDryRun ? 'asked' : 'stopped');
    }
  }

  return {
    ...{ file, preview, columns, mode, step, report, problem, isChanged },
    takeFile(next: File): void {
      setChosen(nothingChosen);
      setFile(next);
    },
    choose: (change: Chosen) => setChosen({ ...chosen, ...change }),
    mapColumns(next: readonly Column[]): void {
      setColumns(next);
      if (step === 'checked') setStep('asked');
    },
    chooseMode(next: Mode): void {
      setMode(next);
      setStep('asked');
    },
    /** Checks the file; then imports it, from where it stopped. */
    goOn(): void {
      if (step === 'asked') void run(true, false);
      else if (step === 'checked' || step === 'stopped') void run(false, step === 'stopped');
    },
    stop: () => abort.current.abort(),
  };
}

export type Import = ReturnType<typeof useImport>;

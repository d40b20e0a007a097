import { texts } from '../app/texts.ts';
import { useFileDrop } from '../browser/file-drop.ts';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialogs/dialog.tsx';
import { Form } from '../components/form.tsx';
import { Choice, optionsOf } from '../components/inputs/choice.tsx';
import { Problem } from '../components/problem.tsx';
import { Scroll } from '../components/scroll.tsx';
import { type Charset, charsets } from './charset.ts';
import { createRecordWriter, problemOf, type Separator, separators } from './csv.ts';
import { type Chosen, type Import, useImport } from './import-run.ts';
import { Mapping } from './mapping.tsx';
import { ReportView } from './report.tsx';
import { modes } from './send.ts';

interface ImportProps {
  readonly projectKey: string;
  /** Undefined where it is still to be chosen. */
  readonly file: File | undefined;
  readonly onClose: (isChanged: boolean) => void;
}

/** Imports a file: what becomes of its columns, a check that writes nothing, then the import with progress. */
export function ImportDialog({ projectKey, file: given, onClose }: ImportProps) {
  const run = useImport(projectKey, given);
  const { file, preview, columns, step, report } = run;
  const separator = preview?.separator;
  const wrong = separator === undefined ? undefined : problemOf(columns);
  const isRunning = step === 'checking' || step === 'writing';
  const isOpen = step === 'asked' || step === 'checked';
  const close = () => {
    if (isRunning) run.stop();
    else onClose(run.isChanged.current);
  };
  return (
    <Dialog label={texts.import.heading} onClose={close} isWide>
      <Form onSubmit={run.goOn}>
        <h1>{texts.import.heading}</h1>
        <FileInput file={file} isDisabled={!isOpen} onFile={run.takeFile} />
        {preview && isOpen && <FormChoice {...preview} onChange={run.choose} />}
        <Beginning run={run} isOpen={isOpen} />
        {wrong && <p class="problem">{wrong}</p>}
        {preview && isOpen && (
          <>
            <Choice
              label="A line whose resource exists (by id or key)"
              value={run.mode}
              options={optionsOf(texts.import.modes, modes)}
              onChoose={run.chooseMode}
            />
            <p class="hint">An import changes what readers see, and drafts of the same fields with it.</p>
          </>
        )}
        {isRunning && file && <progress aria-label={texts.bulk.progress} max={file.size} value={report.sentBytes} />}
        {step !== 'asked' && (
          <>
            <p role="status">{texts.import.steps[step](report.lines.toLocaleString('en'))}</p>
            <ReportView
              report={report}
              isDryRun={step === 'checking' || step === 'checked'}
              header={separator === undefined ? undefined : createRecordWriter(columns, separator).header}
            />
          </>
        )}
        <Problem text={run.problem} />
        <div class="actions">
          <Button label={isRunning ? texts.bulk.stop : isOpen ? texts.cancel : texts.close} onClick={close} />
          <NextButton run={run} isBlocked={!preview || wrong !== undefined} />
        </div>
      </Form>
    </Dialog>
  );
}

interface FormProps {
  readonly charset: Charset;
  /** Undefined for lines of JSON. */
  readonly separator: Separator | undefined;
  readonly onChange: (change: Chosen) => void;
}

/** Encoding and separator: guessed from the beginning of the file, and changed where the examples look wrong. */
function FormChoice({ charset, separator, onChange }: FormProps) {
  return (
    <div class="line">
      <Choice
        label="Encoding (change it if letters look wrong)"
        value={charset}
        options={optionsOf(texts.import.charsets, charsets)}
        onChoose={(charset) => onChange({ charset })}
      />
      {separator !== undefined && (
        <Choice
          label="Cells are separated by"
          value={separator}
          options={optionsOf(texts.import.separators, separators)}
          onChoose={(separator) => onChange({ separator })}
        />
      )}
    </div>
  );
}

/** The first lines of the file; of CSV with what becomes of its columns. */
function Beginning({ run, isOpen }: { readonly run: Import; readonly isOpen: boolean }) {
  const { preview, columns, mapColumns } = run;
  if (!preview) return null;
  if (preview.separator !== undefined) {
    return <Mapping columns={columns} examples={preview.examples} isDisabled={!isOpen} onChange={mapColumns} />;
  }
  return (
    <Scroll class="tall" label={texts.import.examples}>
      <pre class="code" dir="auto">
        {preview.lines.map((line) => line.slice(0, 400)).join('\n')}
      </pre>
    </Scroll>
  );
}

function NextButton({ run, isBlocked }: { readonly run: Import; readonly isBlocked: boolean }) {
  const { step, report } = run;
  const changes = report.created + report.updated;
  if (step === 'asked') return <Button isSubmit label="Check" kind="main" isDisabled={isBlocked} />;
  if (step === 'stopped') return <Button isSubmit label="Continue" kind="main" />;
  if (step !== 'checked') return null;
  const label = texts.import.submit(changes.toLocaleString('en'));
  return <Button isSubmit label={label} kind="main" isDisabled={changes === 0} />;
}

interface FileProps {
  readonly file: File | undefined;
  readonly isDisabled: boolean;
  readonly onFile: (file: File) => void;
}

/** The file: chosen, or dropped here. */
function FileInput({ file, isDisabled, onFile }: FileProps) {
  const drop = useFileDrop(true, ([dropped]) => {
    if (!isDisabled) onFile(dropped);
  });
  return (
    <fieldset
      class={drop.isOver ? 'drop stack over' : 'drop stack'}
      aria-label="File"
      disabled={isDisabled}
      {...drop.handlers}
    >
      {file && (
        <strong dir="auto">
          {file.name} <span class="hint">{Math.ceil(file.size / 1000).toLocaleString('en')} KB</span>
        </strong>
      )}
      <label>
        {file ? 'Another file' : 'Drop a CSV or NDJSON file here, or choose one'}
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

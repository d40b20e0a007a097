import { useEffect, useRef, useState } from 'preact/hooks';
import { texts } from '../app/texts.ts';
import { openSink } from '../browser/file-sink.ts';
import { FormDialog } from '../components/dialogs/form-dialog.tsx';
import { Problem } from '../components/problem.tsx';
import { predicatePath } from '../filter/position.ts';
import { size } from '../health/format.ts';
import type { ListRequest } from '../model/pages.ts';
import { contentTypes, exportCalls, type Format, type LeftOut, writeExport } from './export.ts';

interface ExportProps {
  readonly request: ListRequest;
  /** Only these; undefined for all that match. */
  readonly ids: readonly string[] | undefined;
  readonly columns: readonly string[];
  readonly onClose: () => void;
}

/** Ids of damaged resources that are shown. */
const shownIds = 10;

/** Saves what was chosen, or all that matches, as a file, as the service streams it. */
export function ExportDialog({ request, ids, columns, onClose }: ExportProps) {
  const [format, setFormat] = useState<Format>('ndjson');
  const [fields, setFields] = useState(columns.map((column) => predicatePath(column.split('.'))).join(', '));
  const [bytes, setBytes] = useState<number>();
  const [leftOut, setLeftOut] = useState<LeftOut>();
  const abort = useRef(new AbortController());
  useEffect(() => () => abort.current.abort(), []);
  const options = { request, ids, format, fields };
  const calls = exportCalls(options);

  async function run(): Promise<void> {
    const sink = await openSink(`${request.projectKey}.${format}`, contentTypes[format]);
    if (!sink) return;
    setLeftOut(undefined);
    setBytes(0);
    abort.current = new AbortController();
    try {
      setLeftOut(await writeExport(options, sink, abort.current.signal, setBytes));
    } catch (error) {
      setBytes(undefined);
      await sink.abort().catch(() => {});
      if (!abort.current.signal.aborted) throw error;
    }
  }

  const isDone = leftOut !== undefined;
  const heading = ids === undefined ? texts.resources.exportAll : texts.export.heading(ids.length.toLocaleString('en'));
  return (
    <FormDialog
      label={heading}
      submit="Export"
      isBlocked={bytes !== undefined && !isDone}
      close={isDone ? texts.close : texts.cancel}
      call={calls.length === 1 ? () => calls[0]! : undefined}
      onSubmit={run}
      onClose={onClose}
    >
      <fieldset>
        <legend>Format</legend>
        {(['ndjson', 'csv'] as const).map((one) => (
          <label key={one} class="check">
            <input type="radio" name="format" checked={format === one} onChange={() => setFormat(one)} />
            {texts.export.formats[one]}
          </label>
        ))}
      </fieldset>
      {format === 'csv' && (
        <label>
          Columns (paths, separated by commas; empty: all fields)
          <textarea rows={3} value={fields} onInput={(event) => setFields(event.currentTarget.value)} />
        </label>
      )}
      {request.where !== '' && ids === undefined && <pre class="code">{request.where}</pre>}
      <p class="hint">You can import the same file.</p>
      {bytes !== undefined && <p role="status">{isDone ? `Saved: ${size(bytes)}` : `${size(bytes)} read…`}</p>}
      {leftOut && leftOut.count > 0 && (
        <Problem text={texts.export.leftOut(leftOut.count, leftOut.ids.slice(0, shownIds))} />
      )}
    </FormDialog>
  );
}

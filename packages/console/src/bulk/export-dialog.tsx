import { useEffect, useRef, useState } from 'preact/hooks';
import { servicePath } from '../api/base-address.ts';
import { pathOf } from '../api/client.ts';
import { errorText } from '../app/notices.tsx';
import { accessToken } from '../app/session.ts';
import { texts } from '../app/texts.ts';
import { type FileSink, openSink, SinkFull } from '../browser/file-sink.ts';
import { Button } from '../components/button.tsx';
import { CopyAs } from '../components/copy-as.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Problem } from '../components/problem.tsx';
import { predicatePath } from '../filter/position.ts';
import type { ListRequest } from '../model/pages.ts';

type Format = 'ndjson' | 'csv';

interface ExportProps {
  readonly request: ListRequest;
  /** Only these; undefined for all that match. */
  readonly ids: readonly string[] | undefined;
  readonly columns: readonly string[];
  readonly onClose: () => void;
}

/** Ids of a request: more are too long for an address. */
const idsAtOnce = 100;
/** Ids of damaged resources that are shown. */
const shownIds = 10;

const contentTypes = { ndjson: 'application/x-ndjson', csv: 'text/csv' } as const;

/** The predicates of the requests that an export takes, one after the other. */
function predicatesOf(where: string, ids: readonly string[] | undefined): readonly string[] {
  if (ids === undefined) return [where];
  const portions = Array.from({ length: Math.ceil(ids.length / idsAtOnce) }, (_, at) =>
    ids.slice(at * idsAtOnce, (at + 1) * idsAtOnce),
  );
  return portions.map((some) => `id in (${some.map((id) => JSON.stringify(id)).join(', ')})`);
}

/** Everything behind the first line: an export in several requests has one header. */
function withoutHeader(chunk: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return chunk.slice(chunk.indexOf(10) + 1);
}

const summaryForm = /^\[(?:"complete",\d+|"incomplete",\d+,\d+,\[.*\])\]\n$/;

/** Resources that could not be read, and are not in the file. */
interface LeftOut {
  readonly count: number;
  /** Of the first of them. */
  readonly ids: readonly string[];
}

/**
 * What stands before the last line, which says that the download has come to its end, and what it lacks. Throws where there is no
 * such line.
 */
async function* withoutSummary(
  chunks: AsyncIterable<Uint8Array<ArrayBuffer>>,
  onLeftOut: (leftOut: LeftOut) => void,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let last = new Uint8Array(0);
  for await (const chunk of chunks) {
    const bytes = new Uint8Array(last.length + chunk.length);
    bytes.set(last);
    bytes.set(chunk, last.length);
    const end = bytes.lastIndexOf(10, -2) + 1;
    if (end > 0) yield bytes.slice(0, end);
    last = bytes.slice(end);
  }
  const line = new TextDecoder().decode(last);
  if (!summaryForm.test(line)) throw new Error(texts.export.cut);
  const [kind, , count, ids] = JSON.parse(line) as [string, number, number, string[]];
  if (kind === 'incomplete') onLeftOut({ count, ids });
}

/** Saves what was chosen, or all that matches, as a file, as the service streams it. */
export function ExportDialog({ request, ids, columns, onClose }: ExportProps) {
  const [format, setFormat] = useState<Format>('ndjson');
  const [fields, setFields] = useState(columns.map((column) => predicatePath(column.split('.'))).join(', '));
  const [bytes, setBytes] = useState<number>();
  const [problem, setProblem] = useState('');
  const [isDone, setDone] = useState(false);
  const [leftOut, setLeftOut] = useState<LeftOut>();
  const abort = useRef(new AbortController());
  useEffect(() => () => abort.current.abort(), []);
  const { projectKey, where, staged } = request;

  const predicates = predicatesOf(where, ids);
  const callOf = (predicate: string) => {
    const query = new URLSearchParams({ format });
    if (predicate !== '') query.set('where', predicate);
    if (staged) query.set('staged', 'true');
    // Spreadsheets read UTF-8 by its byte order mark.
    if (format === 'csv') query.set('bom', 'true');
    const named = fields.trim().replace(/,$/, '');
    if (format === 'csv' && named !== '') query.set('fields', named);
    return { path: pathOf(projectKey, 'resource', 'export'), query };
  };

  async function read(sink: FileSink): Promise<void> {
    let size = 0;
    let all: LeftOut = { count: 0, ids: [] };
    const note = ({ count, ids }: LeftOut) => {
      all = { count: all.count + count, ids: [...all.ids, ...ids] };
    };
    // Each request would have the columns of its own resources.
    if (format === 'csv' && fields.trim() === '' && predicates.length > 1) throw new Error(texts.export.fieldsNeeded);
    for (const [at, predicate] of predicates.entries()) {
      const { path, query } = callOf(predicate);
      query.set('summary', 'true');
      const headers = { authorization: `Bearer ${await accessToken(projectKey)}` };
      const response = await fetch(`${servicePath}${path}?${query}`, { headers, signal: abort.current.signal });
      if (!response.ok || !response.body) {
        const told = (await response.json().catch(() => ({}))) as { message?: string };
        throw new Error(told.message ?? String(response.status));
      }
      let isFirst = true;
      const chunks = response.body as unknown as AsyncIterable<Uint8Array<ArrayBuffer>>;
      for await (const chunk of withoutSummary(chunks, note)) {
        const own = at > 0 && isFirst && format === 'csv' ? withoutHeader(chunk) : chunk;
        isFirst = false;
        await sink.write(own);
        size += own.length;
        setBytes(size);
      }
    }
    await sink.close();
    setBytes(size);
    setDone(true);
    if (all.count > 0) setLeftOut(all);
  }

  const run = async () => {
    const sink = await openSink(`${projectKey}.${format}`, contentTypes[format]);
    if (!sink) return;
    setProblem('');
    setDone(false);
    setLeftOut(undefined);
    setBytes(0);
    abort.current = new AbortController();
    try {
      await read(sink);
    } catch (error) {
      setBytes(undefined);
      await sink.abort().catch(() => {});
      if (!abort.current.signal.aborted) setProblem(error instanceof SinkFull ? texts.export.full : errorText(error));
    }
  };
  const isRunning = bytes !== undefined && !isDone;
  const heading = ids === undefined ? texts.resources.exportAll : texts.export.heading(ids.length.toLocaleString('en'));
  return (
    <Dialog label={heading} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void run();
        }}
      >
        <h1>{heading}</h1>
        <fieldset>
          <legend>{texts.export.format}</legend>
          {(['ndjson', 'csv'] as const).map((one) => (
            <label key={one} class="check">
              <input type="radio" name="format" checked={format === one} onChange={() => setFormat(one)} />
              {texts.export.formats[one]}
            </label>
          ))}
        </fieldset>
        {format === 'csv' && (
          <label>
            {texts.export.fields}
            <textarea rows={3} value={fields} onInput={(event) => setFields(event.currentTarget.value)} />
          </label>
        )}
        {where !== '' && ids === undefined && <pre class="code">{where}</pre>}
        <p class="hint">{texts.export.hint}</p>
        {bytes !== undefined && (
          <p role="status">{isDone ? texts.export.done(size(bytes)) : texts.export.read(size(bytes))}</p>
        )}
        {leftOut !== undefined && (
          <Problem text={texts.export.leftOut(leftOut.count, leftOut.ids.slice(0, shownIds))} />
        )}
        <Problem text={problem} />
        <div class="actions">
          {predicates.length === 1 && <CopyAs call={() => callOf(predicates[0]!)} />}
          <span class="space" />
          <Button label={isDone ? texts.close : texts.cancel} onClick={onClose} />
          <Button isSubmit label={texts.export.submit} kind="main" isDisabled={isRunning} />
        </div>
      </form>
    </Dialog>
  );
}

function size(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

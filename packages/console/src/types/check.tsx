import type { TypeViolations } from 'generic-resource-service-client/api-types';
import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError, type Call } from '../api/client.ts';
import { type JsonMap, writeJson } from '../api/json.ts';
import { errorText } from '../app/notices.tsx';
import { jsonLines, openStream } from '../app/session.ts';
import { texts } from '../app/texts.ts';
import { Button } from '../components/button.tsx';
import { PlaceLink } from '../components/place-link.tsx';
import { Problem } from '../components/problem.tsx';
import { Refusals } from '../table/refusals.tsx';

/** More are counted, but not kept. */
const keptLines = 10_000;
/** What is found is shown so often: drawing it for each line would hold up the page. */
const pauseMs = 200;

interface Found {
  readonly lines: readonly TypeViolations[];
  /** How many do not fit, so far. */
  readonly count: number;
  /** Undefined until the end of the check. */
  readonly summary: TypeViolations | undefined;
}

interface CheckProps {
  readonly projectKey: string;
  /** The request for what would not fit. Throws what is wrong with the types. */
  readonly call: () => Call;
  /** The service refused the types that it was to check by. */
  readonly onRefused: (error: ApiError) => void;
}

/** Looks through all resources for those that do not fit; nothing is changed. */
export function Check({ projectKey, call, onRefused }: CheckProps) {
  const [found, setFound] = useState<Found>();
  const [problem, setProblem] = useState('');
  const [running, setRunning] = useState<AbortController>();
  const latest = useRef<AbortController>(undefined);
  useEffect(() => () => latest.current?.abort(), []);

  async function run(): Promise<void> {
    const control = new AbortController();
    latest.current = control;
    setRunning(control);
    setProblem('');
    const lines: TypeViolations[] = [];
    let [count, shownAt]: [number, number] = [0, 0];
    const show = (summary?: TypeViolations) => setFound({ lines: lines.slice(), count, summary });
    show();
    try {
      for await (const line of jsonLines(await openStream(projectKey, { ...call(), signal: control.signal }))) {
        const one = line as unknown as TypeViolations;
        if (one.complete !== undefined) return show(one);
        count += 1;
        if (count <= keptLines) lines.push(one);
        if (performance.now() < shownAt + pauseMs) continue;
        show();
        shownAt = performance.now();
      }
      throw new Error(texts.import.cut);
    } catch (error) {
      // What was found before it was stopped or cut stays.
      show();
      if (control.signal.aborted) return;
      if (error instanceof ApiError) setFound(undefined);
      if (error instanceof ApiError && error.status === 400) onRefused(error);
      else setProblem(errorText(error));
    } finally {
      setRunning(undefined);
    }
  }

  return (
    <div class="stack">
      <div class="line">
        <Button
          label={running ? texts.bulk.stop : 'Check existing resources'}
          onClick={() => (running ? running.abort() : run())}
        />
        <span role="status" class="hint">
          {found && statusOf(found, running !== undefined)}
        </span>
      </div>
      <Problem text={problem} />
      {found && found.lines.length > 0 && <Lines projectKey={projectKey} found={found} />}
    </div>
  );
}

const misfits = (count: number) => (count === 1 ? '1 does not fit' : `${count.toLocaleString('en')} do not fit`);

function statusOf({ count, summary }: Found, isRunning: boolean): string {
  if (!summary) return `${isRunning ? 'Checking' : 'Not all are checked'}: ${misfits(count)} so far.`;
  const { resources = 0, allUniqueChecked } = summary;
  const all = texts.projects.resources(resources.toLocaleString('en'));
  const note = allUniqueChecked === false ? ' Not all unique values were compared: there are too many.' : '';
  return `${all} checked: ${count === 0 ? 'all fit' : misfits(count)}.${note}`;
}

function Lines({ projectKey, found: { lines, count } }: { readonly projectKey: string; readonly found: Found }) {
  return (
    <Refusals
      rows={lines}
      count={count}
      keyOf={({ id }) => id!}
      columns={[
        {
          name: 'Resource',
          kind: 'head',
          cell: ({ id, key }) => (
            <PlaceLink to={{ projectKey, room: 'resources', item: id, query: new URLSearchParams() }}>
              {key ?? id}
            </PlaceLink>
          ),
        },
        { name: 'Type', cell: ({ type = '' }) => type },
        {
          name: texts.bulk.reason,
          cell: ({ errors = [] }) => (
            <ul>
              {(errors as readonly JsonMap[]).map(({ message }) => (
                <li key={message}>{String(message)}</li>
              ))}
            </ul>
          ),
        },
      ]}
      files={[
        ['Download what does not fit', 'violations.ndjson', () => lines.map((line) => writeJson(line as JsonMap))],
      ]}
    />
  );
}

import type { HealthSample, SlowQueries as SlowQueriesAnswer } from 'generic-resource-service-client/api-types';
import { serviceAddress } from '../api/base-address.ts';
import { ApiError, curlOf } from '../api/client.ts';
import { readService, session } from '../app/session.ts';
import { texts } from '../app/texts.ts';
import { CopyButton } from '../components/copy-button.tsx';
import { Problem } from '../components/problem.tsx';
import { useRead } from '../model/use-read.ts';
import { type Column, ListTable } from '../table/list-table.tsx';
import { Chart } from './chart.tsx';
import { clock, duration, plain, size } from './format.ts';
import { isRed, type MeasureName, measureNames, measures, operationLines, readSamples } from './samples.ts';
import { SlowQueries } from './slow-queries.tsx';

const formats: Readonly<Partial<Record<MeasureName, (value: number) => string>>> = {
  errors: (percent) => `${plain(percent)} %`,
  latency: duration,
  commitTime: duration,
  delay: duration,
  memory: size,
  store: size,
  events: (seconds) => duration(seconds * 1000),
};
const formatOf = (name: MeasureName) => formats[name] ?? plain;

/** The service takes a sample so often. */
const refreshMs = 10_000;

interface Shown {
  readonly samples: readonly HealthSample[];
  readonly slow: SlowQueriesAnswer['results'];
}

/** The health of the service over the last hour, refreshed while somebody looks. */
function useHealth() {
  const health = useRead(
    async (signal): Promise<Shown> => {
      const samples = await readSamples(health.value?.samples ?? [], signal);
      const { results: slow } = await readService<SlowQueriesAnswer>({ path: '/health/slow-queries', signal });
      return { samples, slow };
    },
    session.value?.clientId,
    { pauseMs: refreshMs },
  );
  return health;
}

function Operations({ samples }: { readonly samples: readonly HealthSample[] }) {
  const lines = operationLines(samples);
  const { health } = texts;
  const time = (ms: number | undefined) => (ms === undefined ? '–' : duration(ms));
  const columns: readonly Column<(typeof lines)[number]>[] = [
    { name: 'Operation', kind: 'head', cell: ({ name }) => name },
    { name: 'a second', kind: 'number', cell: ({ perSecond }) => plain(perSecond) },
    { name: 'Median', kind: 'number', cell: ({ p50Ms }) => time(p50Ms) },
    { name: 'p99', kind: 'number', cell: ({ p99Ms }) => time(p99Ms) },
    { name: 'Refused', kind: 'number', cell: ({ refused }) => refused.toLocaleString('en') },
    {
      name: 'Failed',
      kind: 'number',
      cell: ({ failed }) => <span class={failed > 0 ? 'problem' : ''}>{failed.toLocaleString('en')}</span>,
    },
  ];
  return (
    <section>
      <h2>{health.operations}</h2>
      <p class="hint">Of the last five minutes, the busiest first.</p>
      {lines.length === 0 ? (
        <p>No requests in the last five minutes.</p>
      ) : (
        <ListTable label={health.operations} rows={lines} keyOf={({ name }) => name} columns={columns} />
      )}
    </section>
  );
}

/** The charts as a table for screen readers, one row a minute. */
function SampleTable({ samples }: { readonly samples: readonly HealthSample[] }) {
  const perMinute = samples.filter((_, at) => (samples.length - 1 - at) % 6 === 0).reverse();
  const columns: readonly Column<HealthSample>[] = [
    { name: 'Time', kind: 'head', cell: ({ at }) => clock(at) },
    ...measureNames.map(
      (name): Column<HealthSample> => ({
        name: texts.health.charts[name].name,
        kind: 'number',
        cell: (sample) => {
          const value = measures[name](sample);
          return value === undefined ? '–' : formatOf(name)(value);
        },
      }),
    ),
  ];
  return (
    <details>
      <summary>{texts.health.table}</summary>
      <ListTable label={texts.health.table} rows={perMinute} keyOf={({ at }) => at} columns={columns} />
    </details>
  );
}

/** The room of health. */
export function Health() {
  const { value, error, problem } = useHealth();
  const { samples, slow } = value ?? { samples: [], slow: [] };
  const isRead = value !== undefined;
  const { health } = texts;
  const red = measureNames.filter((name) => isRed(name, samples));
  const times = samples.map(({ at }) => at);
  const last = samples.at(-1);
  const minutes = Math.round(samples.reduce((sum, { seconds }) => sum + seconds, 0) / 60);
  const command = () => curlOf({ path: '/health/history' }, serviceAddress());
  if (error instanceof ApiError && error.status === 403) {
    return (
      <div class="page">
        <h1>{health.heading}</h1>
        <p class="empty">Only the administrator can see the health of the service.</p>
      </div>
    );
  }
  return (
    <div class="page health">
      <div class="bar">
        <h1>{health.heading}</h1>
        {last && <span class="hint">{`As of ${clock(last.at)}`}</span>}
        <span class="space" />
        <CopyButton text={command} label={texts.copyCurl} />
      </div>
      <p class="hint">
        The last hour, from the counters of /metrics, of all processes on this machine. Held in memory; a restart clears
        it.
      </p>
      <Problem text={isRead && problem !== '' ? 'Not refreshed: the service did not answer.' : problem} />
      {isRead && samples.length === 0 && (
        <p class="empty">The first sample is taken 10 seconds after the start. This page shows it by itself.</p>
      )}
      {last && (
        <>
          <div class={red.length > 0 ? 'verdict red' : 'verdict'} role="status">
            <strong>{red.length > 0 ? health.bad(red.length) : 'Everything is healthy.'}</strong>
            {red.length > 0 && (
              <ul>
                {red.map((name) => (
                  <li key={name}>
                    <strong>{health.charts[name].name}:</strong> {health.charts[name].red}
                  </li>
                ))}
              </ul>
            )}
          </div>
          <p class="between hint">
            <span>{health.hourAgo(Math.max(1, minutes))}</span>
            <span>now</span>
          </p>
          <div class="charts tiles">
            {measureNames.map((name) => (
              <Chart
                key={name}
                name={health.charts[name].name}
                meaning={health.charts[name].meaning}
                isRed={red.includes(name)}
                times={times}
                values={samples.map(measures[name])}
                format={formatOf(name)}
              />
            ))}
          </div>
          <SampleTable samples={samples} />
          <Operations samples={samples} />
        </>
      )}
      {isRead && <SlowQueries queries={slow} />}
    </div>
  );
}

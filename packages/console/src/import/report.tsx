import { writeJson } from '../api/json.ts';
import { texts } from '../app/texts.ts';
import { Facts } from '../components/facts.tsx';
import { Refusals } from '../table/refusals.tsx';
import type { Report } from './send.ts';

interface ReportProps {
  readonly report: Report;
  readonly isDryRun: boolean;
  /** The header of the refused records; undefined for lines of JSON. */
  readonly header: string | undefined;
}

/** The counts of an import, and the refused lines. */
export function ReportView({ report, isDryRun, header }: ReportProps) {
  const { created, updated, unchanged, refused, refusals, repeated, firstRepeat, mixed } = report;
  const counts = [
    [isDryRun ? 'To be created' : 'Created', created],
    [isDryRun ? 'To be changed' : 'Changed', updated],
    ['Unchanged', unchanged],
    [texts.import.refused, refused],
  ] as const;
  return (
    <>
      <Facts class="counts" facts={counts.map(([name, count]) => [name, count.toLocaleString('en')])} />
      {Object.entries(mixed).map(([column, lines]) => (
        <p key={column} class="hint" dir="auto">
          {texts.import.mixed(
            column,
            Object.entries(lines)
              .map(([type, line]) => `${type} (line ${line.toLocaleString('en')})`)
              .join(', '),
          )}
        </p>
      ))}
      {firstRepeat && <p class="hint">{texts.import.repeated(repeated, firstRepeat[0], firstRepeat[1])}</p>}
      {refusals.length > 0 && (
        <Refusals
          rows={refusals}
          count={refused}
          keyOf={({ line }) => String(line)}
          columns={[
            { name: 'Line', kind: 'head', cell: ({ line }) => line },
            { name: texts.bulk.reason, cell: ({ message }) => message },
          ]}
          files={[
            [
              'Download the refused lines',
              header === undefined ? 'refused.ndjson' : 'refused.csv',
              () => [...(header === undefined ? [] : [header]), ...refusals.map(({ text }) => text)],
            ],
            ['Download the reasons', 'refused-reasons.ndjson', () => refusals.map(({ result }) => writeJson(result))],
          ]}
        />
      )}
    </>
  );
}

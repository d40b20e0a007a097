import { writeJson } from '../api/json.ts';
import { texts } from '../app/texts.ts';
import { download } from '../browser/download.ts';
import { Button } from '../components/button.tsx';
import { Facts } from '../components/facts.tsx';
import { ListTable } from '../table/list-table.tsx';
import type { Report } from './send.ts';

const shownRefusals = 100;

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
        <>
          <ListTable
            class="refusals tall"
            label={texts.import.refused}
            rows={refusals.slice(0, shownRefusals)}
            keyOf={({ line }) => String(line)}
            columns={[
              { name: 'Line', kind: 'head', cell: ({ line }) => line },
              { name: texts.bulk.reason, cell: ({ message }) => message },
            ]}
          />
          {refused > shownRefusals && <p class="hint">{texts.bulk.more(refused - shownRefusals)}</p>}
          <div class="line">
            <Button
              label="Download the refused lines"
              onClick={() => {
                const lines = [...(header === undefined ? [] : [header]), ...refusals.map(({ text }) => text)];
                const [name, type] = header === undefined ? ['ndjson', 'application/x-ndjson'] : ['csv', 'text/csv'];
                download([`${lines.join('\n')}\n`], `refused.${name}`, type!);
              }}
            />
            <Button
              label="Download the reasons"
              onClick={() => {
                const lines = refusals.map(({ result }) => writeJson(result));
                download([`${lines.join('\n')}\n`], 'refused-reasons.ndjson', 'application/x-ndjson');
              }}
            />
          </div>
        </>
      )}
    </>
  );
}

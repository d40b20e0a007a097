import { briefly } from '../api/json.ts';
import { texts } from '../app/texts.ts';
import { type Difference, pathText } from '../model/paths.ts';

interface DifferenceTableProps {
  readonly lines: readonly Difference[];
  readonly before: string;
  readonly after: string;
}

const cutChars = 2000;

/** What differs, field by field. */
export function DifferenceTable({ lines, before, after }: DifferenceTableProps) {
  return (
    <table class="differences">
      <thead>
        <tr>
          <th scope="col">{texts.resource.field}</th>
          <th scope="col">{before}</th>
          <th scope="col">{after}</th>
        </tr>
      </thead>
      <tbody>
        {lines.map(({ path, before: from, after: to }) => (
          <tr key={pathText(path)}>
            <th scope="row" dir="auto">
              {pathText(path)}
            </th>
            <td class="removed" dir="auto">
              {from === undefined ? <em>{texts.resource.none}</em> : briefly(from, cutChars)}
            </td>
            <td class="added" dir="auto">
              {to === undefined ? <em>{texts.resource.none}</em> : briefly(to, cutChars)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

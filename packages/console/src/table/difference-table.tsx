import { texts } from '../app/texts.ts';
import { shownValue } from '../components/dialogs/merge-dialog.tsx';
import { type Difference, pathText } from '../model/paths.ts';
import { Table } from './list-table.tsx';

interface DifferenceTableProps {
  readonly lines: readonly Difference[];
  readonly before?: string;
  readonly after?: string;
  /** In place of the names of the columns. */
  readonly caption?: string;
  readonly isDraft?: boolean;
}

const cutChars = 2000;

export function DifferenceTable(props: DifferenceTableProps) {
  const { lines, before = 'Before', after = 'After', caption, isDraft = false } = props;
  return (
    <Table
      class={isDraft ? 'differences draft' : 'differences'}
      caption={caption}
      rows={lines}
      keyOf={({ path }) => pathText(path)}
      columns={[
        { name: texts.resource.field, kind: 'head', cell: ({ path }) => pathText(path) },
        { name: before, classOf: () => 'removed', cell: (line) => shownValue(line.before, cutChars) },
        { name: after, classOf: () => 'added', cell: (line) => shownValue(line.after, cutChars) },
      ]}
    />
  );
}

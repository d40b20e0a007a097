import type { JsonMap } from '../api/json.ts';
import { notifyError } from '../app/notices.tsx';
import { place, setQuery } from '../app/router.ts';
import { mayWrite } from '../app/session.ts';
import { texts } from '../app/texts.ts';
import { Confirm } from '../components/dialogs/confirm.tsx';
import { lazily } from '../components/lazily.tsx';
import { rememberColumns } from '../model/columns.ts';
import type { ListRequest } from '../model/pages.ts';

const ColumnChooser = lazily(() => import('./column-chooser.tsx').then((module) => module.ColumnChooser));
const ExportDialog = lazily(() => import('../bulk/export-dialog.tsx').then((module) => module.ExportDialog));
const ImportDialog = lazily(() => import('../import/import-dialog.tsx').then((module) => module.ImportDialog));

interface ListDialogsProps {
  readonly request: ListRequest;
  readonly rows: readonly JsonMap[];
  readonly columns: readonly string[];
  readonly isRead: boolean;
  /** The file to import; undefined where it is still to be chosen. */
  readonly file: File | undefined;
  readonly onImported: () => void;
  readonly onChanged: () => void;
}

/** The dialog that is open above the list. It is in the address, so that the palette opens it, too. */
export function ListDialogs(props: ListDialogsProps) {
  const { request, rows, columns, isRead, file, onImported, onChanged } = props;
  const { projectKey } = request;
  const open = place.value.query.get('open');
  const close = () => setQuery({ open: undefined });
  if (open === 'columns' && isRead) {
    const choose = (next: readonly string[]) => {
      rememberColumns(projectKey, next);
      setQuery({ columns: next.join(','), open: undefined });
    };
    return <ColumnChooser rows={rows} columns={columns} onClose={close} onChoose={choose} />;
  }
  if (open === 'export') return <ExportDialog request={request} ids={undefined} columns={columns} onClose={close} />;
  if (open === 'import' && mayWrite.value) {
    const closeImport = (isChanged: boolean) => {
      onImported();
      close();
      if (isChanged) onChanged();
    };
    return <ImportDialog projectKey={projectKey} file={file} onClose={closeImport} />;
  }
  if (open === 'sample' && mayWrite.value) {
    const load = () =>
      import('./sample.ts').then(({ loadSample }) => loadSample(projectKey)).then(onChanged, notifyError);
    return (
      <Confirm
        question="Load the sample catalogue into this project?"
        hint="15 resources with types, pictures and references; one click removes them again."
        action={texts.resources.sample}
        isMain
        onConfirm={load}
        onClose={close}
      />
    );
  }
  return null;
}

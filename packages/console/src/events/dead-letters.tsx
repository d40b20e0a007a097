import type { DeliveryReport, ListedDeadLetter, ReplayReport } from 'generic-resource-service-client/api-types';
import { useState } from 'preact/hooks';
import { type Json, writeJson } from '../api/json.ts';
import { notify, notifyError } from '../app/notices.tsx';
import { read } from '../app/session.ts';
import { texts } from '../app/texts.ts';
import { Button } from '../components/button.tsx';
import { CopyAs } from '../components/copy-as.tsx';
import { CopyButton } from '../components/copy-button.tsx';
import { Confirm } from '../components/dialogs/confirm.tsx';
import { Dialog } from '../components/dialogs/dialog.tsx';
import { Moment } from '../components/moment.tsx';
import { PlaceLink } from '../components/place-link.tsx';
import { Problem } from '../components/problem.tsx';
import { usePages } from '../model/use-pages.ts';
import { type Column, ListTable } from '../table/list-table.tsx';
import { subjectPlace } from './event-types.ts';
import { outcomeOf, pathBelow } from './subscription.ts';

const pageSize = '50';

/** The dead letters of a subscription, page by page, and what can be done with them. */
function useDeadLetters(projectKey: string, id: string) {
  const [isBusy, setBusy] = useState(false);
  const path = (...rest: readonly string[]) => pathBelow(projectKey, id, 'dead-letters', ...rest);
  const replayCall = { method: 'POST', path: path('replay') } as const;

  const pages = usePages<ListedDeadLetter>(
    projectKey,
    (after) => ({
      path: path(),
      query: new URLSearchParams({ limit: pageSize, ...(after !== undefined && { after }) }),
    }),
    id,
  );

  /** Does one thing at a time, and shows what is left of them. */
  async function busy(work: () => Promise<unknown>): Promise<void> {
    setBusy(true);
    try {
      await work();
    } catch (error) {
      notifyError(error);
    }
    setBusy(false);
    await pages.reload();
  }

  return {
    ...{ ...pages, isBusy, replayCall },
    replay: (letter: ListedDeadLetter) =>
      busy(async () => {
        const report = await read<DeliveryReport>(projectKey, { method: 'POST', path: path(letter.id, 'replay') });
        const { replayed, notDelivered } = texts.subscriptions;
        notify(report.delivered ? replayed : notDelivered(outcomeOf(report)), !report.delivered);
      }),
    replayAll: () =>
      busy(async () => {
        let count = 0;
        for (;;) {
          const report = await read<ReplayReport>(projectKey, replayCall);
          count += report.delivered;
          if (report.failed) return notify(`${count} delivered, then one was not: ${report.failed.reason}`, true);
          // Ten seconds are over and there are more.
          if (!report.more) return notify(`${count} delivered`);
        }
      }),
    drop: (letter: ListedDeadLetter) => busy(() => read(projectKey, { method: 'DELETE', path: path(letter.id) })),
    readEvent: async (letter: ListedDeadLetter) =>
      (await read<{ event: Json }>(projectKey, { path: path(letter.id) })).event,
  };
}

/** The events that could not be delivered: to read, to send again, to forget. */
export function DeadLetters({ projectKey, id }: { readonly projectKey: string; readonly id: string }) {
  const { rows: letters, problem, isBusy, ...actions } = useDeadLetters(projectKey, id);
  const [shown, setShown] = useState<Json>();
  const [dropping, setDropping] = useState<ListedDeadLetter>();
  if (problem !== '') return <Problem text={problem} />;
  if (letters === undefined) return <p class="hint">{texts.loading}</p>;
  if (letters.length === 0)
    return <p class="empty">No dead letters: every change was delivered or is still retried.</p>;
  const columns: readonly Column<ListedDeadLetter>[] = [
    { name: 'Given up at', cell: ({ at }) => <Moment at={at} /> },
    { name: texts.events.type, cell: ({ type }) => <span class="badge">{type}</span> },
    {
      name: texts.events.resource,
      cell: ({ type, resourceId }) => (
        <PlaceLink to={subjectPlace(projectKey, type, resourceId)}>{resourceId}</PlaceLink>
      ),
    },
    { name: 'Attempts', kind: 'number', cell: ({ attempts }) => attempts },
    {
      name: 'Last failure',
      kind: 'long',
      cell: ({ lastFailure }) => <span class="result failed">{lastFailure}</span>,
    },
    {
      name: texts.rowActions,
      kind: 'actions',
      cell: (letter) => (
        <>
          <Button label="Read" onClick={() => actions.readEvent(letter).then(setShown, notifyError)} />
          <Button label="Replay" isDisabled={isBusy} onClick={() => actions.replay(letter)} />
          <Button
            label={texts.subscriptions.drop}
            kind="danger"
            isDisabled={isBusy}
            onClick={() => setDropping(letter)}
          />
        </>
      ),
    },
  ];
  return (
    <>
      <div class="bar">
        <p class="hint">Changes that no attempt could deliver. They are kept until they are replayed or deleted.</p>
        <span class="space" />
        <CopyAs call={() => actions.replayCall} />
        <Button label="Replay all" kind="main" isDisabled={isBusy} onClick={actions.replayAll} />
      </div>
      <ListTable
        class="letters"
        label={texts.subscriptions.letters}
        rows={letters}
        keyOf={(letter) => letter.id}
        columns={columns}
        isStacked
      />
      {actions.more && <Button label="More dead letters" onClick={actions.more} />}
      {shown !== undefined && <LetterDialog event={shown} onClose={() => setShown(undefined)} />}
      {dropping && (
        <Confirm
          question="Delete this dead letter?"
          hint="The receiver will never get this change."
          action={texts.subscriptions.drop}
          onClose={() => setDropping(undefined)}
          onConfirm={() => void actions.drop(dropping)}
        />
      )}
    </>
  );
}

function LetterDialog({ event, onClose }: { readonly event: Json; readonly onClose: () => void }) {
  return (
    <Dialog label={texts.subscriptions.letterHeading} isWide onClose={onClose}>
      <h1>{texts.subscriptions.letterHeading}</h1>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by the keyboard. */}
      <pre class="code payload tall" tabIndex={0}>
        {writeJson(event, 2)}
      </pre>
      <div class="actions">
        <CopyButton text={() => writeJson(event, 2)} />
        <Button label={texts.close} kind="main" onClick={onClose} />
      </div>
    </Dialog>
  );
}

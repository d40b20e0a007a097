import { useEffect, useState } from 'preact/hooks';
import { ApiError, type Call, pathOf } from '../../api/client.ts';
import { type JsonMap, sameJson } from '../../api/json.ts';
import { errorText, notify, notifyError } from '../../app/notices.tsx';
import { useUnsaved } from '../../app/router.ts';
import { call, scopes } from '../../app/session.ts';
import { texts } from '../../app/texts.ts';
import { Button } from '../../components/button.tsx';
import { CopyAs } from '../../components/copy-as.tsx';
import { MergeDialog } from '../../components/dialogs/merge-dialog.tsx';
import { PlaceLink } from '../../components/place-link.tsx';
import { Problem } from '../../components/problem.tsx';
import type { MergeLine } from '../../model/merge.ts';
import { withValue } from '../../model/paths.ts';
import {
  type Draft,
  draftOf,
  type Refusal,
  refusalOf,
  type Settings,
  settingsIn,
  settingsOf,
  withoutEmptyRows,
} from './draft.ts';
import { SettingsForm } from './settings-form.tsx';
import { Trial } from './trial.tsx';

/** Settings with the version that they are of. */
interface Versioned {
  readonly version: number;
  readonly settings: Settings;
}

/** The settings as they are stored and as they are edited. */
function useSettings(projectKey: string) {
  const [base, setBase] = useState<Versioned>();
  const [draft, setDraft] = useState<Draft>();
  const [problem, setProblem] = useState('');
  const [refusal, setRefusal] = useState<Refusal>();
  /** A newer version that others have saved. */
  const [theirs, setTheirs] = useState<Versioned>();
  const [isBusy, setBusy] = useState(false);
  const path = pathOf(projectKey, 'settings', 'search');
  const isChanged = base !== undefined && draft !== undefined && !sameJson(base.settings, settingsOf(draft));

  const send = async (request: Call): Promise<Versioned> =>
    settingsIn((await call(projectKey, request)).body as JsonMap);
  const saveCall = (): Call => ({ method: 'PUT', path, json: { version: base!.version, ...settingsOf(draft!) } });

  function take(next: Versioned): void {
    setBase(next);
    setDraft(draftOf(next.settings));
    setRefusal(undefined);
  }

  useEffect(() => {
    send({ path }).then(take, (error: unknown) => setProblem(errorText(error)));
  }, [projectKey]);
  useUnsaved(() => isChanged, 'You have unsaved settings. Discard them?');

  async function save(): Promise<void> {
    setDraft(withoutEmptyRows(draft!));
    setBusy(true);
    setRefusal(undefined);
    setProblem('');
    try {
      const saved = await send(saveCall());
      take(saved);
      notify(`Saved as version ${saved.version}`);
    } catch (error) {
      const status = error instanceof ApiError ? error.status : undefined;
      const refused = status === 400 ? refusalOf(errorText(error)) : undefined;
      if (status === 409 || status === 412) setTheirs(await send({ path }));
      else if (refused) setRefusal(refused);
      else setProblem(errorText(error));
    } finally {
      setBusy(false);
    }
  }

  return {
    ...{ base, draft, problem, refusal, theirs, isChanged, saveCall, save, take, setDraft, setRefusal },
    canSave: isChanged && !isBusy,
    /** Goes on with my changes over what others have saved; or without merging. */
    merge(changes?: readonly MergeLine[]): void {
      if (changes) {
        const merged = changes.reduce<JsonMap>((all, { path, mine }) => withValue(all, path, mine), theirs!.settings);
        setBase(theirs);
        setDraft(draftOf(merged as Settings));
      }
      setTheirs(undefined);
    },
  };
}

/** The settings of the search: to edit, to try before they are saved, and to save without losing what others did. */
export function SettingsRoom({ projectKey }: { readonly projectKey: string }) {
  const room = useSettings(projectKey);
  const { base, draft, problem, theirs } = room;
  const t = texts.settings;
  return (
    <div class="page">
      <p>
        <PlaceLink to={{ projectKey, room: 'search', query: new URLSearchParams() }}>← Search</PlaceLink>
      </p>
      <div class="bar">
        <h1>Settings of the search</h1>
        <span class={base ? 'badge' : 'badge reserved'}>{t.version(String(base?.version ?? 0))}</span>
        <span class="space" />
        <span class={base && draft ? '' : 'reserved'}>
          <CopyAs call={room.saveCall} />
        </span>
      </div>
      <p class="hint">
        Weights, synonyms, stop words, boosts and pins of this project. A save takes effect with the next search,
        without a rebuild.
      </p>
      <Problem
        text={
          problem === '' || scopes.value.has('manage_project') ? problem : 'Settings need the scope manage_project.'
        }
      />
      {base && draft && (
        <>
          <SettingsForm
            draft={draft}
            refusal={room.refusal}
            onChange={(next) => {
              room.setRefusal(undefined);
              room.setDraft({ ...draft, ...next });
            }}
          />
          <div class="line save-bar">
            <Button
              label="Save"
              kind="main"
              isDisabled={!room.canSave}
              onClick={() => room.save().catch(notifyError)}
            />
            <Button label="Undo changes" isDisabled={!room.canSave} onClick={() => room.take(base)} />
          </div>
          <Trial
            projectKey={projectKey}
            settings={() => {
              // Rows without anything in them would move the places in what the API refuses.
              room.setDraft(withoutEmptyRows(draft));
              return settingsOf(draft);
            }}
            isChanged={room.isChanged}
            onRefusal={room.setRefusal}
          />
        </>
      )}
      {theirs && base && draft && (
        <MergeDialog
          heading="The settings were changed while you edited them"
          base={base.settings}
          mine={settingsOf(draft)}
          theirs={theirs.settings}
          versions={[String(base.version), String(theirs.version)]}
          submit="Merge both"
          onMerge={room.merge}
          onClose={() => room.merge()}
        />
      )}
    </div>
  );
}

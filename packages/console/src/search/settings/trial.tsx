import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError } from '../../api/client.ts';
import { errorText } from '../../app/notices.tsx';
import { place, setQuery } from '../../app/router.ts';
import { texts } from '../../app/texts.ts';
import { Button } from '../../components/button.tsx';
import { Form } from '../../components/form.tsx';
import { Check } from '../../components/inputs/fields.tsx';
import { KeptInput } from '../../components/inputs/kept-input.tsx';
import { PlaceLink } from '../../components/place-link.tsx';
import { Problem } from '../../components/problem.tsx';
import { type ComparedHit, type Comparison, compare, type Move, moveOf } from './compare.ts';
import { type Refusal, refusalOf, type Settings } from './draft.ts';

interface TrialProps {
  readonly projectKey: string;
  readonly settings: () => Settings;
  readonly isChanged: boolean;
  /** Called with what the API refuses; undefined: it took the settings. */
  readonly onRefusal: (refusal: Refusal | undefined) => void;
}

/** Searches with the settings as they are beside those with the settings as they would be. */
export function Trial({ projectKey, settings, isChanged, onRefusal }: TrialProps) {
  const { query } = place.value;
  const [written, setWritten] = useState(query.get('queries') ?? '');
  const [compared, setCompared] = useState<readonly Comparison[]>();
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const language = query.get('language') || 'en';
  const isFuzzy = query.get('fuzzy') === 'true';

  async function run(): Promise<void> {
    running.current?.abort();
    const abort = new AbortController();
    running.current = abort;
    setQuery({ queries: written });
    setBusy(true);
    setProblem('');
    const lines = written.split('\n').filter((line) => line.trim() !== '');
    try {
      const request = { projectKey, texts: lines, language, isFuzzy, settings: settings(), signal: abort.signal };
      setCompared(await compare(request));
      onRefusal(undefined);
    } catch (error) {
      if (abort.signal.aborted) return;
      const refusal = error instanceof ApiError ? refusalOf(error.message) : undefined;
      onRefusal(refusal);
      if (!refusal) setProblem(errorText(error));
    }
    setBusy(false);
  }

  const t = texts.settings;
  return (
    <section class="trial" aria-labelledby="trial-heading">
      <h2 id="trial-heading">Before and after</h2>
      <p class="hint">
        Important searches, one per line. Each runs with the saved settings and with those above; nothing is saved.
      </p>
      <Form class="filter" onSubmit={run}>
        <label class="whole">
          <span class="sr">Before and after</span>
          <textarea
            rows={Math.max(3, Math.min(10, written.split('\n').length))}
            dir="auto"
            placeholder={'oak chair\ncouch'}
            value={written}
            onInput={(event) => setWritten(event.currentTarget.value)}
          />
        </label>
        <KeptInput
          label={t.locale}
          class="language"
          value={language}
          onCommit={(next) => setQuery({ language: next })}
        />
        <Check label="With typos" isChecked={isFuzzy} onChange={(is) => setQuery({ fuzzy: is ? 'true' : undefined })} />
        <span class="space" />
        <Button isSubmit label="Compare" kind="main" isDisabled={isBusy || written.trim() === ''} />
      </Form>
      <Problem text={problem} isCode />
      <div role="status">
        {compared && (
          <p class="hint">
            The first 10 hits of each.{' '}
            {isChanged ? '' : 'The settings above are those that are saved: change something, and compare again.'}
          </p>
        )}
      </div>
      {compared?.map((one, at) => (
        <Compared key={`${at} ${one.text}`} projectKey={projectKey} comparison={one} />
      ))}
    </section>
  );
}

function Compared({ projectKey, comparison }: { readonly projectKey: string; readonly comparison: Comparison }) {
  const { text, before, after } = comparison;
  const moves = [...before.hits, ...after.hits.filter(({ id }) => !before.hits.some((hit) => hit.id === id))].map(
    ({ id }) => moveOf(id, comparison).kind,
  );
  const count = (...kinds: readonly Move['kind'][]) => moves.filter((kind) => kinds.includes(kind)).length;
  const isSame = moves.every((kind) => kind === 'same');
  return (
    <section class="compared" aria-label={text}>
      <h3 dir="auto">{text}</h3>
      <p class="hint">
        {[
          isSame
            ? 'The first 10 hits stay as they are.'
            : `${count('new')} new, ${count('lost')} lost, ${count('up', 'down')} moved`,
          `${before.total.toLocaleString('en')} found, then ${after.total.toLocaleString('en')}`,
        ].join(' · ')}
      </p>
      <div class="halves">
        {([before, after] as const).map(({ hits }, side) => (
          <div key={side === 0 ? 'before' : 'after'}>
            <h4>{side === 0 ? 'Now' : 'With these settings'}</h4>
            {hits.length === 0 && <p class="hint">nothing</p>}
            <ol>
              {hits.map((hit, at) => {
                const move = moveOf(hit.id, comparison);
                const isShown = side === 1 ? move.kind !== 'same' : move.kind === 'lost';
                return (
                  <li key={hit.id} class={isShown ? `move ${move.kind}` : ''}>
                    <span class="position">{at + 1}</span>
                    <HitLink projectKey={projectKey} hit={hit} />
                    {isShown && <span class="badge">{move.text}</span>}
                  </li>
                );
              })}
            </ol>
          </div>
        ))}
      </div>
    </section>
  );
}

function HitLink({ projectKey, hit }: { readonly projectKey: string; readonly hit: ComparedHit }) {
  return (
    <PlaceLink to={{ projectKey, room: 'resources', item: hit.id, query: new URLSearchParams() }} class="grow">
      {hit.title}
    </PlaceLink>
  );
}

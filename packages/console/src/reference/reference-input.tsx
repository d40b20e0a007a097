import { useState } from 'preact/hooks';
import { ApiError } from '../api/client.ts';
import type { Json, JsonMap } from '../api/json.ts';
import { place } from '../app/router.ts';
import { mayWrite } from '../app/session.ts';
import { Button } from '../components/button.tsx';
import { lazily } from '../components/lazily.tsx';
import { PlaceLink } from '../components/place-link.tsx';
import { nameOf } from '../model/names.ts';
import { useRead } from '../model/use-read.ts';
import { readTarget } from './targets.ts';

const ReferencePicker = lazily(() => import('./reference-picker.tsx').then((module) => module.ReferencePicker));

interface ReferenceProps {
  readonly labelledBy: string;
  readonly describedBy: string | undefined;
  /** The type of what it refers to, where one is declared. */
  readonly type: string | undefined;
  readonly value: JsonMap;
  readonly onChange: (value: Json) => void;
}

/** A reference: what it leads to, by name, as a link, and a way to choose something else. */
export function ReferenceInput({ labelledBy, describedBy, type, value, onChange }: ReferenceProps) {
  const [isPicking, setPicking] = useState(false);
  const projectKey = place.value.projectKey ?? '';
  const [id, key] = [value.id as string | undefined, value.key as string | undefined];
  const target = useRead((signal) => readTarget(projectKey, id, key, signal), JSON.stringify([id, key]));
  const isGone = target.error instanceof ApiError && target.error.status === 404;
  const problem = !target.isAnswered ? '' : isGone ? 'does not exist' : target.problem;
  const document = target.isAnswered && problem === '' ? target.value : undefined;
  const written = key ?? id ?? '';
  const to = document && { ...place.value, item: document.id as string };
  return (
    <fieldset class="reference" aria-labelledby={labelledBy} aria-describedby={describedBy}>
      {to ? <PlaceLink to={to}>{nameOf(document)}</PlaceLink> : null}
      <code dir="auto">{written === '' ? 'nothing chosen' : written}</code>
      {problem !== '' && <span class="problem">{problem}</span>}
      {mayWrite.value && <Button label="Choose…" onClick={() => setPicking(true)} />}
      {isPicking && (
        <ReferencePicker
          projectKey={projectKey}
          type={type}
          onClose={() => setPicking(false)}
          onPick={(picked) => {
            setPicking(false);
            const { id: _id, key: _key, obj: _obj, ...rest } = value;
            // By id only where the reference was by id, or where there is no key.
            const isById = (id !== undefined && key === undefined) || picked.key === undefined;
            onChange({ ...rest, ...(isById ? { id: picked.id! } : { key: picked.key! }) });
          }}
        />
      )}
    </fieldset>
  );
}

import { place } from '../app/router.ts';
import { Button } from '../components/button.tsx';
import { PlaceLink } from '../components/place-link.tsx';
import { Problem } from '../components/problem.tsx';
import { useRead } from '../model/use-read.ts';
import { projectTypes } from '../types/project-types.ts';
import { hasReferences, pageSize, readReferrers } from './referrers.ts';

interface ReferencedByProps {
  readonly projectKey: string;
  readonly id: string;
}

/** Who refers to a resource, where the types of the project declare references. */
export function ReferencedBy(props: ReferencedByProps) {
  return hasReferences(projectTypes.value) ? <ReferrerList {...props} /> : null;
}

function ReferrerList({ projectKey, id }: ReferencedByProps) {
  const { value, problem, run } = useRead(async (signal) => {
    const rows = await readReferrers(projectKey, id, undefined, signal);
    return { rows, isMore: rows.length === pageSize };
  }, id);
  const { rows = [], isMore = false } = value ?? {};
  const more = () =>
    run(async (signal) => {
      const next = await readReferrers(projectKey, id, rows.at(-1)!.id, signal);
      return { rows: [...rows, ...next], isMore: next.length === pageSize };
    });
  return (
    <section aria-labelledby="referenced-by">
      <h2 id="referenced-by">Referenced by</h2>
      <Problem text={problem} />
      {value && rows.length === 0 && <p class="hint">No resource refers to this one.</p>}
      <ul class="referrers">
        {rows.map(({ id: own, key = own, type, paths }) => (
          <li key={own} class="line">
            <PlaceLink to={{ ...place.value, item: own }}>{key}</PlaceLink>
            <span class="hint">
              {type !== undefined && `${type}: `}
              {paths.join(', ')}
            </span>
          </li>
        ))}
      </ul>
      {isMore && <Button label="More" kind="plain" onClick={more} />}
    </section>
  );
}

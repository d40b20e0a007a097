import { ApiError } from '../api/client.ts';
import type { JsonMap } from '../api/json.ts';
import { elementId, fieldText, type Path, pathText } from '../model/paths.ts';
import { declaredAt } from '../types/hints.ts';
import type { Editor } from './editor.ts';
import { shapeOf } from './shapes.ts';

/** An error of the service about a field. */
export interface RefusedField {
  /** As the service names it, such as `variants[0].sku`. */
  readonly field: string;
  readonly message: string;
  /** The field of the form that it is shown at; '' for none. */
  readonly place: string;
}

const isIn = (inner: string, outer: string) => inner.startsWith(`${outer}.`) || inner.startsWith(`${outer}[`);

/** What an error says of the fields of a document; undefined for errors that are not about fields. */
export function refusedIn(error: unknown, document: JsonMap): readonly RefusedField[] | undefined {
  if (!(error instanceof ApiError) || error.status !== 400) return undefined;
  if (!error.errors.some(({ field }) => typeof field === 'string')) return undefined;
  return error.errors.map(({ field, message }) => ({
    field: typeof field === 'string' ? field : '',
    message: String(message),
    place: typeof field === 'string' ? placeOf(document, field) : '',
  }));
}

/** The deepest field of the form on the way to a field that the service named. */
function placeOf(document: JsonMap, field: string): string {
  let at: Path = [];
  let members: JsonMap = document;
  for (;;) {
    const name = Object.keys(members).find((one) => {
      const text = fieldText([...at, one]);
      return text === field || isIn(field, text);
    });
    const path = name === undefined ? undefined : [...at, name];
    if (!path || declaredAt(document, path)?.widget === 'hidden') break;
    at = path;
    const value = members[name!];
    if (shapeOf(value, at.length) !== 'object') break;
    members = value as JsonMap;
  }
  return pathText(at);
}

/** Without the errors that an edit at a path is an answer to. */
export function withoutThoseAt(refused: readonly RefusedField[], path: Path): readonly RefusedField[] {
  const text = fieldText(path);
  return refused.filter(({ field }) => field !== text && !isIn(field, text) && !isIn(text, field));
}

/** The id of the element that says why a field was refused. */
export const problemId = (path: Path): string => elementId('problem', pathText(path));

/** Why the service refused a field. */
export function FieldProblems({ editor, path }: { readonly editor: Editor; readonly path: Path }) {
  const own = editor.refused.value.filter(({ place }) => place === pathText(path));
  if (own.length === 0) return null;
  return (
    <div id={problemId(path)}>
      {own.map(({ message }) => (
        <p key={message} class="problem">
          {message}
        </p>
      ))}
    </div>
  );
}

interface RefusedListProps {
  readonly editor: Editor;
  /** True for a field of the form that says so itself. */
  readonly isShownAt: (place: string) => boolean;
}

/** Says that the service refused what was sent, and why, as far as no field of the form says it. */
export function RefusedList({ editor, isShownAt }: RefusedListProps) {
  const all = editor.refused.value;
  if (all.length === 0) return null;
  return (
    <div class="card" role="alert">
      <p class="problem">
        {all.length === 1 ? 'The service refused this.' : `The service refused this for ${all.length} reasons.`}
        {all.some(({ place }) => isShownAt(place)) && ' The fields below say why.'}
      </p>
      <ul>
        {all
          .filter(({ place }) => !isShownAt(place))
          .map(({ message }) => (
            <li key={message}>{message}</li>
          ))}
      </ul>
    </div>
  );
}

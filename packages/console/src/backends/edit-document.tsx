import { useState } from 'preact/hooks';
import { ApiError, type Call, pathOf } from '../api/client.ts';
import { isMap, type Json, type JsonMap, parseJson, sameJson, writeJson } from '../api/json.ts';
import { errorText } from '../app/notices.tsx';
import { call } from '../app/session.ts';
import { texts } from '../app/texts.ts';
import { FormDialog } from '../components/dialogs/form-dialog.tsx';
import { EditorField } from '../editor/editor-field.tsx';

interface EditDocumentProps {
  readonly projectKey: string;
  readonly document: Json;
  /** The entity tag of the document that was read. */
  readonly etag: string | undefined;
  readonly onSaved: () => void;
  readonly onClose: () => void;
}

/** The merge patch (RFC 7396) that turns one object into the other. */
export function mergePatchOf(before: JsonMap, after: JsonMap): JsonMap {
  const patch: Record<string, Json> = {};
  for (const name of Object.keys(before)) if (!Object.hasOwn(after, name)) patch[name] = null;
  for (const [name, value] of Object.entries(after)) {
    const old = Object.hasOwn(before, name) ? before[name] : undefined;
    if (sameJson(old, value)) continue;
    patch[name] = isMap(old) && isMap(value) ? mergePatchOf(old, value) : value;
  }
  return patch;
}

/** Edits the document as a whole. What is written is what changed, and only if nobody else wrote it meanwhile. */
export function EditDocument({ projectKey, document, etag, onSaved, onClose }: EditDocumentProps) {
  const before = isMap(document) ? document : {};
  const [text, setText] = useState(() => writeJson(before, 2));

  /** Throws where the text is not a document. */
  function saveCall(): Call {
    const edited = documentOf(text);
    return {
      ...{ method: 'POST', path: pathOf(projectKey, 'resource', 'namespace-action') },
      ...{ json: mergePatchOf(before, edited), ...(etag !== undefined && { headers: { 'if-match': etag } }) },
    };
  }

  async function save(): Promise<void> {
    try {
      await call(projectKey, saveCall());
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 412) throw error;
      throw new Error('Someone else has changed the document. Close this dialog, check the document, and try again.');
    }
    onSaved();
  }

  return (
    <FormDialog label={texts.backends.document} isWide submit="Save" call={saveCall} onSubmit={save} onClose={onClose}>
      <EditorField text={text} onChange={setText} />
    </FormDialog>
  );
}

function documentOf(text: string): JsonMap {
  try {
    const edited = parseJson(text);
    if (isMap(edited)) return edited;
  } catch (error) {
    throw new Error(`${texts.resource.jsonInvalid} ${errorText(error)}`);
  }
  throw new Error('Expected a JSON object: { … }');
}

import { ensureSyntaxTree, type syntaxTree } from '@codemirror/language';
import type { EditorState } from '@codemirror/state';
import { jsonOf } from '../api/json.ts';

type SyntaxNode = ReturnType<typeof syntaxTree>['topNode'];

const maxParseMs = 200;

/**
 * Where a place such as `types.product.unique[0]` is in a text of JSON: the deepest member on the way to it. Names may have dots
 * in them, so that the longest name that fits is taken. Undefined where not even the first member is there.
 */
export function rangeOfPlace(
  state: EditorState,
  place: string,
): { readonly from: number; readonly to: number } | undefined {
  let node: SyntaxNode | null | undefined = ensureSyntaxTree(state, state.doc.length, maxParseMs)?.topNode.firstChild;
  let rest = place;
  let range: { from: number; to: number } | undefined;
  while (node && rest !== '') {
    const step = node.name === 'Array' ? elementAt(node, rest) : memberAt(state, node, rest);
    if (!step) break;
    node = step.node;
    rest = step.rest;
    range = { from: step.from, to: step.to };
  }
  return range;
}

interface Step {
  readonly from: number;
  readonly to: number;
  readonly node: SyntaxNode;
  readonly rest: string;
}

function memberAt(state: EditorState, object: SyntaxNode, rest: string): Step | undefined {
  const steps = object.getChildren('Property').flatMap((property): readonly Step[] => {
    const [key, value] = [property.firstChild, property.lastChild];
    const name = key && jsonOf(state.sliceDoc(key.from, key.to));
    if (typeof name !== 'string' || !value || !rest.startsWith(name)) return [];
    const left = rest.slice(name.length);
    return /^(?:$|[.[])/.test(left)
      ? [{ from: key!.from, to: key!.to, node: value, rest: left.replace(/^\./, '') }]
      : [];
  });
  return steps.sort((a, b) => a.rest.length - b.rest.length)[0];
}

function elementAt(array: SyntaxNode, rest: string): Step | undefined {
  const [whole, index] = /^\[?(\d+)\]?\.?/.exec(rest) ?? [];
  if (whole === undefined) return undefined;
  let element = array.firstChild?.nextSibling;
  // Commas are nodes as well.
  for (let at = 0; element && at < 2 * Number(index); at += 1) element = element.nextSibling;
  if (!element || element.name === ']') return undefined;
  return { from: element.from, to: element.to, node: element, rest: rest.slice(whole.length) };
}

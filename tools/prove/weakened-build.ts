/**
 * Loaded before a program, in each of its threads and processes: changes one source file as it is loaded. The name of the
 * control is the query of the address of this file.
 */
import { registerHooks } from 'node:module';
import { controls } from './controls.ts';

const name = new URL(import.meta.url).search.slice(1);
const control = new Map(Object.entries(controls)).get(name);
if (control === undefined) throw new Error(`there is no control “${name}”`);
const { file, from, to } = control;
const target = new URL(`../../${file}`, import.meta.url).href;

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (url !== target) return loaded;
    const [before, after, ...more] = String(loaded.source).split(from);
    // A control that changes nothing would be no control.
    if (after === undefined || more.length > 0) throw new Error(`${file} does not have this text once: ${from}`);
    return { ...loaded, source: `${before}${to}${after}` };
  },
});

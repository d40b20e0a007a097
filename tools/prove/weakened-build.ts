/**
 * Loaded before a program, in each of its threads and processes: changes one source file as it is loaded. The name of the
 * control is the query of the address of this file.
 */
import { changeSource } from './changed-source.ts';
import { controls } from './controls.ts';

const name = new URL(import.meta.url).search.slice(1);
const control = new Map(Object.entries(controls)).get(name);
if (control === undefined) throw new Error(`there is no control “${name}”`);
changeSource(control);

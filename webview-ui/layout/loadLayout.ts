import type { Draughtsman } from './graph';
import { laterScript } from './laterScript';

/** The script that draws plans and diagrams. */
const script = laterScript<Draughtsman>('layout.js', 'waymarkDraws');

/** Set once the script is loaded. */
export const draughtsman = script.loaded;
export const { load: loadLayout } = script;

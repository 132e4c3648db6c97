import type { LayoutScript } from './layoutScript';
import { laterScript } from './laterScript';

/** The script that draws plans and diagrams. */
const script = laterScript<LayoutScript>('layout.js', 'waymarkDraws');

/** Set once the script is loaded. */
export const layoutScript = script.loaded;
export const { load: loadLayout } = script;

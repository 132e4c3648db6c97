import type { Family } from '../../calls/manual';
import { pythonCheckersFamily } from './checkers';
import { pythonPackagesFamily } from './packages';
import { pixiFamily } from './pixi';
import { pythonFamily } from './python';
import { serversFamily } from './servers';

/** ★ Programs of Python. A separate list, so that it can be loaded alone. */
export const pythonFamilies: readonly Family[] = [
  pythonCheckersFamily,
  pythonPackagesFamily,
  pixiFamily,
  pythonFamily,
  serversFamily,
];

import type { Family } from '../../calls/manual';
import { checkersFamily } from './checkers';
import { packagesFamily } from './packages';
import { pythonFamily } from './python';
import { serversFamily } from './servers';

/** ★ Programs of Python. A separate list, so that it can be loaded alone. */
export const pythonFamilies: readonly Family[] = [checkersFamily, packagesFamily, pythonFamily, serversFamily];

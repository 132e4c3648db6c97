import type { Family } from '../../calls/manual';
import { javascriptCheckersFamily } from './checkers';
import { nodeFamily } from './node';
import { packageManagersFamily } from './packageManagers';
import { testsFamily } from './tests';

/** ★ Programs of JavaScript. A separate list, so that it can be loaded alone. */
export const javascriptFamilies: readonly Family[] = [
  javascriptCheckersFamily,
  nodeFamily,
  packageManagersFamily,
  testsFamily,
];

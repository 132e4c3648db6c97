import type { Family } from '../../calls/manual';
import { cloudsFamily } from './clouds';
import { containersFamily } from './containers';
import { databasesFamily } from './databases';
import { forgesFamily } from './forges';
import { infrastructureFamily } from './infrastructure';
import { keysFamily } from './keys';
import { kubernetesFamily } from './kubernetes';
import { networkFamily } from './network';

/** ★ The programs that reach services and other machines. A list of its own, so that it can be loaded alone. */
export const serviceFamilies: readonly Family[] = [
  cloudsFamily,
  containersFamily,
  databasesFamily,
  forgesFamily,
  infrastructureFamily,
  keysFamily,
  kubernetesFamily,
  networkFamily,
];

import type { Family } from '../../calls/manual';
import { cloudsFamily } from './clouds';
import { containersFamily } from './containers';
import { databasesFamily } from './databases';
import { forgesFamily } from './forges';
import { infrastructureFamily } from './infrastructure';
import { keysFamily } from './keys';
import { kubernetesFamily } from './kubernetes';
import { networkFamily } from './network';

/** ★ Programs that reach services and other machines. A separate list, so that it can be loaded alone. */
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

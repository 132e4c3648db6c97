import type { StepTag } from '../../src/protocol/inspector/inspector';

/** In the order in which they are offered. */
export const StepTagList: readonly StepTag[] = [
  'error',
  'asked',
  'edit',
  'command',
  'look',
  'child',
  'candidates',
  'person',
  'condensed',
];

import type { Dialect } from './dialect';

/** Waymark's own names: every tool as it describes itself. For models that know no other. */
export const waymark: Dialect = {
  name: 'waymark',
  description: 'Waymark’s own names: read_file, edit_file, run_command.',
  models: /(?:)/,
  forms: [],
  replaced: [],
};

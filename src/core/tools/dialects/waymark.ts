import { applyPatch } from '../native/applyPatch';
import { editFile } from '../native/editFile';
import type { Dialect } from './dialect';

/** Waymark's own tool names, for models that were not trained on another dialect. */
export const waymarkDialect: Dialect = {
  name: 'waymark',
  description: 'Waymark’s own names: read_file, edit_file, run_command.',
  models: /(?:)/,
  forms: [],
  replaced: [[applyPatch, editFile]],
};

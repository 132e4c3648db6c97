import type { Family } from '../../calls/manual';
import { archivesFamily } from './archives';
import { changingFamily } from './changing';
import { comparingFamily } from './comparing';
import { listingFamily } from './listing';
import { readingFamily } from './reading';
import { searchingFamily } from './searching';
import { textProgramsFamily } from './textPrograms';

/** ★ The programs that read and change files. A list of its own, so that it can be loaded alone. */
export const fileFamilies: readonly Family[] = [
  archivesFamily,
  changingFamily,
  comparingFamily,
  listingFamily,
  readingFamily,
  searchingFamily,
  textProgramsFamily,
];

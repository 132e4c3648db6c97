import type { Family } from '../../calls/manual';
import { archivesFamily } from './archives';
import { changingFamily } from './changing';
import { comparingFamily } from './comparing';
import { listingFamily } from './listing';
import { readingFamily } from './reading';
import { searchingFamily } from './searching';
import { textProgramsFamily } from './textPrograms';
import { versionControlFamily } from './versionControl';

/** ★ Programs that read and change files. A separate list, so that it can be loaded alone. */
export const fileFamilies: readonly Family[] = [
  archivesFamily,
  changingFamily,
  comparingFamily,
  listingFamily,
  readingFamily,
  searchingFamily,
  textProgramsFamily,
  versionControlFamily,
];

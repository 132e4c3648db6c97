import type { WrittenFormat } from '../format';
import { secrets } from '../../secrets/secrets';
import { maskedHistoryInPieces } from '../maskedHistory';
import { page } from './report/page';

/** A report for people: one page without scripts or external resources. Write-only. */
export const html: WrittenFormat = {
  name: 'html',
  label: 'HTML report',
  extension: '.html',
  keepsResults: true,
  *write(history, { session, version, problems = [] }) {
    const text = yield* page(yield* maskedHistoryInPieces(history), version, problems.map(secrets.mask));
    return [{ path: `${session}.html`, text }];
  },
};

import { writtenInPieces, type TrajectoryFormat } from '../format';
import { secrets } from '../../secrets/secrets';
import { maskedHistoryInPieces } from '../maskedHistory';
import { page } from './report/page';

/** A report for people: one page without scripts or external resources. Write-only. */
export const html: TrajectoryFormat = {
  name: 'html',
  label: 'HTML report',
  extension: '.html',
  keepsResults: true,
  ...writtenInPieces(function* (history, { session, version, problems = [] }) {
    const text = yield* page(yield* maskedHistoryInPieces(history), version, problems.map(secrets.mask));
    return [{ path: `${session}.html`, text }];
  }),
};

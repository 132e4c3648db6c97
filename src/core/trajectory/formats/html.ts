import type { TrajectoryFormat } from '../format';
import { secrets } from '../../secrets/secrets';
import { maskedHistory } from '../maskedHistory';
import { page } from './report/page';

/** A report for people: one page without scripts or external resources. Write-only. */
export const html: TrajectoryFormat = {
  name: 'html',
  label: 'HTML report',
  extension: '.html',
  keepsResults: true,
  write: (history, { session, version, problems = [] }) => [
    { path: `${session}.html`, text: page(maskedHistory(history), version, problems.map(secrets.mask)) },
  ],
};

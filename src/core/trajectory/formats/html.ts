import type { TrajectoryFormat } from '../format';
import { secrets } from '../../secrets/secrets';
import { maskedHistory } from '../masked';
import { page } from './report/page';

/** A report for people: one page that loads nothing and runs nothing. It is only written. */
export const html: TrajectoryFormat = {
  name: 'html',
  label: 'HTML report',
  extension: '.html',
  keepsResults: true,
  write: (history, { session, version, problems = [] }) => [
    { path: `${session}.html`, text: page(maskedHistory(history), version, problems.map(secrets.mask)) },
  ],
};

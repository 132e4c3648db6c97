import { groundsOf } from '../risk/assessment';
import { protectedWrites, secretReads } from '../risk/pathRules';
import type { RiskAnalyzer } from '../ports/analyzer';

/** Grounds that are about files of the account. A project rarely contains such files, a home folder is full of them. */
const ofAccount: ReadonlySet<string> = new Set(
  [...protectedWrites, ...secretReads].flatMap(({ account, reason }) =>
    account === true || /credentials of the account|secrets of the machine|key or password/.test(reason)
      ? [reason]
      : [],
  ),
);

/**
 * If the workspace is or contains the home folder, asks in every mode before an action changes settings of the account
 * or uses its keys. Elsewhere these files are outside the workspace, where tools reach nothing.
 */
export const homeAnalyzer: RiskAnalyzer = {
  name: 'home',
  last: true,
  assess({ environment, found }) {
    if (!environment.holdsHome || !found || !groundsOf(found).some((ground) => ofAccount.has(ground))) return undefined;
    return { level: found.level, reasons: [], guarded: true };
  },
};

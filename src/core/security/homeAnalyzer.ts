import { assessmentOf, groundsOf, harmless, worstOf, type Judged } from '../risk/assessment';
import { protectedWrites, secretReads } from '../risk/pathRules';
import { isSystemPlace, isWholeDisk } from '../risk/systemPlaces';
import type { RiskAnalyzer } from '../ports/analyzer';

/** Grounds that are about files of the account. A project rarely contains such files, a home folder is full of them. */
const ofAccount: ReadonlySet<string> = new Set(
  [...protectedWrites, ...secretReads].filter(({ account }) => account).map(({ reason }) => reason),
);

const ofSystem: ReadonlySet<string> = new Set(['Writes outside the workspace.', 'Deletes outside the workspace.']);

/**
 * If the workspace is or contains the home folder, asks in every mode before an action changes settings of the account
 * or uses its keys. Elsewhere these files are outside the workspace, where tools reach nothing. If the workspace is a
 * whole disk, where there is no sandbox, also asks before it changes files of the system.
 */
export const homeAnalyzer: RiskAnalyzer = {
  name: 'home',
  last: true,
  assess({
    call: {
      touches: { writes = [] },
    },
    environment: { holdsHome, root },
    found = harmless,
  }) {
    const has = (some: ReadonlySet<string>): boolean => groundsOf(found).some((ground) => some.has(ground));
    const isGuarded = (holdsHome === true && has(ofAccount)) || (isWholeDisk(root) && has(ofSystem));
    return worstOf([
      ...(isGuarded ? [{ level: found.level, reasons: [], guarded: true as const }] : []),
      ...writes.filter((path) => isSystemPlace(path, root)).map(systemWrite),
    ]);
  },
};

const systemWrite = (path: string): Judged => ({
  ...assessmentOf({
    level: 'high',
    harm: 'changes',
    reason: `Changes ${path}, which belongs to the system.`,
    ground: 'Writes outside the workspace.',
    part: path,
  }),
  guarded: true,
});

import * as vscode from 'vscode';
import { logPages, type LogPages } from '../../adapters/log/logPages';
import type { Sessions } from '../../adapters/sessions/sessions';
import { isLocked } from '../../adapters/storage/fileLock';
import type { PanelFacts } from '../../protocol/panel/panel';
import { emptyFacts, factsOfNext } from './nextTask';

/**
 * A session that is looked at and not open: pages of its log, and what was true when it was last at rest. `coming`:
 * little is known of it before its log is read.
 */
export interface Glance {
  readonly id: string;
  readonly history: Pick<LogPages, 'length' | 'slice'>;
  readonly facts: PanelFacts;
  readonly coming?: boolean;
}

/** Looks at a session without reading its whole log. Nothing is shown that this machine did not write. */
export function glanceAt(stored: Sessions, id: string): Glance {
  const log = stored.logOf(id);
  const known = stored.factsOf(id);
  const pages = logPages(log, known?.end);
  const isTrusted = pages?.vouched === true && stored.doubtOf(id)(pages.end) === undefined;
  const history = isTrusted ? pages : undefined;
  const next = factsOfNext();
  if (!history || !known) return comingGlance(stored, id, history);
  const { sees, trusted } = next;
  const facts: PanelFacts = {
    ...next,
    ...(known.facts as PanelFacts),
    // What is true of the window now, whatever was true when the session rested.
    next: next.next,
    trusted,
    sees: sees !== false,
    writable: !isLocked(`${log}.lock`),
    running: false,
  };
  return { id, history, facts };
}

/** A session of which only its list entry is known, until its log is read. */
function comingGlance(stored: Sessions, id: string, history: LogPages | undefined): Glance {
  const { title = '', steps = 0, cost = null } = stored.list().find((session) => session.id === id) ?? {};
  const facts: PanelFacts = {
    ...emptyFacts,
    ...factsOfNext(),
    status: 'paused',
    sessionId: id,
    title,
    spent: { ...emptyFacts.spent, steps, cost },
    writable: false,
    running: false,
    problem: vscode.l10n.t('Loading a long session…'),
  };
  return { id, coming: true, history: history ?? { length: 0, slice: () => [] }, facts };
}

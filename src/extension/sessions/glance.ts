import * as vscode from 'vscode';
import { logPages, type LogPages } from '../../adapters/log/logPages';
import type { Sessions } from '../../adapters/sessions/sessions';
import { isLocked } from '../../adapters/storage/fileLock';
import type { PanelFacts } from '../../protocol/panel/panel';
import { emptyFacts, nextTaskFacts } from './nextTask';

/**
 * A session that is viewed without being opened: pages of its log, and its state when it was last idle. `isLoading`: its
 * log still has to be read, and little is known yet.
 */
export interface Glance {
  readonly id: string;
  readonly history: Pick<LogPages, 'length' | 'slice'>;
  readonly facts: PanelFacts;
  readonly isLoading?: boolean;
}

/** Views a session without reading its whole log. Shows nothing that was not written on this machine. */
export function glanceAt(stored: Sessions, id: string): Glance {
  const log = stored.logOf(id);
  const known = stored.factsOf(id);
  const pages = logPages(log, known?.end);
  const isTrusted = pages?.vouched === true && stored.doubtOf(id)(pages.end) === undefined;
  const history = isTrusted ? pages : undefined;
  const next = nextTaskFacts();
  if (!history || !known) return comingGlance(stored, id, history);
  const { sees, trusted } = next;
  const facts: PanelFacts = {
    ...next,
    ...(known.facts as PanelFacts),
    // Use the current state of the window, not that of the time when the session was idle.
    next: next.next,
    trusted,
    sees: sees !== false,
    writable: !isLocked(`${log}.lock`),
    running: false,
  };
  return { id, history, facts };
}

/** Returns the view of a session that nobody can write until it is opened. */
export function whileLoading({ id, history, facts }: Glance): Glance {
  const problem = vscode.l10n.t('Loading the session…');
  return { id, history, isLoading: true, facts: { ...facts, writable: false, running: false, problem, loading: true } };
}

/** Returns the view of a session before its log is read, from its list entry. */
function comingGlance(stored: Sessions, id: string, history: LogPages | undefined): Glance {
  const { title = '', steps = 0, cost = null } = stored.list().find((session) => session.id === id) ?? {};
  const facts: PanelFacts = {
    ...emptyFacts,
    ...nextTaskFacts(),
    status: 'paused',
    sessionId: id,
    title,
    spent: { ...emptyFacts.spent, steps, cost },
  };
  return whileLoading({ id, history: history ?? { length: 0, slice: () => [] }, facts });
}

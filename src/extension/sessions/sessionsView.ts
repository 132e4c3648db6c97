import * as vscode from 'vscode';
import type { SessionSummary } from '../../adapters/sessions/sessions';
import { showInvisibleInLine } from '../../protocol/plain/invisible';
import { dateAndTime } from '../common/dateAndTime';
import { ListView } from '../common/listView';
import { sessionDays, shortTitle, type SessionDay, sessionTree } from './sessionTree';
import { sessionFactWords, sessionStateWords } from './sessionWords';

const icons: Record<string, string> = {
  running: 'sync~spin',
  waiting_for_confirmation: 'bell-dot',
  waiting_for_answer: 'question',
  finished: 'pass',
  paused: 'debug-pause',
  ready: 'debug-disconnect',
  idle: 'comment',
  empty: 'circle-outline',
};

/** The group of pinned sessions. */
interface PinnedGroup {
  readonly isPinned: true;
  readonly sessions: readonly SessionSummary[];
}

/** A row of the list: the pinned sessions, a day, or a session. */
type Row = PinnedGroup | SessionDay | SessionSummary;

const isGroup = (row: Row): row is PinnedGroup | SessionDay => 'sessions' in row;

/** What the list shows. */
interface ListedSessions {
  rows(): SessionSummary[];
  isRunning(id: string): boolean;
  /** IDs of the sessions at the top, in this order. */
  pinned(): readonly string[];
}

/**
 * View of all sessions of this workspace: the pinned ones, then the others by day, newest first, with sub-agent sessions
 * and forks below their origin.
 */
export function sessionsView({ rows, isRunning, pinned }: ListedSessions): vscode.Disposable & { refresh(): void } {
  let tree = sessionTree([]);
  /** What was last shown, as JSON. */
  let latest: string | undefined;
  /** Returns everything that the rows show, including today's date, which changes their grouping. */
  const shownBy = (sessions: readonly SessionSummary[]): string =>
    JSON.stringify([new Date().toDateString(), pinned(), sessions.map((session) => [session, isRunning(session.id)])]);
  const rowsBelow = (above?: Row): Row[] => {
    if (above) return isGroup(above) ? [...above.sessions] : tree.childrenOf(above.id);
    const sessions = rows();
    latest = shownBy(sessions);
    tree = sessionTree(sessions, pinned());
    const days = sessionDays(tree.roots, Date.now());
    return tree.pinned.length > 0 ? [{ isPinned: true, sessions: tree.pinned }, ...days] : days;
  };
  const list = new ListView<Row>(rowsBelow, (row) => {
    if (isGroup(row)) return 'isPinned' in row ? pinnedItem() : dayItem(row);
    const facts = { isRunning: isRunning(row.id), isPinned: pinned().includes(row.id) };
    return sessionItem(row, tree.childrenOf(row.id), facts);
  });
  const view = vscode.window.createTreeView('waymark.sessions', { treeDataProvider: list, showCollapseAll: false });
  return {
    refresh() {
      // While the view is hidden, do not read any logs. VS Code requests the rows when it becomes visible.
      if (!view.visible) return list.refresh();
      const now = shownBy(rows());
      // An unnecessary refresh during a pending request makes VS Code drop that request and keep the old rows.
      if (now === latest) return;
      latest = now;
      list.refresh();
    },
    dispose() {
      view.dispose();
      list.dispose();
    },
  };
}

function pinnedItem(): vscode.TreeItem {
  const item = new vscode.TreeItem(vscode.l10n.t('Pinned'), vscode.TreeItemCollapsibleState.Expanded);
  item.id = 'pinned';
  item.contextValue = 'pinned';
  return item;
}

function dayItem({ ago, time }: SessionDay): vscode.TreeItem {
  const date = new Date(time).toLocaleDateString(undefined, { weekday: 'long', day: 'numeric', month: 'long' });
  const recent = [vscode.l10n.t('Today'), vscode.l10n.t('Yesterday')];
  const item = new vscode.TreeItem(recent[ago] ?? date, vscode.TreeItemCollapsibleState.Expanded);
  item.id = `day ${new Date(time).toDateString()}`;
  item.contextValue = 'day';
  return item;
}

function sessionItem(
  session: SessionSummary,
  below: readonly SessionSummary[],
  { isRunning, isPinned }: { readonly isRunning: boolean; readonly isPinned: boolean },
): vscode.TreeItem {
  const title = showInvisibleInLine(session.title);
  const item = new vscode.TreeItem(shortTitle(title), stateBelow(below));
  item.id = session.id;
  const notes: string[] = [];
  if (session.unsound) notes.push(vscode.l10n.t('log changed or damaged'));
  if (session.fork) notes.push(vscode.l10n.t('fork'));
  else if (session.parent !== undefined) notes.push(vscode.l10n.t('subtask'));
  const time = new Date(session.updatedAt).toLocaleTimeString(undefined, { timeStyle: 'short' });
  const state = sessionStateWords(session, isRunning);
  const facts = sessionFactWords(session);
  const date = dateAndTime(session.updatedAt);
  // A day is above the others.
  item.description = [...notes, isPinned ? date : time, ...facts].join(' · ');
  if (isPinned) notes.push(vscode.l10n.t('pinned'));
  item.tooltip = [title, [state, ...notes].join(' · '), [date, ...facts].join(' · ')].join('\n');
  item.accessibilityInformation = { label: [title, state, ...notes, date, ...facts].join(', ') };
  const status = isRunning ? 'running' : session.status;
  item.iconPath = session.unsound
    ? new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'))
    : iconOf(session, status);
  item.contextValue = isPinned ? 'session.pinned' : 'session';
  item.command = { command: 'waymark.openSession', title: vscode.l10n.t('Open'), arguments: [session.id] };
  return item;
}

/** Expanded if there are forks, so that the user sees them. */
function stateBelow(below: readonly SessionSummary[]): vscode.TreeItemCollapsibleState {
  if (below.length === 0) return vscode.TreeItemCollapsibleState.None;
  return below.some(({ fork }) => fork)
    ? vscode.TreeItemCollapsibleState.Expanded
    : vscode.TreeItemCollapsibleState.Collapsed;
}

function iconOf({ fork, end }: SessionSummary, status: string): vscode.ThemeIcon {
  if (fork && inactiveStates.has(status)) return new vscode.ThemeIcon('repo-forked');
  if (status === 'finished' && end !== undefined && end !== 'submitted') return new vscode.ThemeIcon(endIcons[end]);
  return new vscode.ThemeIcon(icons[status] ?? 'comment');
}

const endIcons = { failed: 'error', limit_exceeded: 'dashboard', stopped: 'debug-stop' };

/** States in which a fork has the fork icon. Other states are more important to show. */
const inactiveStates: ReadonlySet<string> = new Set(['finished', 'paused', 'ready', 'idle', 'empty']);

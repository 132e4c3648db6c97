import * as vscode from 'vscode';
import type { SessionSummary } from '../../adapters/sessions/sessions';
import { shownInLine } from '../../core/mcp/approval';
import { ListView } from '../common/listView';
import { sessionTree } from './sessionTree';

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

/** All sessions of this workspace, newest first; below each those that worked for it and those that went on from it. */
export function sessionsView(
  rows: () => SessionSummary[],
  running: (id: string) => boolean,
): vscode.Disposable & { refresh(): void } {
  let tree = sessionTree([]);
  const within = (above?: SessionSummary): SessionSummary[] => {
    if (above) return tree.below(above.id);
    tree = sessionTree(rows());
    return tree.roots;
  };
  const list = new ListView<SessionSummary>(within, (session) => {
    const below = tree.below(session.id);
    // What a person went on with is not hidden.
    const state =
      below.length === 0
        ? vscode.TreeItemCollapsibleState.None
        : below.some(({ fork }) => fork)
          ? vscode.TreeItemCollapsibleState.Expanded
          : vscode.TreeItemCollapsibleState.Collapsed;
    const item = new vscode.TreeItem(shownInLine(session.title), state);
    item.id = session.id;
    const cost =
      session.cost === null
        ? vscode.l10n.t('cost unknown')
        : session.cost === 0
          ? undefined
          : `$${session.cost.toFixed(2)}`;
    const relation = session.fork
      ? vscode.l10n.t('fork')
      : session.parent === undefined
        ? undefined
        : vscode.l10n.t('subtask');
    item.description = [
      session.unsound && vscode.l10n.t('log changed or damaged'),
      relation,
      new Date(session.updatedAt).toLocaleString(undefined, { dateStyle: 'short', timeStyle: 'short' }),
      session.steps === 1 ? vscode.l10n.t('1 step') : vscode.l10n.t('{0} steps', session.steps),
      cost,
    ]
      .filter(Boolean)
      .join(' · ');
    const status = running(session.id) ? 'running' : session.status;
    item.iconPath = session.unsound
      ? new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'))
      : new vscode.ThemeIcon(session.fork && atRest.has(status) ? 'repo-forked' : (icons[status] ?? 'comment'));
    item.contextValue = 'session';
    item.command = { command: 'waymark.openSession', title: vscode.l10n.t('Open'), arguments: [session.id] };
    return item;
  });
  const view = vscode.window.createTreeView('waymark.sessions', { treeDataProvider: list, showCollapseAll: false });
  return {
    refresh: () => list.refresh(),
    dispose() {
      view.dispose();
      list.dispose();
    },
  };
}

/** What a fork looks like a fork in; anything else is more urgent to see. */
const atRest: ReadonlySet<string> = new Set(['finished', 'paused', 'ready', 'idle', 'empty']);

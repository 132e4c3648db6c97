import * as vscode from 'vscode';
import { shownInLine } from '../../core/mcp/approval';
import type { Action, Assessment, RunPlace } from '../../protocol/events/event';
import { riskWordOf, weightOf, type RiskWord, type Weight } from '../../protocol/plain/riskWords';
import { ListView } from '../common/listView';

/** `hash`: of the question that is asked about it; `place`: where a command will run, as the question says. */
export interface WaitingAction {
  readonly sessionId: string;
  readonly action: Action;
  readonly hash: string;
  readonly place?: RunPlace | undefined;
}

/** Reasons beside the headline, as on the card. */
const mostReasons = 3;

const icons: Readonly<Record<Weight, readonly [icon: string, color: string]>> = {
  danger: ['flame', 'list.errorForeground'],
  caution: ['warning', 'list.warningForeground'],
  calm: ['pass', 'icon.foreground'],
};

/** The word that the card shows before the headline. */
const riskWords = (): Readonly<Record<RiskWord, string>> => ({
  low: vscode.l10n.t('Low risk'),
  medium: vscode.l10n.t('Medium risk'),
  high: vscode.l10n.t('High risk'),
  unknown: vscode.l10n.t('Risk unknown'),
  danger: vscode.l10n.t('Dangerous'),
  caution: vscode.l10n.t('Check first'),
});

/** "High risk: Deletes 9 files that Git tracks", as on the card. */
function headlineOf(risk: Assessment): string {
  const [reason = vscode.l10n.t('This session asks before every step.')] = risk.reasons;
  return `${riskWords()[riskWordOf(risk)]}: ${shownInLine(reason)}`;
}

function furtherReasons({ reasons }: Assessment): string[] {
  const further = reasons.slice(1).map(shownInLine);
  const hidden = further.length - mostReasons;
  if (hidden <= 0) return further;
  const more = hidden === 1 ? vscode.l10n.t('1 more reason') : vscode.l10n.t('{0} more reasons', hidden);
  return [...further.slice(0, mostReasons), more];
}

/** Which answers the row offers; package.json shows its commands by this. */
function contextOf(place: RunPlace | undefined): string {
  if (place?.runs === 'nowhere') return 'approval.nowhere';
  return place?.outside === undefined ? 'approval' : 'approval.leaves';
}

function rowItem(row: WaitingAction): vscode.TreeItem {
  const { sessionId, action, place } = row;
  const summary = shownInLine(action.summary);
  const headline = headlineOf(action.risk);
  const where = place === undefined ? [] : [shownInLine(place.words)];
  const [icon, color] = icons[weightOf(action.risk)];
  const item = new vscode.TreeItem(summary);
  item.id = `${sessionId} ${action.id}`;
  item.description = headline;
  item.tooltip = new vscode.MarkdownString().appendText(
    [summary, headline, ...furtherReasons(action.risk), ...where].join('\n\n'),
  );
  item.iconPath = new vscode.ThemeIcon(icon, new vscode.ThemeColor(color));
  item.contextValue = contextOf(place);
  item.command = { command: 'waymark.showApproval', title: vscode.l10n.t('Show'), arguments: [row] };
  item.accessibilityInformation = {
    label: [vscode.l10n.t('Waiting for approval'), summary, headline, ...where].join('. '),
  };
  return item;
}

/** Actions that wait for consent, in all open sessions; the badge counts them. */
export function approvalsView(
  rows: () => WaitingAction[],
): vscode.Disposable & { refresh(): void; selected(): WaitingAction | undefined } {
  const list = new ListView<WaitingAction>((parent) => (parent ? [] : rows()), rowItem);
  const view = vscode.window.createTreeView('waymark.approvals', { treeDataProvider: list });
  return {
    refresh() {
      const waiting = rows().length;
      const tooltip =
        waiting === 1
          ? vscode.l10n.t('1 action waits for approval')
          : vscode.l10n.t('{0} actions wait for approval', waiting);
      view.badge = waiting > 0 ? { value: waiting, tooltip } : undefined;
      list.refresh();
    },
    selected: () => view.selection[0],
    dispose() {
      view.dispose();
      list.dispose();
    },
  };
}

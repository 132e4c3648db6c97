import * as vscode from 'vscode';
import { showInvisibleInLine } from '../../protocol/plain/invisible';
import type { Action, Assessment, RunPlace } from '../../protocol/events/event';
import { riskWordOf, weightOf, type RiskWord, type Weight } from '../../protocol/plain/riskWords';
import { ListView } from '../common/listView';
import { FocusedRow } from '../common/focusedRow';

/**
 * An action that waits for approval. `hash`: hash of the question about it. `place`: where a command will run,
 * according to the question.
 */
export interface WaitingAction {
  readonly sessionId: string;
  readonly action: Action;
  readonly hash: string;
  readonly place?: RunPlace | undefined;
}

/** The argument of a command about an approval. `selected`: the user pressed a key in the list. */
export type ApprovalArgument = WaitingAction | 'selected' | null | undefined;

/** Maximum number of reasons after the headline, as on the card. */
const maxReasons = 3;

const icons: Readonly<Record<Weight, readonly [icon: string, color: string]>> = {
  danger: ['flame', 'list.errorForeground'],
  caution: ['warning', 'list.warningForeground'],
  calm: ['pass', 'icon.foreground'],
};

/** Words before the headline, as on the card. */
const riskWords = (): Readonly<Record<RiskWord, string>> => ({
  low: vscode.l10n.t('Low risk'),
  medium: vscode.l10n.t('Medium risk'),
  high: vscode.l10n.t('High risk'),
  unknown: vscode.l10n.t('Risk unknown'),
  danger: vscode.l10n.t('Dangerous'),
  caution: vscode.l10n.t('Check first'),
});

/** For example "High risk: Deletes 9 files that Git tracks", as on the card. */
function headlineOf(risk: Assessment): string {
  const [reason = vscode.l10n.t('This session asks before every step.')] = risk.reasons;
  return `${riskWords()[riskWordOf(risk)]}: ${showInvisibleInLine(reason)}`;
}

function furtherReasons({ reasons }: Assessment): string[] {
  const further = reasons.slice(1).map(showInvisibleInLine);
  const hidden = further.length - maxReasons;
  if (hidden <= 0) return further;
  const more = hidden === 1 ? vscode.l10n.t('1 more reason') : vscode.l10n.t('{0} more reasons', hidden);
  return [...further.slice(0, maxReasons), more];
}

/** Returns the `contextValue` of a row. package.json uses it to decide which commands the row offers. */
function contextOf(place: RunPlace | undefined): string {
  if (place?.runs === 'nowhere') return 'approval.nowhere';
  return place?.outside === undefined ? 'approval' : 'approval.leaves';
}

function rowItem(row: WaitingAction): vscode.TreeItem {
  const { sessionId, action, place } = row;
  const summary = showInvisibleInLine(action.summary);
  const headline = headlineOf(action.risk);
  const where = place === undefined ? [] : [showInvisibleInLine(place.words)];
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

/** Actions that wait for approval, in all open sessions. The badge shows their number. */
export class ApprovalsView implements vscode.Disposable {
  private readonly list: ListView<WaitingAction>;
  private readonly view: vscode.TreeView<WaitingAction>;
  private readonly focused: FocusedRow<WaitingAction>;

  constructor(private readonly rows: () => readonly WaitingAction[]) {
    this.list = new ListView((parent) => (parent ? [] : [...rows()]), rowItem);
    this.view = vscode.window.createTreeView('waymark.approvals', { treeDataProvider: this.list });
    this.focused = new FocusedRow(this.view);
  }

  /**
   * Returns the row that a command is about. VS Code passes the row itself, `selected` for a key pressed in the list,
   * or nothing from the command palette. Throws an `Error` with a message for people if the row is unknown, rather than
   * guess another one.
   */
  async targetRow(rowArguments: readonly ApprovalArgument[]): Promise<WaitingAction | undefined> {
    if (rowArguments.length === 0) return undefined;
    const [row] = rowArguments;
    if (row !== 'selected') return row ?? unknownRow();
    const [only, ...others] = this.rows();
    return (await this.focused.select()) ?? (others.length === 0 ? only : unknownRow());
  }

  /** Returns true, once, if a row is only being opened because a key selected it. */
  opensNothing(): boolean {
    return this.focused.opensNothing();
  }

  refresh(): void {
    const waiting = this.rows().length;
    const tooltip =
      waiting === 1
        ? vscode.l10n.t('1 action waits for approval')
        : vscode.l10n.t('{0} actions wait for approval', waiting);
    this.view.badge = waiting > 0 ? { value: waiting, tooltip } : undefined;
    this.list.refresh();
  }

  dispose(): void {
    this.view.dispose();
    this.list.dispose();
  }
}

/** VS Code passes no row while the list is being redrawn, and no row may have the focus. */
function unknownRow(): never {
  throw new Error(
    vscode.l10n.t('Nothing was decided, because it is not clear which action you mean. Select one, then try again.'),
  );
}

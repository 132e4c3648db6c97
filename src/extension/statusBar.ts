import * as vscode from 'vscode';
import type { EventOf } from '../protocol/event';
import type { PanelFacts } from '../protocol/panel';

/** The one status-bar item: state, tokens, cost. A click opens the conversation. */
export class StatusBar implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem('waymark.status', vscode.StatusBarAlignment.Left, 10);

  constructor() {
    this.item.name = 'Waymark';
    this.item.command = 'waymark.conversation.focus';
  }

  /** `ending` is how the run ended, once it has. */
  show(facts: PanelFacts, waiting: number, ending?: EventOf<'finished'>['status']): void {
    if (facts.status === 'empty' && waiting === 0) return this.item.hide();
    const { icon, word } = stateOf(facts, waiting, ending);
    const { inputTokens, outputTokens, cachedTokens, cost, steps, uncounted, unpriced } = facts.spent;
    // A plus says "at least": some calls did not tell.
    const tokens = inputTokens === null ? vscode.l10n.t('tokens unknown') : vscode.l10n.t('{0} in', short(inputTokens) + (uncounted > 0 ? '+' : ''));
    const price = cost === null ? vscode.l10n.t('cost unknown') : `$${cost.toFixed(2)}${unpriced > 0 ? '+' : ''}`;
    this.item.text = [`$(${icon}) ${word}`, ...(steps > 0 ? [vscode.l10n.t('step {0}', steps), ...(facts.model?.scripted ? [] : [tokens, price])] : [])].join(' · ');
    this.item.tooltip = [
      `Waymark: ${facts.title}`, stepWords(steps),
      ...(facts.model?.scripted ? [] : [
        vscode.l10n.t('Tokens in {0}, out {1}, cached {2}', count(inputTokens), count(outputTokens), count(cachedTokens)),
        vscode.l10n.t('Cost {0}', cost === null ? vscode.l10n.t('unknown') : `$${cost.toFixed(4)}`),
        ...(uncounted + unpriced > 0 && (inputTokens ?? cost) !== null ? [vscode.l10n.t('{0} of {1} calls did not tell their tokens or have no known price.', Math.max(uncounted, unpriced), steps)] : []),
      ]), ...(facts.model ? [`${facts.model.name} · ${facts.model.provider}`] : []),
    ].join('\n');
    this.item.backgroundColor = waiting > 0 || facts.status === 'waiting_for_answer' ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
    this.item.accessibilityInformation = { label: `Waymark: ${word}, ${stepWords(steps)}` };
    this.item.show();
  }

  dispose(): void { this.item.dispose(); }
}

function stateOf({ running, status }: PanelFacts, waiting: number, ending: EventOf<'finished'>['status'] | undefined): { icon: string; word: string } {
  if (waiting > 0) return { icon: 'bell-dot', word: waiting === 1 ? vscode.l10n.t('1 approval') : vscode.l10n.t('{0} approvals', waiting) };
  if (running) return { icon: 'sync~spin', word: vscode.l10n.t('Working') };
  switch (status) {
    case 'waiting_for_answer': return { icon: 'question', word: vscode.l10n.t('Question') };
    case 'paused': return { icon: 'debug-pause', word: vscode.l10n.t('Paused') };
    case 'ready': return { icon: 'debug-disconnect', word: vscode.l10n.t('Interrupted') };
    case 'finished':
      if (ending === 'failed') return { icon: 'error', word: vscode.l10n.t('Failed') };
      if (ending === 'limit_exceeded') return { icon: 'dashboard', word: vscode.l10n.t('Limit reached') };
      return { icon: 'pass', word: vscode.l10n.t('Finished') };
    default: return { icon: 'comment', word: vscode.l10n.t('Waymark') };
  }
}

const stepWords = (steps: number) => (steps === 1 ? vscode.l10n.t('1 step') : vscode.l10n.t('{0} steps', steps));
const short = (tokens: number) => (tokens < 1000 ? String(tokens) : `${(tokens / 1000).toFixed(tokens < 10_000 ? 1 : 0)}k`);
const count = (tokens: number | null) => (tokens === null ? vscode.l10n.t('unknown') : tokens.toLocaleString());

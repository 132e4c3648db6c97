import * as vscode from 'vscode';
import { eventsOfType } from '../../core/log/projection';
import { showInvisibleInLine } from '../../protocol/plain/invisible';
import { withCommas } from '../../core/text/withCommas';
import type { EventOf } from '../../protocol/events/event';
import type { PanelFacts } from '../../protocol/panel/panel';
import { roundedDollars, tokenCount } from '../../protocol/plain/amounts';
import type { LiveSession } from '../sessions/liveSession';

/** Number of actions that wait for approval in the session on display and its subagents, and in all others. */
interface ApprovalCounts {
  readonly here: number;
  readonly elsewhere: number;
}

/** The status bar item: state, tokens, cost. A click opens the conversation; its hover has the run controls. */
export class StatusBar implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem('waymark.status', vscode.StatusBarAlignment.Left, 10);

  constructor() {
    this.item.name = 'Waymark';
    this.item.command = 'waymark.showConversation';
  }

  /** `facts`: state of the session on display. `live`: that session, if it is open. `sessions`: all open sessions. */
  show(
    facts: PanelFacts,
    waiting: ApprovalCounts,
    live: LiveSession | undefined,
    sessions: readonly LiveSession[],
  ): void {
    const [end] = eventsOfType(live?.conversation.savedHistory.slice(-1) ?? [], 'finished');
    const autoElsewhere = workingInAuto(sessions.filter((session) => session !== live));
    const isAuto = asksNothing(facts);
    const isAlarming = isAuto || autoElsewhere.length > 0;
    const isWaiting = waiting.here + waiting.elsewhere > 0;
    if (facts.status === 'empty' && !isWaiting && !isAlarming) return this.item.hide();
    const { icon, word } = barState(facts, waiting.here, end?.status);
    const own = facts.status === 'empty' && !isAuto ? [] : [{ icon, words: word }, ...ownParts(facts)];
    // Other sessions come last, so that nobody takes the numbers for theirs.
    const others = otherParts(autoElsewhere.length, waiting.elsewhere);
    this.item.text = [...own, ...others].map(withIcon).join(' · ');
    this.item.tooltip = hoverOf(facts, autoElsewhere);
    this.item.backgroundColor =
      isAlarming || isWaiting || (facts.writable && facts.status === 'waiting_for_answer')
        ? new vscode.ThemeColor('statusBarItem.warningBackground')
        : undefined;
    const spoken = [...(isAuto ? [autoWord()] : []), stepWords(facts.spent.steps), ...others.map(({ words }) => words)];
    this.item.accessibilityInformation = { label: [`Waymark: ${word}`, ...spoken].join(', ') };
    this.item.show();
  }

  dispose(): void {
    this.item.dispose();
  }
}

/** A part of the item's text. */
interface BarPart {
  readonly icon?: string;
  readonly words: string;
}

const withIcon = ({ icon, words }: BarPart): string => (icon === undefined ? words : `$(${icon}) ${words}`);

const autoWord = (): string => vscode.l10n.t('Auto');

/** What the item says about the session on display after its state. */
function ownParts(facts: PanelFacts): BarPart[] {
  const { inputTokens, cost, steps, uncounted, unpriced } = facts.spent;
  const parts: BarPart[] = asksNothing(facts) ? [{ icon: 'warning', words: autoWord() }] : [];
  if (steps > 0) parts.push({ words: vscode.l10n.t('step {0}', steps) });
  if (steps === 0 || facts.model?.scripted) return parts;
  // A plus means "at least": some calls reported no usage.
  if (inputTokens !== null)
    parts.push({ words: vscode.l10n.t('{0} in', tokenCount(inputTokens) + (uncounted > 0 ? '+' : '')) });
  if (cost !== null) parts.push({ words: `${roundedDollars(cost)}${unpriced > 0 ? '+' : ''}` });
  return parts;
}

function otherParts(inAuto: number, waiting: number): BarPart[] {
  return [
    ...(inAuto > 0 ? [{ icon: 'warning', words: elsewhereWords(inAuto) }] : []),
    ...(waiting > 0 ? [{ icon: 'bell-dot', words: waitingElsewhere(waiting) }] : []),
  ];
}

/** `autoElsewhere`: titles of the other sessions that are running in Auto. */
function hoverOf(facts: PanelFacts, autoElsewhere: readonly string[]): vscode.MarkdownString {
  const hover = new vscode.MarkdownString(undefined, true);
  hover.isTrusted = { enabledCommands: controls.map(({ command }) => command) };
  for (const line of hoverLines(facts, autoElsewhere)) hover.appendText(line).appendMarkdown('  \n');
  const offered = controls
    .filter(({ when }) => when(facts))
    .map(({ icon, command, title }) => `[$(${icon}) ${title()}](command:${command})`);
  if (offered.length > 0) hover.appendMarkdown(`\n${offered.join('&nbsp;&nbsp; ')}`);
  return hover;
}

function hoverLines(facts: PanelFacts, autoElsewhere: readonly string[]): string[] {
  const { title, model, spent } = facts;
  const auto = vscode.l10n.t(
    'Auto: this session asks only about protected files, actions that can destroy the machine and web pages that could receive a secret.',
  );
  return [
    `Waymark: ${title}`,
    ...(asksNothing(facts) ? [auto] : []),
    ...autoElsewhere.map((other) => vscode.l10n.t('Auto in another session: {0}', showInvisibleInLine(other))),
    stepWords(spent.steps),
    ...(model?.scripted ? [] : spendingLines(spent)),
    ...(model ? [`${model.name} · ${model.provider}`] : []),
  ];
}

function spendingLines(spent: PanelFacts['spent']): string[] {
  const { inputTokens, outputTokens, cachedTokens, cost, steps, uncounted, unpriced } = spent;
  const lines: string[] = [];
  if (inputTokens !== null) lines.push(vscode.l10n.t('Tokens in: {0}', formatCount(inputTokens)));
  if (outputTokens !== null) lines.push(vscode.l10n.t('Tokens out: {0}', formatCount(outputTokens)));
  if (cachedTokens !== null) lines.push(vscode.l10n.t('Tokens cached: {0}', formatCount(cachedTokens)));
  if (cost !== null) lines.push(vscode.l10n.t('Cost: {0}', `$${cost.toFixed(4)}`));
  if (uncounted + unpriced > 0 && (inputTokens ?? cost) !== null)
    lines.push(
      vscode.l10n.t(
        'Requests without a token count or a known price: {0} of {1}',
        Math.max(uncounted, unpriced),
        steps,
      ),
    );
  return lines;
}

/**
 * Returns whether a session asks only about protected files and actions that can destroy the machine, by mode or by
 * setting.
 */
const asksNothing = ({ mode, confirmation }: Pick<PanelFacts, 'mode' | 'confirmation'>): boolean =>
  mode === 'auto' || (mode === 'confirm' && confirmation === 'never');

/** Formats a count. `Intl` is used only for other languages: its first use would block all extensions. */
const formatCount = (count: number): string =>
  vscode.env.language.startsWith('en') ? withCommas(count) : count.toLocaleString();

/** Returns the titles of the sessions that are running in Auto. */
const workingInAuto = (sessions: readonly LiveSession[]): string[] =>
  sessions.flatMap(({ conversation, settings }) =>
    conversation.running && settings && asksNothing(settings) ? [settings.title] : [],
  );

const elsewhereWords = (count: number): string =>
  count === 1 ? vscode.l10n.t('Auto in 1 other session') : vscode.l10n.t('Auto in {0} other sessions', count);

const waitingElsewhere = (count: number): string =>
  count === 1 ? vscode.l10n.t('1 approval elsewhere') : vscode.l10n.t('{0} approvals elsewhere', count);

/** True for a run that was paused, interrupted or stopped, or that failed. */
export const isResumable = ({ running, status, submitted, writable }: PanelFacts): boolean =>
  writable && !running && !submitted && ['paused', 'ready', 'finished'].includes(status);

/** Actions in the hover of the item, with their conditions. */
const controls: readonly {
  readonly command: string;
  readonly icon: string;
  title(): string;
  when(facts: PanelFacts): boolean;
}[] = [
  {
    command: 'waymark.pause',
    icon: 'debug-pause',
    title: () => vscode.l10n.t('Pause'),
    when: ({ running, pauseRequested, stepping }) => running && !pauseRequested && !stepping,
  },
  {
    command: 'waymark.leaveStepMode',
    icon: 'debug-continue',
    title: () => vscode.l10n.t('Leave Step Mode'),
    when: ({ stepping }) => stepping,
  },
  {
    command: 'waymark.resume',
    icon: 'debug-continue',
    title: () => vscode.l10n.t('Resume'),
    when: (facts) => isResumable(facts) && !facts.stepping,
  },
  {
    command: 'waymark.step',
    icon: 'debug-step-over',
    title: () => vscode.l10n.t('Step'),
    when: (facts) => isResumable(facts) && facts.status !== 'finished',
  },
  {
    command: 'waymark.stop',
    icon: 'debug-stop',
    title: () => vscode.l10n.t('Stop'),
    when: ({ running, status }) =>
      running || status === 'paused' || status === 'waiting_for_confirmation' || status === 'waiting_for_answer',
  },
  { command: 'waymark.showConversation', icon: 'comment', title: () => vscode.l10n.t('Open'), when: () => true },
];

function barState(
  { running, status, pauseRequested, writable, loading, elsewhere, unkept }: PanelFacts,
  waiting: number,
  ending: EventOf<'finished'>['status'] | undefined,
): { icon: string; word: string } {
  if (waiting > 0)
    return {
      icon: 'bell-dot',
      word: waiting === 1 ? vscode.l10n.t('1 approval') : vscode.l10n.t('{0} approvals', waiting),
    };
  if (elsewhere && status === 'ready') return { icon: 'sync', word: vscode.l10n.t('Runs elsewhere') };
  if (!writable && !loading) return { icon: 'lock', word: vscode.l10n.t('Read-only') };
  if (unkept !== undefined) return { icon: 'warning', word: vscode.l10n.t('Cannot write the log') };
  if (running && pauseRequested) return { icon: 'debug-pause', word: vscode.l10n.t('Pausing') };
  if (running) return { icon: 'sync~spin', word: vscode.l10n.t('Working') };
  switch (status) {
    case 'waiting_for_answer':
      return { icon: 'question', word: vscode.l10n.t('Question') };
    case 'paused':
      return { icon: 'debug-pause', word: vscode.l10n.t('Paused') };
    case 'ready':
      return { icon: 'debug-disconnect', word: vscode.l10n.t('Interrupted') };
    case 'finished':
      if (ending === 'failed') return { icon: 'error', word: vscode.l10n.t('Failed') };
      if (ending === 'limit_exceeded') return { icon: 'dashboard', word: vscode.l10n.t('Limit reached') };
      if (ending === 'stopped') return { icon: 'debug-stop', word: vscode.l10n.t('Stopped') };
      return { icon: 'pass', word: vscode.l10n.t('Finished') };
    case 'idle':
      return { icon: 'comment', word: vscode.l10n.t('Answered') };
    default:
      return { icon: 'comment', word: vscode.l10n.t('Ready') };
  }
}

const stepWords = (steps: number) => (steps === 1 ? vscode.l10n.t('1 step') : vscode.l10n.t('{0} steps', steps));

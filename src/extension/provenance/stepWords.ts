import * as vscode from 'vscode';
import { secrets } from '../../core/secrets/secrets';
import type { StepConsent } from '../../core/trajectory/provenance/stepFacts';
import type { AllowRule } from '../../protocol/events/event';
import { dateAndTime } from '../common/dateAndTime';
import { ruleInWords } from '../consent/allowRules';
import type { FoundStep } from './stepLookup';
import { escapeInvisible } from '../../protocol/plain/invisible';
import { truncate } from '../../protocol/plain/truncate';

const maxReasonLength = 1200;
const maxCommandLength = 2000;

/** Returns text from a log for display: secrets masked, invisible characters escaped, long text truncated. */
function shownText(text: string, longest: number): string {
  const clean = escapeInvisible(secrets.mask(text)).trim();
  return truncate(clean, longest);
}

export const stepName = ({ step, title }: FoundStep): string =>
  vscode.l10n.t('step {0} of “{1}”', step, shownText(title, 80));
export const stepSummary = ({ action }: FoundStep): string => shownText(action.summary, 200).replaceAll('\n', ' ');

/** Returns who approved the action, when, and by which rule. */
function consentWords({ consent, action, typed, doubtful }: FoundStep): string {
  if (doubtful)
    return vscode.l10n.t('The approval is not certain: the log was changed, or written on another machine.');
  return typed && consent.kind === 'not_asked'
    ? vscode.l10n.t('A person typed it.')
    : describeConsent(consent, action.risk.level);
}

function describeConsent(consent: StepConsent, level: string): string {
  switch (consent.kind) {
    case 'person':
      return [
        vscode.l10n.t('Approved by you, {0}.', dateAndTime(consent.at)),
        consent.comment && `“${shownText(consent.comment, 200)}”`,
      ]
        .filter(Boolean)
        .join(' ');
    case 'rule': {
      if (!consent.rule) return vscode.l10n.t('Allowed by an allow rule, {0}.', dateAndTime(consent.at));
      const key = shownText(ruleLabel(consent.rule), 200).replaceAll('\n', ' ');
      return consent.rule.pattern
        ? vscode.l10n.t('Allowed by the pattern {0}, {1}.', key, dateAndTime(consent.at))
        : vscode.l10n.t('Allow rule: {0}; used {1}.', key, dateAndTime(consent.at));
    }
    case 'not_asked':
      return consent.why === 'mode'
        ? vscode.l10n.t('Not asked: the mode does not ask about this.')
        : vscode.l10n.t('Not asked: its risk is {0}.', level);
  }
}

function ruleLabel(rule: AllowRule): string {
  try {
    return ruleInWords(rule).label;
  } catch {
    return rule.key;
  }
}

/**
 * Escapes text for Markdown. All punctuation is literal and addresses do not become links. Unlike with `appendText`,
 * long lines wrap.
 */
const literal = (text: string): string =>
  text
    .replace(/[!-/:-@[-`{-~]/g, '\\$&')
    .split('\n')
    .map((line) => line.trimStart())
    .join('  \n');

/**
 * Returns the hover text of a step. Content from the log goes into a string without active links. The only command link
 * is in a separate string, which contains nothing from the log except the IDs of session and action.
 */
export function stepMarkdown(found: FoundStep, command: string | undefined): vscode.MarkdownString[] {
  const words = new vscode.MarkdownString(
    `**Waymark** ${literal(`${stepName(found)} · ${dateAndTime(found.at)}`)}\n\n`,
  );
  if (command === undefined) words.appendMarkdown(`${literal(stepSummary(found))}\n\n`);
  else words.appendCodeblock(shownText(command, maxCommandLength), 'shellscript');
  const reason = shownText(found.reason, maxReasonLength);
  if (reason !== '') words.appendMarkdown(`\n\n${literal(`“${reason}”`)}\n\n`);
  words.appendMarkdown(
    [vscode.l10n.t('Model: {0}', shownText(found.model, 100)), consentWords(found)].map(literal).join('  \n'),
  );
  const link = new vscode.MarkdownString('', true);
  link.isTrusted = { enabledCommands: ['waymark.showStepForLine'] };
  const where = encodeURIComponent(JSON.stringify([{ session: found.sessionId, action: found.action.id }]));
  link.appendMarkdown(
    `[$(arrow-right) ${vscode.l10n.t('Show step')}](command:waymark.showStepForLine?${where.replaceAll('(', '%28').replaceAll(')', '%29')})`,
  );
  return [words, link];
}

/** Returns the hover text of a line whose step cannot be found. */
export const missingStepMarkdown = (): vscode.MarkdownString =>
  new vscode.MarkdownString(
    `**Waymark** ${literal(vscode.l10n.t('The agent wrote this line in a session that was not found.'))}`,
  );

import * as vscode from 'vscode';
import type { SessionSummary } from '../../adapters/sessions/sessions';
import { costWords } from '../../protocol/plain/amounts';

/** Returns the state of a session in one or two words. */
export function sessionStateWords({ status, end }: SessionSummary, isRunning: boolean): string {
  if (isRunning) return vscode.l10n.t('Working');
  switch (status) {
    case 'waiting_for_confirmation':
      return vscode.l10n.t('Needs approval');
    case 'waiting_for_answer':
      return vscode.l10n.t('Needs an answer');
    case 'finished':
      return endWords(end);
    case 'paused':
      return vscode.l10n.t('Paused');
    case 'ready':
      return vscode.l10n.t('Interrupted');
    case 'idle':
      return vscode.l10n.t('Answered');
    case 'empty':
      return vscode.l10n.t('Ready');
  }
}

function endWords(end: SessionSummary['end']): string {
  switch (end) {
    case 'failed':
      return vscode.l10n.t('Failed');
    case 'limit_exceeded':
      return vscode.l10n.t('Limit reached');
    case 'stopped':
      return vscode.l10n.t('Stopped');
    default:
      return vscode.l10n.t('Finished');
  }
}

/** Returns the cost, changes and duration of a session; unknown values are left out. */
export function sessionFactWords({ steps, cost, files, seconds }: SessionSummary): string[] {
  const facts = [steps === 1 ? vscode.l10n.t('1 step') : vscode.l10n.t('{0} steps', steps)];
  if (files !== undefined && files > 0)
    facts.push(files === 1 ? vscode.l10n.t('1 file') : vscode.l10n.t('{0} files', files));
  const spent = costWords(cost);
  if (spent !== '') facts.push(spent);
  if (seconds !== undefined && seconds >= 60) facts.push(vscode.l10n.t('{0} min', Math.round(seconds / 60)));
  return facts;
}

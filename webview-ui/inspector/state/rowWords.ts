import type { StepRow } from '../../../src/protocol/inspector/inspector';
import { duration, money, tokens } from '../../base/format';
import { say } from './words';

/** Label for the kind of a row: "Step 12", "Message". */
export const rowLabel = ({ kind, number }: StepRow): string => say(`row.${kind}`, { n: number ?? '' });

/** Describes how it ended, unless it simply succeeded. */
export function rowResult({ outcome, exitCode, kind }: StepRow): string {
  if (kind !== 'step') return '';
  if (outcome !== undefined && outcome !== 'ok') return say(`row.${outcome}`);
  return exitCode === undefined || exitCode === 0 ? '' : say('row.exit', { n: exitCode ?? '?' });
}

export const isBad = ({ tags }: StepRow): boolean => tags.includes('error');

export const icons: Record<StepRow['kind'], string> = {
  task: 'account',
  message: 'account',
  step: 'comment',
  condensation: 'fold',
  feedback: 'reply',
  notice: 'info',
  settings: 'settings-gear',
  paused: 'debug-pause',
  finished: 'flag',
};

/** Returns the icon for the main effect of a step. */
export function iconOf({ kind, tags, actions }: StepRow): string {
  if (kind !== 'step' || actions === undefined) return icons[kind];
  if (tags.includes('child')) return 'type-hierarchy-sub';
  if (tags.includes('edit')) return 'edit';
  if (tags.includes('command')) return 'terminal';
  if (tags.includes('asked') && !tags.includes('look')) return 'question';
  return tags.includes('look') ? 'eye' : 'symbol-event';
}

/** Files of other programs do not contain durations. */
export const timeOf = ({ durationMs }: StepRow): string => (durationMs ? duration(durationMs) : '');
export const tokensOf = (row: StepRow): string =>
  row.tokens === undefined ? '' : row.tokens === null ? '–' : tokens(row.tokens);
export function costOf({ cost }: StepRow): string {
  if (cost === undefined) return '';
  if (cost === null) return '–';
  if (cost === 0) return '$0';
  return cost < 0.01 ? `$${cost.toFixed(4)}` : money(cost);
}

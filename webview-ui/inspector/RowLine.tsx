import type { StepRow } from '../../src/protocol/inspector/inspector';
import { Icon } from '../parts/Icon';
import { say } from './state/words';
import { formatDuration, formatMoney, formatTokens } from '../base/format';

/** One row of the list: number, summary, outcome and usage. */
export function RowLine({
  row,
  open,
  current,
  reachable = true,
  onToggle,
  onFocus,
}: {
  row: StepRow;
  open: boolean;
  current: boolean;
  /** True if Tab reaches it while it is the current row. */ reachable?: boolean;
  onToggle: () => void;
  onFocus: () => void;
}) {
  const result = rowResult(row);
  const words = row.line || rowLabel(row);
  return (
    <button
      type="button"
      class={`row-line ${row.kind}${hasError(row) ? ' is-bad' : ''}${current ? ' current' : ''}`}
      data-testid="row"
      data-seq={row.seq}
      tabIndex={current && reachable ? 0 : -1}
      aria-expanded={open}
      title={row.line}
      onClick={onToggle}
      onFocus={onFocus}
    >
      <Icon name={open ? 'chevron-down' : 'chevron-right'} class="chevron" />
      <span class="row-number">
        {row.number !== undefined && <Unseen words={say('column.step')} />}
        {row.number}
      </span>
      <Icon name={iconOf(row)} class="row-icon" />
      <span class="row-words">
        {row.kind !== 'step' && <span class="row-kind">{rowLabel(row)}</span>}
        {row.actions !== undefined && row.actions > 1 && (
          <>
            <span class="badge" aria-hidden="true" title={say('row.actions', { n: row.actions })}>
              {row.actions}
            </span>
            <Unseen words={say('row.actions', { n: row.actions })} />
          </>
        )}
        <span class="row-text">{words}</span>
      </span>
      {(row.added !== undefined || row.removed !== undefined) && (
        <span class="row-counts counts">
          <span class="added">+{row.added ?? 0}</span> <span class="removed">−{row.removed ?? 0}</span>
        </span>
      )}
      {result && (
        <span class="row-result">
          {hasError(row) && <Icon name="error" />}
          {result}
        </span>
      )}
      <span class="row-figure time">{rowDuration(row)}</span>
      <span class="row-figure tokens">
        {row.tokens !== undefined && <Unseen words={say('column.tokens')} />}
        {rowTokens(row)}
      </span>
      <span class="row-figure cost">{rowCost(row)}</span>
    </button>
  );
}

/** Text for screen readers that replaces the column headings. */
const Unseen = ({ words }: { words: string }) => <span class="visually-hidden">{words} </span>;

/** Label for the kind of a row: "Step 12", "Message". */
const rowLabel = ({ kind, number }: StepRow): string => say(`row.${kind}`, { n: number ?? '' });

/** Describes how it ended, unless it simply succeeded. */
function rowResult({ outcome, exitCode, kind }: StepRow): string {
  if (kind !== 'step') return '';
  if (outcome !== undefined && outcome !== 'ok') return say(`row.${outcome}`);
  return exitCode === undefined || exitCode === 0 ? '' : say('row.exit', { n: exitCode ?? '?' });
}

const hasError = ({ tags }: StepRow): boolean => tags.includes('error');

const icons: Record<StepRow['kind'], string> = {
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
function iconOf({ kind, tags, actions }: StepRow): string {
  if (kind !== 'step' || actions === undefined) return icons[kind];
  if (tags.includes('child')) return 'type-hierarchy-sub';
  if (tags.includes('edit')) return 'edit';
  if (tags.includes('command')) return 'terminal';
  if (tags.includes('asked') && !tags.includes('look')) return 'question';
  return tags.includes('look') ? 'eye' : 'symbol-event';
}

/** Files of other programs do not contain durations. */
const rowDuration = ({ durationMs }: StepRow): string => (durationMs ? formatDuration(durationMs) : '');
function rowTokens(row: StepRow): string {
  if (row.tokens === undefined) return '';
  return row.tokens === null ? '–' : formatTokens(row.tokens);
}
function rowCost({ cost }: StepRow): string {
  if (cost === undefined) return '';
  if (cost === null) return '–';
  if (cost === 0) return '$0';
  return cost < 0.01 ? `$${cost.toFixed(4)}` : formatMoney(cost);
}

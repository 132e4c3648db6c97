import type { StepRow } from '../../src/protocol/inspector/inspector';
import { Icon } from '../parts/Icon';
import { costOf, iconOf, isBad, rowLabel, rowResult, timeOf, tokensOf } from './state/rowWords';
import { say } from './state/words';

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
      class={`row-line ${row.kind}${isBad(row) ? ' is-bad' : ''}${current ? ' current' : ''}`}
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
          <span class="badge" title={say('row.actions', { n: row.actions })}>
            {row.actions}
          </span>
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
          {isBad(row) && <Icon name="error" />}
          {result}
        </span>
      )}
      <span class="row-figure time">{timeOf(row)}</span>
      <span class="row-figure tokens">
        {row.tokens !== undefined && <Unseen words={say('column.tokens')} />}
        {tokensOf(row)}
      </span>
      <span class="row-figure cost">{costOf(row)}</span>
    </button>
  );
}

/** Text for screen readers that replaces the column headings. */
const Unseen = ({ words }: { words: string }) => <span class="visually-hidden">{words} </span>;

import type { EventOf } from '../../src/protocol/events/event';
import { formatDuration, formatMoney, formatTokens } from '../base/format';
import { moveToKey } from '../state/moves';
import type { RowOf } from '../state/rows';
import { isOpen, setOpen } from '../state/store';
import { counted, text } from '../base/text';
import { Card } from '../parts/Card';
import { Icon } from '../parts/Icon';
import { LongText } from '../parts/LongText';

/** A condensation: what was removed for the model, what replaces it, why, and its cost. */
export function CondensationCard({ row }: { row: RowOf<'condensation'> }) {
  const { event, forgotten } = row;
  const { summary, reasons = [], usage, model, durationMs } = event;
  const open = isOpen(row.key);
  const line = lineFor(event);
  const cost =
    usage &&
    [
      usage.inputTokens !== null && text('usage.in', { n: formatTokens(usage.inputTokens) }),
      usage.outputTokens !== null && text('usage.out', { n: formatTokens(usage.outputTokens) }),
      usage.cost !== null && formatMoney(usage.cost),
      durationMs !== undefined && formatDuration(durationMs),
    ]
      .filter(Boolean)
      .join(' · ');
  return (
    <Card row={row} class="notice condensation" label={line}>
      <div class="notice-line">
        <Icon name="fold" />
        <span>{line}</span>
        {event.forgotten.length > 0 && (
          <button
            type="button"
            class="icon-button"
            data-toggle
            aria-expanded={open}
            aria-label={text('condensed.summary')}
            onClick={() => setOpen(row.key, !open)}
          >
            <Icon name={open ? 'chevron-down' : 'chevron-right'} />
          </button>
        )}
      </div>
      {open && (
        <div class="step-body">
          {summary ? (
            <div class="block">
              <div class="name">{text('condensed.summary')}</div>
              <LongText
                label={text('condensed.summary')}
                lines={summary.split('\n').length}
                more={(n) => counted('approval.below', n)}
              >
                <div class="plain">{summary}</div>
              </LongText>
            </div>
          ) : (
            <p class="dim">{text('condensed.noSummary')}</p>
          )}
          <dl class="facts">
            {reasons.length > 0 && (
              <div>
                <dt>{text('condensed.why')}</dt>
                <dd>{reasons.map((reason) => text(`condensed.${reason}`)).join(', ')}</dd>
              </div>
            )}
            {cost && (
              <div>
                <dt>{text('condensed.cost')}</dt>
                <dd>{cost}</dd>
              </div>
            )}
            {model && (
              <div>
                <dt>{text('condensed.model')}</dt>
                <dd>{model}</dd>
              </div>
            )}
          </dl>
          <ForgottenList row={row} notLoaded={forgotten.length === 0 ? event.forgotten.length : 0} />
        </div>
      )}
    </Card>
  );
}

/** Says in one line what a condensation did. */
function lineFor({ forgotten, shortened }: EventOf<'condensation'>): string {
  if (forgotten.length > 0) return counted('condensed.lines', forgotten.length);
  return text(shortened ? 'condensed.shortened' : 'condensed.nothing');
}

function ForgottenList({ row, notLoaded }: { row: RowOf<'condensation'>; notLoaded: number }) {
  const key = `${row.key}/forgotten`;
  const open = isOpen(key);
  return (
    <div class="forgotten">
      <button
        type="button"
        class="step-row"
        data-testid="forgotten"
        aria-expanded={open}
        onClick={() => setOpen(key, !open)}
      >
        <Icon name={open ? 'chevron-down' : 'chevron-right'} class="chevron" />
        <span class="verb">{text('condensed.forgotten')}</span>
        <span class="meta">{row.event.forgotten.length}</span>
      </button>
      {open && (
        <div class="nested">
          <p class="dim">{text('condensed.kept')}</p>
          <ul>
            {row.forgotten.map(({ key: at, words }, index) => (
              <li key={index}>
                <button type="button" class="link" onClick={() => moveToKey(at)}>
                  {words}
                </button>
              </li>
            ))}
          </ul>
          {notLoaded > 0 && <p class="dim">{counted('condensed.more', notLoaded)}</p>}
        </div>
      )}
    </div>
  );
}

import type { EventOf } from '../../src/protocol/events/event';
import type { StepDetails } from '../../src/protocol/inspector/inspector';
import { formatDuration, formatMoney, formatTokens } from '../base/format';
import { counted, text } from '../base/text';
import { Long } from '../parts/LongText';
import { goToStep } from './state/moves';

/** What a condensation removed, what replaces it, why, and what it cost. */
export function Condensed({
  event,
  forgotten,
}: {
  event: EventOf<'condensation'>;
  forgotten: NonNullable<StepDetails['forgotten']>;
}) {
  const { summary, reasons = [], usage, model, durationMs } = event;
  return (
    <>
      {summary ? (
        <section class="block">
          <h2 class="name">{text('condensed.summary')}</h2>
          <Long label={text('condensed.summary')} words={summary} />
        </section>
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
        {usage && (
          <div>
            <dt>{text('condensed.cost')}</dt>
            <dd>
              {[
                usage.inputTokens !== null && text('usage.in', { n: formatTokens(usage.inputTokens) }),
                usage.outputTokens !== null && text('usage.out', { n: formatTokens(usage.outputTokens) }),
                usage.cost !== null && formatMoney(usage.cost),
                durationMs !== undefined && formatDuration(durationMs),
              ]
                .filter(Boolean)
                .join(' · ')}
            </dd>
          </div>
        )}
        {model && (
          <div>
            <dt>{text('condensed.model')}</dt>
            <dd>{model}</dd>
          </div>
        )}
      </dl>
      {forgotten.length > 0 && (
        <details class="block" data-testid="forgotten">
          <summary class="name">
            {text('condensed.forgotten')} · {counted('condensed.lines', event.forgotten.length)}
          </summary>
          <ul class="plain-lines">
            {forgotten.map(({ seq, words }) => (
              <li key={seq}>
                <button type="button" class="link" onClick={() => goToStep(seq)}>
                  {words || `#${seq}`}
                </button>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

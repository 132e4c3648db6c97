import { useState } from 'preact/hooks';
import type { EventOf } from '../../src/protocol/events/event';
import { post } from '../base/host';
import { facts } from '../state/store';
import { text } from '../base/text';

type Limit = 'steps' | 'cost' | 'seconds';

/** Form for new limits after a run reached its own. Suggests twice the limit that was reached. */
export function LimitForm({ cause }: { cause: EventOf<'finished'>['cause'] }) {
  const limits = facts.value?.limits ?? { steps: 0, cost: 0, seconds: 0 };
  const [wanted, setWanted] = useState(() => ({ ...limits, ...(isLimit(cause) && { [cause]: limits[cause] * 2 }) }));
  const asked: Limit[] = ['steps', 'cost', ...(limits.seconds > 0 ? ['seconds' as const] : [])];
  const enough = isLimit(cause) ? wanted[cause] === 0 || wanted[cause] > limits[cause] : true;
  const off = !enough || Object.values(wanted).some((value) => !Number.isFinite(value) || value < 0);
  const goOn = (): void => {
    if (!off) post({ type: 'set_limits', ...wanted });
  };
  return (
    <div class="limit-form" data-testid="limit-form">
      <p class="dim">{text('limit.help')}</p>
      <div class="limit-fields">
        {asked.map((limit) => (
          <label key={limit}>
            <span>{text(`limit.${limit}`)}</span>
            <input
              type="number"
              min={0}
              step={limit === 'cost' ? 'any' : 1}
              data-testid={`limit-${limit}`}
              value={wanted[limit]}
              onInput={(event) => setWanted({ ...wanted, [limit]: event.currentTarget.valueAsNumber })}
              onKeyDown={(event) => {
                if (event.key === 'Enter' && !event.altKey) {
                  event.preventDefault();
                  goOn();
                }
              }}
            />
          </label>
        ))}
      </div>
      <button type="button" class="primary" data-testid="go-on" aria-disabled={off} onClick={goOn}>
        {text('limit.goOn')}
      </button>
    </div>
  );
}

const isLimit = (cause: string | undefined): cause is Limit =>
  cause === 'steps' || cause === 'cost' || cause === 'seconds';

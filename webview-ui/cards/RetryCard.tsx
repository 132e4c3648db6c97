import { post } from '../base/host';
import type { RowOf } from '../state/rows';
import { formatDuration } from '../base/format';
import { text } from '../base/text';
import { useNow } from '../base/hooks';
import { Card } from '../parts/Card';
import { Icon } from '../parts/Icon';

/** Whole seconds, and minutes from one minute on. */
const timeLeft = (seconds: number): string =>
  seconds < 60 ? text('seconds', { n: seconds }) : formatDuration(seconds * 1000);

/** Countdown to the next retry, shown only while nothing came after it. */
export function RetryCard({ row }: { row: RowOf<'retry'> }) {
  const { at, delayMs, attempt, why } = row.event;
  const now = useNow(500);
  const left = Math.ceil(Math.min(delayMs, Math.max(0, at + delayMs - now)) / 1000);
  return (
    <Card row={row} class="problem warning" label={text('retry.title')}>
      <div class="approval-head">
        <Icon name="debug-disconnect" />
        <span>{text('retry.title')}</span>
      </div>
      <p>{why}</p>
      <div class="spread">
        <span class="dim" role="timer">
          {left > 0 ? text('retry.in', { time: timeLeft(left), attempt }) : text('retry.now', { attempt })}
        </span>
        <button
          type="button"
          class="primary"
          data-testid="retry-now"
          aria-disabled={left <= 0}
          onClick={() => {
            if (left > 0) post({ type: 'retry_now' });
          }}
        >
          {text('retry.button')}
        </button>
      </div>
    </Card>
  );
}

import { formatDuration } from '../base/format';
import { text } from '../base/text';
import { useNow } from '../base/hooks';
import { Icon, Spinner } from '../parts/Icon';
import { Visible } from '../parts/VisibleText';
import type { Line } from './stepWords';

/** One line: `▸ Ran  npm test            exit 1 · 2.3 s` */
export function StepLine({ line, open, onToggle }: { line: Line; open: boolean; onToggle: () => void }) {
  return (
    <button
      type="button"
      class={`step-row ${line.tone}`}
      data-testid="step-row"
      data-toggle
      aria-expanded={open}
      tabIndex={-1}
      title={line.target}
      onClick={onToggle}
    >
      {line.tone === 'running' ? <Spinner /> : <Icon name={open ? 'chevron-down' : 'chevron-right'} class="chevron" />}
      <span class="verb">{line.verb}</span>
      <span class={line.code ? 'target code-font' : 'target'}>
        <Visible words={line.target} />
      </span>
      {line.added !== undefined && (
        <span class="meta counts">
          <span class="added">+{line.added}</span> <span class="removed">−{line.removed}</span>
        </span>
      )}
      {line.since !== undefined && <RunningTime since={line.since} />}
      {line.meta && (
        <span class="meta">
          {line.tone === 'warn' && <Icon name="warning" />}
          {line.meta}
        </span>
      )}
    </button>
  );
}

/** Most actions end sooner, and a number that flashes up only distracts. */
const shownAfterMs = 3000;

/** How long something has been running, to the second. `since`: milliseconds since the epoch. */
function RunningTime({ since }: { since: number }) {
  const seconds = Math.floor((useNow(1000) - since) / 1000);
  if (seconds * 1000 < shownAfterMs) return null;
  return (
    <span class="meta" role="timer" data-testid="running-time">
      {seconds < 10 ? text('seconds', { n: seconds }) : formatDuration(seconds * 1000)}
    </span>
  );
}

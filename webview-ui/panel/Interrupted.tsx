import { useEffect, useState } from 'preact/hooks';
import { Icon } from '../parts/Icon';
import { post } from '../base/host';
import { canResume, wasInterrupted } from '../state/status';
import { text } from '../base/text';

/** A run that just begins looks cut off until the host has said that it runs. */
const patienceMs = 250;

/** After a reload or a crash in the middle of a run: what that means, and the way on. */
export function Interrupted() {
  const interrupted = wasInterrupted();
  const [shown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(interrupted), interrupted ? patienceMs : 0);
    return () => clearTimeout(timer);
  }, [interrupted]);
  if (!interrupted || !shown) return null;
  return (
    <div class="interrupted" data-testid="interrupted">
      <Icon name="debug-disconnect" />
      <p>
        <strong>{text('interrupted.title')}</strong> <span class="dim">{text('interrupted.help')}</span>
      </p>
      {canResume() && (
        <button type="button" class="primary small" data-testid="resume" onClick={() => post({ type: 'resume' })}>
          {text('header.resume')}
        </button>
      )}
    </div>
  );
}

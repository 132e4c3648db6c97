// Composer actions while a run is idle: resume after an interruption, or implement a plan.

import { useEffect, useState } from 'preact/hooks';
import { Icon } from '../parts/Icon';
import { post } from '../base/host';
import { canResume, wasInterrupted } from '../state/status';
import { text } from '../base/text';
import { events, facts } from '../state/store';

/** Delay, in ms, because a new run looks interrupted until the host reports it as running. */
const showDelayMs = 250;

/** Shown after a reload or crash in the middle of a run: explains it and offers to resume. */
export function Interrupted() {
  const interrupted = wasInterrupted();
  const [shown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(interrupted), interrupted ? showDelayMs : 0);
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

/** Shown after an answer in plan mode: starts the implementation and names the mode that it will use. */
export function ImplementPlan() {
  const known = facts.value;
  const last = events.value.findLast((event) => event.type === 'agent_response' || event.type === 'user_message');
  const hasPlan = last?.type === 'agent_response' && last.actions.length === 0 && last.text.trim() !== '';
  const rests = known?.status === 'idle' && !known.running && known.writable && known.model !== undefined;
  if (!rests || known.mode !== 'plan' || !hasPlan) return null;
  return (
    <div class="implement">
      <button
        type="button"
        class="primary small"
        data-testid="implement-plan"
        onClick={() => post({ type: 'implement_plan' })}
      >
        <Icon name="play" />
        {text('plan.implement')}
      </button>
      <span class="dim">{text('plan.mode', { mode: text(`header.mode.${known.confirmation}`) })}</span>
    </div>
  );
}

import type { Event } from '../../src/protocol/event';
import { delegationOf } from '../children';
import { ChildrenView } from '../cards/ChildrenView';
import { StepBody } from '../cards/StepBody';
import { lineOf } from '../cards/stepWords';
import { duration, time } from '../format';
import type { Step } from '../rows';
import { callText } from './callWords';

/** One action of a step: what was asked for, what came of it, who consented. */
export function ActionView({ step, events }: { step: Step; events: readonly Event[] }) {
  const line = lineOf(step, false);
  const consent = consentOf(step, events);
  return (
    <div class="action" data-testid="action">
      <h2 class={`action-line ${line.tone}`}>
        <span class="verb">{line.verb}</span>{!line.code && <> <span class="target">{line.target}</span></>}
        {line.added !== undefined && <span class="meta counts"><span class="added">+{line.added}</span> <span class="removed">−{line.removed}</span></span>}
        {line.meta && <span class="meta">{line.meta}</span>}
      </h2>
      {step.action.purpose && <p class="dim">{step.action.purpose}</p>}
      {(step.action.effect === 'delegates' || step.children) && <ChildrenView delegation={delegationOf(step, new Map(), false)} />}
      <StepBody step={step} whole />
      {consent && <p class="dim consent">{consent}</p>}
    </div>
  );
}

/** When a person was asked and how long the answer took. */
function consentOf({ action, question, observation }: Step, events: readonly Event[]): string | undefined {
  const asked = events.find(event => event.type === 'confirmation_requested' && event.actionIds.includes(action.id)) ?? question;
  if (!asked) return undefined;
  const answered = question ? observation : events.find(event => event.type === 'confirmation_resolved' && event.actionIds.includes(action.id));
  return answered ? callText('call.waited', { asked: time(asked.at), n: duration(Math.max(0, answered.at - asked.at)) }) : callText('call.open', { asked: time(asked.at) });
}

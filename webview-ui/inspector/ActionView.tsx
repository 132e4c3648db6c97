import type { Event } from '../../src/protocol/events/event';
import { delegationOf } from '../state/children';
import { ChildrenView } from '../steps/ChildrenView';
import { StepBody } from '../steps/StepBody';
import { lineOf } from '../steps/stepWords';
import { duration, time } from '../base/format';
import type { Step } from '../state/rows';
import { say } from './state/words';

/** One action of a step: its input, its result, and who approved it. */
export function ActionView({ step, events }: { step: Step; events: readonly Event[] }) {
  const line = lineOf(step, false);
  const consent = consentOf(step, events);
  return (
    <div class="action" data-testid="action">
      <h2 class={`action-line ${line.tone}`}>
        <span class="verb">{line.verb}</span>
        {!line.code && (
          <>
            {' '}
            <span class="target">{line.target}</span>
          </>
        )}
        {line.added !== undefined && (
          <span class="meta counts">
            <span class="added">+{line.added}</span> <span class="removed">−{line.removed}</span>
          </span>
        )}
        {line.meta && <span class="meta">{line.meta}</span>}
      </h2>
      {step.action.purpose && <p class="dim">{step.action.purpose}</p>}
      {(step.action.effect === 'delegates' || step.children) && (
        <ChildrenView delegation={delegationOf(step, new Map(), false)} />
      )}
      <StepBody step={withoutUnknownRisk(step)} whole />
      {consent && (
        <dl class="facts">
          <div>
            <dt>{say('asked.label')}</dt>
            <dd>{consent}</dd>
          </div>
        </dl>
      )}
    </div>
  );
}

/** Describes when approval was requested and how long the answer took. */
function consentOf({ action, question, observation }: Step, events: readonly Event[]): string | undefined {
  const asked =
    events.find((event) => event.type === 'confirmation_requested' && event.actionIds.includes(action.id)) ?? question;
  if (!asked) return undefined;
  const answered = question
    ? observation
    : events.find((event) => event.type === 'confirmation_resolved' && event.actionIds.includes(action.id));
  return answered
    ? say('asked.answered', { asked: time(asked.at), n: duration(Math.max(0, answered.at - asked.at)) })
    : say('asked.open', { asked: time(asked.at) });
}

/** Other programs do not assess risk, so none is shown. */
const withoutUnknownRisk = (step: Step): Step =>
  step.action.risk.level === 'unknown' && step.action.risk.reasons.length === 0
    ? { ...step, action: { ...step.action, risk: { level: 'low', reasons: [] } } }
    : step;

import { Icon } from '../parts/Icon';
import { post } from '../base/host';
import { events, facts } from '../state/store';
import { text } from '../base/text';

/** After an answer in plan mode: has it carried out, and says in which mode that will be. */
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

import type { RowOf } from '../state/rows';
import { isOpen, liveChildren, liveOutput, isRunning, setOpen } from '../state/store';
import { delegationOf } from '../state/children';
import { Card } from '../parts/Card';
import { ChildrenView } from '../steps/ChildrenView';
import { Icon } from '../parts/Icon';
import { StepBody } from '../steps/StepBody';
import { StepLine } from '../steps/StepLine';
import { lineOf } from '../steps/stepWords';
import { text, counted } from '../base/text';
import { useLayoutEffect, useRef, useEffect } from 'preact/hooks';
import { post, usePost } from '../base/host';
import type { LiveOutput } from '../state/state';
import type { EventOf } from '../../src/protocol/events/event';
import { CallView } from '../calls/CallView';
import { details, callKey } from '../state/calls';
import { callText } from '../base/callWords';
import { ForkButton, RestoreButton } from '../parts/StepButtons';

/** One action: a line that expands in place. A running command shows its last lines. */
export function StepCard({ row }: { row: RowOf<'step'> }) {
  const { step } = row;
  const open = isOpen(row.key);
  const line = lineOf(step, { running: isRunning.value });
  const live = step.observation ? undefined : liveOutput.value.get(step.action.id);
  return (
    <Card row={row} class="step" label={[line.verb, line.target, line.meta].filter(Boolean).join(' ')}>
      <StepLine line={line} open={open} onToggle={() => setOpen(row.key, !open)} />
      {live && <LiveOutputBox live={live} open={open} shell={!step.action.from} />}
      {(step.action.effect === 'delegates' || step.children) && (
        <ChildrenView delegation={delegationOf(step, liveChildren.value, { running: isRunning.value })} />
      )}
      <RanAlthough step={step} />
      {open && <StepBody step={step} />}
      {open && (
        <div class="nested">
          <CallInside reply={step.reply} rowKey={row.key} />
        </div>
      )}
      {!open && step.observation && step.observation.outcome === 'rejected' && step.decision?.comment && (
        <div class="step-note dim">
          <Icon name="comment" /> {step.decision.comment}
        </div>
      )}
    </Card>
  );
}

const ranOutcomes: ReadonlySet<string> = new Set(['ok', 'error', 'timeout', 'interrupted']);

/** Warning about an action of medium risk that ran without approval. */
function RanAlthough({ step: { action, observation, decision } }: Pick<RowOf<'step'>, 'step'>) {
  const isWarned = action.risk.level === 'medium' && observation !== undefined && ranOutcomes.has(observation.outcome);
  if (!isWarned || decision?.by === 'person') return null;
  const { details } = observation;
  // The row of a move says as much.
  const reason =
    details?.kind === 'edit' && details.changes.some(({ from }) => from !== undefined)
      ? action.risk.reasons.find((each) => !each.startsWith('Moves '))
      : action.risk.reasons[0];
  if (reason === undefined) return null;
  const isCommand = details?.kind === 'command';
  return (
    <div class="step-note warning" data-testid="ran-medium">
      <Icon name="warning" /> {text(isCommand ? 'step.ranMedium' : 'step.medium', { reason })}
    </div>
  );
}

const linesWhenClosed = 8;

/**
 * Output of a running action: the last lines, or all available output if the step is expanded. `shell`: it runs in the
 * terminal.
 */
function LiveOutputBox({ live, open, shell }: { live: LiveOutput; open: boolean; shell: boolean }) {
  const box = useRef<HTMLPreElement>(null);
  const lines = live.text.replace(/\n$/, '').split('\n');
  const shown = open ? lines : lines.slice(-linesWhenClosed);
  const above = live.linesDropped + lines.length - shown.length;
  useLayoutEffect(() => {
    if (box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [live]);
  return (
    <div class="live">
      {(shell || above > 0) && (
        <div class="live-bar">
          <span>{above > 0 && (open ? counted('step.dropped', above) : counted('step.above', above))}</span>
          {shell && (
            <button type="button" class="link" onClick={() => post({ type: 'show_terminal' })}>
              {text('step.terminal')}
            </button>
          )}
        </div>
      )}
      <pre ref={box} class="output" tabIndex={open ? 0 : -1}>
        {live.cut && shown.length === lines.length && <span class="dim">{`${text('step.cut')}\n`}</span>}
        {shown.join('\n')}
      </pre>
    </div>
  );
}

/** The model call behind a step: its usage, the request and the raw answer, as in the inspector. */
function CallInside({ reply, rowKey }: { reply: EventOf<'agent_response'>; rowKey: string }) {
  const post = usePost();
  const key = `${rowKey}/call`;
  const open = isOpen(key);
  const known = details.value.get(callKey(0, reply.seq));
  useEffect(() => {
    if (open && !known) post({ type: 'details', seq: reply.seq });
  }, [open, known]);
  return (
    <div class="call-inside">
      <div class="spread">
        <button
          type="button"
          class="step-row"
          data-testid="call"
          aria-expanded={open}
          onClick={() => setOpen(key, !open)}
        >
          <Icon name={open ? 'chevron-down' : 'chevron-right'} class="chevron" />
          <span class="verb dim">{callText('call.title')}</span>
        </button>
        <ForkButton seq={reply.seq} />
        <RestoreButton seq={reply.seq} />
        {open && (
          <button
            type="button"
            class="link"
            data-testid="inspect"
            onClick={() => post({ type: 'inspect', seq: reply.seq })}
          >
            {callText('call.inspect')}
          </button>
        )}
      </div>
      {open && (
        <div class="step-body">
          {known ? (
            <CallView run={0} reply={reply} stepDetails={known} />
          ) : (
            <p class="dim" role="status">
              {callText('call.loading')}
            </p>
          )}
        </div>
      )}
    </div>
  );
}

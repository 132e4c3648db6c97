import { useEffect } from 'preact/hooks';
import type { EventOf } from '../../src/protocol/events/event';
import { CallView } from '../calls/CallView';
import { details, callKey } from '../state/calls';
import { callText } from '../base/callWords';
import { usePost } from '../base/posting';
import { isOpen, setOpen } from '../state/store';
import { ForkButton, RestoreButton } from '../parts/StepButtons';
import { Icon } from '../parts/Icon';

/** The model call behind a step: its usage, the request and the raw answer, as in the inspector. */
export function CallInside({ reply, rowKey }: { reply: EventOf<'agent_response'>; rowKey: string }) {
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

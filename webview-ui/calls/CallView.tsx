import { useState } from 'preact/hooks';
import type { EventOf } from '../../src/protocol/events/event';
import type { StepDetails } from '../../src/protocol/inspector/inspector';
import { Icon } from '../parts/Icon';
import { LongText } from '../parts/LongText';
import { formatDuration, formatMoney } from '../base/format';
import { counted, text } from '../base/text';
import { callText, endOfReply } from '../base/callWords';
import { RequestView } from './RequestView';

/** One model call: its usage, the request, and the raw answer. */
export function CallView({
  run,
  reply,
  stepDetails,
  foreign = false,
}: {
  run: number;
  reply: EventOf<'agent_response'>;
  stepDetails: StepDetails;
  /** True if another program called the model. */ foreign?: boolean;
}) {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const toggle = (part: string) => (): void => {
    const next = new Set(open);
    if (!next.delete(part)) next.add(part);
    setOpen(next);
  };
  return (
    <div class="call">
      <CallFacts reply={reply} details={stepDetails} />
      {stepDetails.asked && (
        <Part
          name="request"
          help={callText(foreign ? 'call.request.foreign' : 'call.request.help')}
          open={open.has('request')}
          onToggle={toggle('request')}
        >
          <RequestView run={run} seq={reply.seq} />
        </Part>
      )}
      {stepDetails.response !== undefined && (
        <Part
          name="response"
          help={callText('call.response.help')}
          open={open.has('response')}
          onToggle={toggle('response')}
        >
          <LongText
            label={callText('call.response')}
            lines={stepDetails.response.split('\n').length}
            more={(n) => counted('approval.below', n)}
          >
            <pre class="exact">{stepDetails.response}</pre>
          </LongText>
        </Part>
      )}
    </div>
  );
}

function Part({
  name,
  help,
  open,
  onToggle,
  children,
}: {
  name: 'request' | 'response';
  help: string;
  open: boolean;
  onToggle: () => void;
  children: preact.ComponentChildren;
}) {
  return (
    <div class="part-of-call">
      <button
        type="button"
        class="step-row"
        data-testid={`call-${name}`}
        aria-expanded={open}
        title={help}
        onClick={onToggle}
      >
        <Icon name={open ? 'chevron-down' : 'chevron-right'} class="chevron" />
        <span class="verb">{callText(`call.${name}`)}</span>
        <span class="target">{help}</span>
      </button>
      {open && <div class="step-body">{children}</div>}
    </div>
  );
}

function CallFacts({ reply, details: stepDetails }: { reply: EventOf<'agent_response'>; details: StepDetails }) {
  const { usage, model, finishReason, durationMs, firstTokenMs, sampling, by, at } = reply;
  const actionMs = stepDetails.events.reduce(
    (sum, event) => (event.type === 'observation' ? sum + (event.durationMs ?? 0) : sum),
    0,
  );
  const exact = (n: number | null): string => (n === null ? text('unknown') : n.toLocaleString());
  const judging = sampling?.verifierUsage?.cost;
  const end = endOfReply(finishReason);
  // Some files of other programs contain no timestamps.
  const when = at > 0 && new Date(at).toLocaleString();
  const { inputTokens, outputTokens, cachedTokens } = usage;
  if (by === 'person') return <p class="dim">{[callText('call.person'), when].filter(Boolean).join(' · ')}</p>;
  return (
    <dl class="facts call-facts">
      {(model || end) && (
        <div>
          <dt>{callText('call.model')}</dt>
          <dd>{[model, end].filter(Boolean).join(' · ')}</dd>
        </div>
      )}
      {(when || durationMs > 0) && (
        <div>
          <dt>{callText('call.time')}</dt>
          <dd>
            {[
              durationMs > 0 && formatDuration(durationMs),
              firstTokenMs !== null && callText('call.firstToken', { n: formatDuration(firstTokenMs) }),
              actionMs >= 50 && callText('call.actions', { n: formatDuration(actionMs) }),
              when,
            ]
              .filter(Boolean)
              .join(' · ')}
          </dd>
        </div>
      )}
      {(inputTokens !== null || outputTokens !== null) && (
        <div>
          <dt>{callText('call.tokens')}</dt>
          <dd>
            {callText(cachedTokens === null ? 'call.tokens.uncached' : 'call.tokens.words', {
              in: exact(inputTokens),
              cached: exact(cachedTokens),
              out: exact(outputTokens),
            })}
          </dd>
        </div>
      )}
      {usage.cost !== null && (
        <div>
          <dt>{callText('call.cost')}</dt>
          <dd>
            {`$${usage.cost.toFixed(4)}`}
            {judging ? ` · ${callText('call.judging', { n: formatMoney(judging) })}` : ''}
          </dd>
        </div>
      )}
    </dl>
  );
}

import { useEffect, useState } from 'preact/hooks';
import type { MessageLine, RequestOutline } from '../../src/protocol/inspector/inspector';
import { Hunks } from '../parts/DiffView';
import { Icon } from '../parts/Icon';
import { LongText } from '../parts/LongText';
import { counted } from '../base/text';
import { usePost } from '../base/host';
import { callKey, messageKey, messages, requests } from '../state/calls';
import { callCounted, callText, contextWords } from '../base/callWords';

/** The exact request of a step, as a diff to the previous one. */
export function RequestView({ run, seq }: { run: number; seq: number }) {
  const post = usePost();
  const request = requests.value.get(callKey(run, seq));
  useEffect(() => {
    if (!request) post({ type: 'request', run, seq });
  }, [request]);
  if (!request)
    return (
      <p class="dim" role="status">
        {callText('call.loading')}
      </p>
    );
  return (
    <div class="request" data-testid="request">
      <p>
        {[
          callCounted('call.messages', request.total),
          callCounted('call.tools', request.tools.length),
          callText('call.characters', { n: request.characters.toLocaleString() }),
          contextWords(request.fill),
        ].join(' · ')}
      </p>
      <Against request={request} />
      {request.tools.some(({ known }) => !known) && (
        <p class="dim">
          {callText('call.unknownTools', {
            names: request.tools
              .filter(({ known }) => !known)
              .map(({ name }) => name)
              .join(', '),
          })}
        </p>
      )}
      <Messages run={run} seq={seq} request={request} />
      {request.previous && request.previous.dropped.length > 0 && (
        <details>
          <summary class="name">
            {callCounted('call.dropped', request.previous.dropped.length, { step: request.previous.number })}
          </summary>
          <ul class="plain-lines">
            {request.previous.dropped.map(({ index, role, line }) => (
              <li key={index}>
                <span class="dim">
                  {index + 1} {role}
                </span>{' '}
                {line || callText('call.empty')}
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

/** Shows whether the request has the same prefix as the previous one, which provider caches depend on. */
function Against({ request: { previous, toolsChanged } }: { request: RequestOutline }) {
  if (!previous) return <p class="dim">{callText('call.first')}</p>;
  const values = {
    step: previous.number,
    n: previous.same + 1,
    percent: previous.characters > 0 ? Math.floor((100 * previous.sameCharacters) / previous.characters) : 0,
  };
  if (toolsChanged)
    return (
      <p class="warn-text" data-testid="cache-break">
        <Icon name="warning" /> {callText('call.breaks.tools', values)}
      </p>
    );
  if (previous.sameCharacters < previous.characters && values.percent < 99)
    return (
      <p class="warn-text" data-testid="cache-break">
        <Icon name="warning" /> {callText('call.breaks', values)}
      </p>
    );
  return (
    <p class="dim" data-testid="continues">
      {callText('call.extends', { step: previous.number, n: previous.same })}
    </p>
  );
}

function Messages({ run, seq, request }: { run: number; seq: number; request: RequestOutline }) {
  const post = usePost();
  const known = request.messages;
  const from = known[0]?.index ?? 0;
  const end = (known.at(-1)?.index ?? -1) + 1;
  const more = (start: number) => (): void => post({ type: 'request', run, seq, from: start });
  return (
    <ol class="messages">
      {from > 0 && (
        <li>
          <button type="button" class="link" data-testid="same-messages" onClick={more(Math.max(0, from - 60))}>
            {request.previous
              ? callCounted('call.same', from, { step: request.previous.number })
              : callCounted('call.more', from)}{' '}
            · {callText('call.earlier')}
          </button>
        </li>
      )}
      {known.map((line) => (
        <Message key={line.index} run={run} seq={seq} line={line} />
      ))}
      {end < request.total && (
        <li>
          <button type="button" class="link" onClick={more(end)}>
            {callCounted('call.more', request.total - end)} · {callText('call.earlier')}
          </button>
        </li>
      )}
    </ol>
  );
}

function Message({ run, seq, line }: { run: number; seq: number; line: MessageLine }) {
  const post = usePost();
  const [open, setOpen] = useState(false);
  const whole = open ? messages.value.get(messageKey(run, seq, line.index)) : undefined;
  const toggle = (): void => {
    setOpen(!open);
    if (!open && !messages.peek().has(messageKey(run, seq, line.index)))
      post({ type: 'message', run, seq, index: line.index });
  };
  return (
    <li class="message-line">
      <button type="button" class="step-row" data-testid="request-message" aria-expanded={open} onClick={toggle}>
        <Icon name={open ? 'chevron-down' : 'chevron-right'} class="chevron" />
        <span class="message-number">{line.index + 1}</span>
        <span class="verb">{line.role}</span>
        <span class={`state ${line.state}`}>{callText(`call.state.${line.state}`)}</span>
        <span class="target">{line.line || callText('call.empty')}</span>
        <span class="meta" title={callText('call.characters', { n: line.characters.toLocaleString() })}>
          {line.characters.toLocaleString()}
        </span>
      </button>
      {whole && (
        <div class="step-body">
          {whole.hunks && whole.hunks.length > 0 && (
            <>
              <div class="name">{callText('call.changed')}</div>
              <LongText
                label={callText('call.changed')}
                lines={whole.hunks.reduce((sum, { lines }) => sum + lines.length, 0)}
                more={(n) => counted('approval.below', n)}
              >
                <Hunks hunks={whole.hunks} />
              </LongText>
              <div class="name">{callText('call.whole')}</div>
            </>
          )}
          <LongText
            label={callText('call.whole')}
            lines={whole.text.split('\n').length}
            more={(n) => counted('approval.below', n)}
          >
            <pre class="exact">{whole.text || callText('call.empty')}</pre>
          </LongText>
        </div>
      )}
    </li>
  );
}

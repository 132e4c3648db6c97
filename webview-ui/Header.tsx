import { useRef, useState } from 'preact/hooks';
import { Icon, Spinner } from './cards/Icon';
import { money, tokens } from './format';
import { post } from './host';
import { canResume, statusWords } from './status';
import { escArmed, facts, stop, stopping } from './store';
import { counted, text } from './text';

const modes = ['always', 'risky', 'never'] as const;

export function Header() {
  const known = facts.value;
  if (!known) return null;
  const status = statusWords();
  const { model, spent, contextTokens } = known;
  const window = model?.contextWindow;
  const percent = contextTokens !== null && window ? Math.min(100, Math.round(contextTokens / window * 100)) : undefined;
  const values = { in: tokens(spent.inputTokens), out: tokens(spent.outputTokens), cached: tokens(spent.cachedTokens), cost: money(spent.cost), steps: spent.steps };
  return (
    <header class="header" aria-label={text('header.region')}>
      <div class="header-line">
        <Title key={known.sessionId} />
        {known.running
          ? <button type="button" class="secondary small" id="stop" data-testid="stop" title={text('header.stopHelp')} aria-disabled={stopping.value} onClick={() => { if (!stopping.value) stop(); }}><Icon name="debug-stop" />{text('header.stop')}</button>
          : canResume() && <button type="button" class="primary small" data-testid="resume" onClick={() => post({ type: 'resume' })}><Icon name="debug-continue" />{text('header.resume')}</button>}
      </div>
      <div class="header-line">
        <span class={`status ${status.tone}`} data-testid="status" data-status={known.status}>{status.tone === 'busy' ? <Spinner /> : <Icon name={status.icon} />}<span>{escArmed.value ? text('status.escAgain') : status.words}</span></span>
        {model && <select class={known.confirmation === 'never' ? 'mode never' : 'mode'} data-testid="confirmation" aria-label={text('header.mode')} title={text('header.mode')} value={known.confirmation} disabled={!known.writable} onChange={event => post({ type: 'set_confirmation', mode: event.currentTarget.value as typeof modes[number] })}>
          {modes.map(mode => <option key={mode} value={mode}>{text(`header.mode.${mode}`)}</option>)}
        </select>}
      </div>
      {model && (
        <div class="header-line usage">
          <span class="model" title={text('header.model', { name: model.name, provider: model.provider })}><span>{model.name}</span>{model.scripted && <span class="tag" title={text('header.scriptedHelp')}>{text('header.scripted')}</span>}</span>
          {spent.steps > 0 && <span>{counted('header.steps', spent.steps)}</span>}
          {window && percent !== undefined && (
            <span class="context" data-testid="context-meter" title={text('header.contextHelp', { used: tokens(contextTokens), window: tokens(window) })}>
              <progress max={100} value={percent} aria-label={text('header.context')} class={percent >= 80 ? 'full' : ''} /><span>{text('header.contextOf', { percent, window: tokens(window) })}</span>
            </span>
          )}
          {spent.steps > 0 && <span title={text('header.tokensHelp', values)}>{text('header.tokens', values)}</span>}
          {spent.steps > 0 && <span>{text('header.cost', values)}</span>}
        </div>
      )}
    </header>
  );
}

function Title() {
  const { title = '', writable = false, sessionId } = facts.value ?? {};
  const [editing, setEditing] = useState(false);
  const cancelled = useRef(false);
  const shown = title || text('header.untitled');
  if (!editing) {
    return <h1 class="title">{writable && sessionId !== undefined ? <button type="button" class="title-button" data-testid="title" title={`${shown}\n${text('header.rename')}`} onClick={() => setEditing(true)}>{shown}</button> : <span title={shown}>{shown}</span>}</h1>;
  }
  const done = (value: string): void => {
    setEditing(false);
    if (!cancelled.current && value.trim() && value.trim() !== title) post({ type: 'rename', title: value.trim().slice(0, 500) });
    cancelled.current = false;
  };
  return <input class="title-input" data-testid="title-input" aria-label={text('header.title')} defaultValue={title} maxLength={500} ref={element => element?.focus()} onBlur={event => done(event.currentTarget.value)}
    onKeyDown={event => { if (event.isComposing) return; if (event.key === 'Escape') { event.stopPropagation(); cancelled.current = true; event.currentTarget.blur(); } if (event.key === 'Enter') event.currentTarget.blur(); }} />;
}

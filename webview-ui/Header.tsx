import { signal } from '@preact/signals';
import type { PanelFacts } from '../src/protocol/panel';
import { Icon, Spinner } from './cards/Icon';
import { tokens } from './format';
import { post } from './host';
import { canResume, canStop, statusWords, wasInterrupted } from './status';
import { escArmed, facts, stop, stopping } from './store';
import { text } from './text';
import { Title } from './Title';
import { shortUsage, usageTable } from './usage';

const modes = ['always', 'risky', 'never'] as const;
const usageShown = signal(false);

/** Two lines: what this is and where it stands; with what model, how careful, how much. */
export function Header() {
  const known = facts.value;
  if (!known) return null;
  const status = statusWords();
  return (
    <header class="header" aria-label={text('header.region')}>
      <div class="header-line">
        <Title key={known.sessionId} />
        <span class={`status ${status.tone}`} data-testid="status" data-status={known.status}>{status.tone === 'busy' ? <Spinner /> : <Icon name={status.icon} />}<span>{escArmed.value ? text('status.escAgain') : status.words}</span></span>
        {canStop()
          ? <button type="button" class="icon-button codicon codicon-stop-circle" id="stop" data-testid="stop" title={text('header.stopHelp')} aria-label={text('header.stop')} aria-disabled={stopping.value} onClick={() => { if (!stopping.value) stop(); }} />
          : canResume() && !wasInterrupted() && <button type="button" class="primary small" data-testid="resume" onClick={() => post({ type: 'resume' })}>{text('header.resume')}</button>}
      </div>
      {known.model && <SecondLine known={known} model={known.model} />}
    </header>
  );
}

function SecondLine({ known, model }: { known: PanelFacts; model: NonNullable<PanelFacts['model']> }) {
  const { spent, contextTokens } = known;
  const window = model.contextWindow;
  const percent = contextTokens !== null && window ? Math.min(100, Math.round(contextTokens / window * 100)) : undefined;
  const short = shortUsage(spent, model.scripted);
  const modelWords = text('header.model', { name: model.name, provider: model.provider });
  const rows: [string, string][] = [
    [text('usage.model'), model.scripted ? model.name : `${model.name}, ${model.provider}`], ...usageTable(spent, model.scripted),
    ...(window && percent !== undefined ? [[text('usage.context'), text('usage.contextOf', { used: tokens(contextTokens), window: tokens(window), percent })] as [string, string]] : []),
  ];
  const spoken = rows.map(row => row.join(': ')).join('\n');
  return (
    <>
      <div class="header-line second">
        <span class="model" data-testid="model" title={model.scripted ? `${modelWords}\n${text('header.scriptedHelp')}` : modelWords}>{model.scripted && !model.name.includes('scripted') ? text('header.scripted', { name: model.name }) : model.name}</span>
        <span class="mode-box">
          <select class={known.confirmation === 'never' ? 'mode never' : 'mode'} data-testid="confirmation" aria-label={text('header.mode')} title={text('header.mode')} value={known.confirmation} disabled={!known.writable} onChange={event => post({ type: 'set_confirmation', mode: event.currentTarget.value as typeof modes[number] })}>
            {modes.map(mode => <option key={mode} value={mode}>{text(`header.mode.${mode}`)}</option>)}
          </select>
          <Icon name="chevron-down" />
        </span>
        {short && (
          <button type="button" class="usage" data-testid="usage" title={`${short}\n${spoken}`} aria-label={`${text('usage.label')}: ${short}`} aria-expanded={usageShown.value} onClick={() => { usageShown.value = !usageShown.value; }}>
            {percent !== undefined && <progress max={100} value={percent} aria-label={text('header.context')} data-testid="context-meter" class={percent >= 80 ? 'full' : ''} />}
            <span>{short}</span>
          </button>
        )}
      </div>
      {short && usageShown.value && <dl class="facts usage-table" data-testid="usage-table">{rows.map(([name, value]) => <div key={name}><dt>{name}</dt><dd>{value}</dd></div>)}</dl>}
    </>
  );
}

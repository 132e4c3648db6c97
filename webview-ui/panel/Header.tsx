import { signal } from '@preact/signals';
import type { PanelFacts } from '../../src/protocol/panel/panel';
import type { ContextFill, FillPart } from '../../src/protocol/events/figures';
import { Icon, Spinner } from '../parts/Icon';
import { formatTokens } from '../base/format';
import { post } from '../base/host';
import { RunButtons } from '../parts/RunButtons';
import { statusWords } from '../state/status';
import { escArmed, events, facts } from '../state/store';
import { text, type TextKey } from '../base/text';
import { Title } from './Title';
import { shortUsage, shortUsageParts, usageTable } from '../base/usage';
import type { ConfirmationMode, Mode } from '../../src/protocol/events/event';

const usageShown = signal(false);

/** Two lines: title and status; model, mode and usage. */
export function Header() {
  const known = facts.value;
  if (!known) return null;
  const status = statusWords();
  return (
    <header class="header" aria-label={text('header.region')}>
      <div class="header-line">
        <Title key={known.sessionId} />
        <span
          class={`status ${escArmed.value ? 'armed' : ''} ${status.tone}`}
          data-testid="status"
          data-status={known.status}
        >
          {status.tone === 'busy' ? <Spinner /> : <Icon name={status.icon} />}
          <span>{escArmed.value ? text('status.escAgain') : status.words}</span>
        </span>
        <RunButtons />
      </div>
      {known.model && <SecondLine known={known} model={known.model} />}
    </header>
  );
}

function SecondLine({ known: panelFacts, model }: { known: PanelFacts; model: NonNullable<PanelFacts['model']> }) {
  const { spent, profile } = panelFacts;
  const context = model.scripted ? null : panelFacts.context;
  const window = model.contextWindow;
  const percent = context ? percentOf(context, window) : undefined;
  const short = shortUsage(spent, { scripted: model.scripted });
  const [read, cost] = shortUsageParts(spent, { scripted: model.scripted });
  const rows: [string, string][] = [
    [text('usage.model'), model.scripted ? model.name : `${model.name}, ${model.provider}`],
    ...(profile === 'waymark' ? [] : [[text('header.profile'), profile] as [string, string]]),
    ...usageTable(spent, { scripted: model.scripted }),
    ...(context
      ? [
          [
            text('usage.context'),
            percent === undefined
              ? formatTokens(context.tokens)
              : text('usage.contextOf', { used: formatTokens(context.tokens), window: formatTokens(window), percent }),
          ] as [string, string],
        ]
      : []),
  ];
  const spoken = rows.map((row) => row.join(': ')).join('\n');
  const name =
    model.scripted && !model.name.includes('scripted') ? text('header.scripted', { name: model.name }) : model.name;
  const shown = profile === 'waymark' ? name : `${name} · ${profile}`;
  const modelWords = text('header.model', { name: shown, provider: model.provider });
  const help = [modelWords, ...(model.scripted ? [text('header.scriptedHelp')] : []), text('header.chooseModel')].join(
    '\n',
  );
  return (
    <>
      <div class="header-line second">
        <button
          type="button"
          class="model"
          data-testid="model"
          title={help}
          aria-label={`${modelWords}. ${text('header.chooseModel')}`}
          onClick={() => post({ type: 'command', id: 'waymark.chooseModel' })}
        >
          <span>{shown}</span>
          <Icon name="chevron-down" />
        </button>
        <ModeSelect />
        {panelFacts.sandbox && <SandboxMark sandbox={panelFacts.sandbox} />}
        {short && (
          <button
            type="button"
            class="usage"
            data-testid="usage"
            title={`${short}\n${spoken}`}
            aria-label={`${text('usage.label')}: ${short}`}
            aria-expanded={usageShown.value}
            onClick={() => {
              usageShown.value = !usageShown.value;
            }}
          >
            {context && window && <ContextBar fill={context} window={window} />}
            <span>
              {cost ? <span class="read">{`${read} · `}</span> : read}
              {cost && <span class="cost">{cost}</span>}
            </span>
          </button>
        )}
      </div>
      {short && usageShown.value && (
        <div class="usage-details">
          <dl class="facts usage-table" data-testid="usage-table">
            {rows.map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
          {context && <ContextDetails context={context} window={window} writable={panelFacts.writable} />}
        </div>
      )}
    </>
  );
}

/** Shows whether commands run in a sandbox; a click explains why and what can be done. */
function SandboxMark({ sandbox: { on, words } }: { sandbox: NonNullable<PanelFacts['sandbox']> }) {
  return (
    <button
      type="button"
      class={`icon-button sandbox codicon codicon-${on ? 'shield' : 'unlock'} ${on ? '' : 'off'}`}
      data-testid="sandbox"
      title={words}
      aria-label={words}
      onClick={() => post({ type: 'command', id: 'waymark.showSandbox' })}
    />
  );
}

function ContextDetails({
  context,
  window,
  writable,
}: {
  context: ContextFill;
  window: number | null;
  writable: boolean;
}) {
  const waits =
    events.value.findLast((event) => event.type === 'condensation_requested' || event.type === 'condensation')?.type ===
    'condensation_requested';
  return (
    <>
      <ContextBar fill={context} window={window} class="wide" />
      <dl class="facts usage-table parts" data-testid="context-table">
        <ContextRows fill={context} />
      </dl>
      {!context.measured && <p class="dim">{text('usage.estimated')}</p>}
      {writable && (
        <button
          type="button"
          class="secondary small"
          data-testid="condense"
          aria-disabled={waits}
          onClick={() => {
            if (!waits) post({ type: 'condense' });
          }}
        >
          <Icon name="fold" />
          {text(waits ? 'usage.condensing' : 'usage.condense')}
        </button>
      )}
    </>
  );
}

/** Modes and confirmation levels, combined in one list. */
type ModeChoice = 'risky' | 'always' | 'auto' | 'plan' | 'human';

/** Never asking counts as mode `auto`, whichever setting caused it. */
function modeChoiceOf(mode: Mode, confirmation: ConfirmationMode): ModeChoice {
  if (mode !== 'confirm') return mode;
  return confirmation === 'never' ? 'auto' : confirmation;
}

const modeWords = (choice: ModeChoice): string => text(`header.mode.${choice}` satisfies TextKey);

const modeOption = (choice: ModeChoice) => (
  <option key={choice} value={choice}>
    {modeWords(choice)}
  </option>
);

function ModeSelect() {
  const { mode, confirmation, writable } = facts.value!;
  const chosen = modeChoiceOf(mode, confirmation);
  const choose = (choice: ModeChoice): void =>
    post(
      choice === 'risky' || choice === 'always'
        ? { type: 'set_mode', mode: 'confirm', confirmation: choice }
        : { type: 'set_mode', mode: choice },
    );
  return (
    <span class="mode-box">
      <select
        class={`mode ${chosen}`}
        data-testid="mode"
        aria-label={text('header.mode')}
        title={`${text('header.mode')}: ${modeWords(chosen)}`}
        value={chosen}
        disabled={!writable}
        onChange={({ currentTarget: list }) => {
          choose(list.value as ModeChoice);
          // The mode changes with the facts. Until then, a question about Auto may be open.
          list.value = chosen;
        }}
      >
        <optgroup label={text('header.mode.confirm')}>{(['risky', 'always'] as const).map(modeOption)}</optgroup>
        {(['auto', 'plan', 'human'] as const).map(modeOption)}
      </select>
      <Icon name="chevron-down" />
    </span>
  );
}

const order: readonly FillPart[] = ['system', 'tools', 'summaries', 'messages', 'replies', 'reasoning', 'results'];

/** Returns the used share of the context window in whole percent, or undefined if its size is unknown. */
const percentOf = ({ tokens: used }: ContextFill, window: number | null): number | undefined =>
  window ? Math.min(100, Math.round((used / window) * 100)) : undefined;

const shownParts = (fill: ContextFill): readonly FillPart[] => order.filter((part) => fill.parts[part] > 0);

/**
 * Bar of the context window with one color per part, and an equivalent table. If the size is unknown, shows the parts
 * of the used context.
 */
function ContextBar({ fill, window, class: more = '' }: { fill: ContextFill; window: number | null; class?: string }) {
  const percent = percentOf(fill, window);
  const whole = Math.max(window ?? 0, fill.tokens, 1);
  return (
    <span
      class={`fill-bar ${more} ${percent !== undefined && percent >= 80 ? 'full' : ''}`}
      data-testid="context-meter"
      role="img"
      aria-label={percent === undefined ? text('usage.context') : text('usage.meter', { percent })}
    >
      {shownParts(fill).map((part) => (
        <span key={part} class={`part fill-${part}`} style={{ width: `${(fill.parts[part] / whole) * 100}%` }} />
      ))}
    </span>
  );
}

/** Table equivalent of the bar: one row per part. */
function ContextRows({ fill }: { fill: ContextFill }) {
  return (
    <>
      {shownParts(fill).map((part) => (
        <div key={part}>
          <dt>
            <span class={`swatch fill-${part}`} />
            {text(`fill.${part}`)}
          </dt>
          <dd>{formatTokens(fill.parts[part])}</dd>
        </div>
      ))}
    </>
  );
}

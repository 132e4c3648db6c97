import type { RunFacts } from '../../src/protocol/inspector/inspector';
import { Icon } from '../parts/Icon';
import { Parts } from '../parts/Parts';
import { formatDuration } from '../base/format';
import { post } from '../base/host';
import { longUsage } from '../base/usage';
import { first, grown, hostProblem } from './state/store';
import { say, sayCounted } from './state/words';

/** Facts about the run: how it ended, its usage, and unreadable parts of its file. */
export function Header() {
  const run = first.value;
  if (!run) return null;
  const { facts } = run;
  return (
    <header class="run-head">
      <div class="run-title">
        <h1 title={facts.path}>{facts.title || facts.name}</h1>
        <End facts={facts} />
        {facts.place && facts.place.count > 1 && (
          <span class="dim place">{say('run.place', { n: facts.place.position, count: facts.place.count })}</span>
        )}
      </div>
      <p class="dim run-facts">
        <Parts words={factsLine(facts)} />
      </p>
      {facts.problems.length > 0 && <Problems problems={facts.problems} />}
      {grown.value && (
        <p class="banner" role="status">
          <Icon name="refresh" />
          <span>{say('run.grown')}</span>
          <button type="button" class="link" data-testid="reload" onClick={() => post({ type: 'reload' })}>
            {say('run.reload')}
          </button>
        </p>
      )}
      {hostProblem.value !== undefined && (
        <p class="banner warning" role="alert" data-testid="problem">
          <Icon name="warning" />
          <span>{hostProblem.value}</span>
          <button
            type="button"
            class="icon-button codicon codicon-close"
            aria-label={say('run.dismiss')}
            onClick={() => {
              hostProblem.value = undefined;
            }}
          />
        </p>
      )}
    </header>
  );
}

export function factsLine({ format, model, profile, spent, durationMs, events }: RunFacts): string {
  return [
    format,
    model,
    profile && say('run.profile', { name: profile }),
    longUsage(spent, { scripted: false }),
    durationMs > 0 && formatDuration(durationMs),
    say('run.events', { n: events.toLocaleString() }),
  ]
    .filter(Boolean)
    .join(' · ');
}

const ends = {
  submitted: ['pass', 'good'],
  limit_exceeded: ['warning', 'warn-text'],
  failed: ['error', 'bad-text'],
  stopped: ['debug-stop', 'dim'],
} as const;

export function End({ facts: { end } }: { facts: RunFacts }) {
  if (!end)
    return (
      <span class="end dim">
        <Icon name="circle-large-outline" />
        {say('end.open')}
      </span>
    );
  const [icon, tone] = ends[end.status];
  return (
    <span class={`end ${tone}`} title={end.summary}>
      <Icon name={icon} />
      {say(`end.${end.status}`)}
    </span>
  );
}

function Problems({ problems }: { problems: readonly string[] }) {
  return (
    <details class="banner warning problems" data-testid="problems" open={problems.length === 1}>
      <summary>
        <Icon name="warning" /> {sayCounted('run.problems', problems.length)}
      </summary>
      <ul class="reasons">
        {problems.map((words, index) => (
          <li key={index}>{words}</li>
        ))}
      </ul>
    </details>
  );
}

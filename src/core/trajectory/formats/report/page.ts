import type { AgentResult, EventOf } from '../../../../protocol/events/event';
import { systemPromptOf } from '../../../../protocol/plain/systemPrompt';
import { statusOf } from '../../../log/history';
import type { History } from '../../../log/projection';
import { spentBy } from '../../../log/spending';
import { turnsOf, type ReplyTurn, type Turn } from '../../turns';
import { endOf, picturesOf, startOf } from '../../writing';
import { actionCard, cut, type Consent } from './actionCard';
import { Markup, markup } from './markup';
import { styles } from './styles';
import { count, day, dollars, duration, many, short } from './words';

interface Entry {
  readonly at: number;
  readonly seq: number;
  readonly html: Markup;
  readonly line?: { readonly number: number; readonly words: string; readonly bad: boolean };
}

const policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";

/**
 * A report of a run as one page that needs nothing but itself: no script, no request. `problems`: what was not as it
 * should be in what the run was read from.
 */
export function page(history: History, version: string, problems: readonly string[] = []): string {
  const started = startOf(history);
  const title = history.findLast((event) => event.type === 'settings_changed' && event.title !== undefined) as
    EventOf<'settings_changed'> | undefined;
  const name = title?.title ?? (started?.title || 'A run');
  const entries = entriesOf(history);
  const lines = entries.flatMap(({ line }) => line ?? []);
  return `<!doctype html>\n${
    markup`<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="referrer" content="no-referrer"><meta name="generator" content="Waymark ${version}"><title>${name}</title>
<style>${new Markup(styles)}</style></head>
<body><a class="skip" href="#steps">Skip to the steps</a><div class="layout">
<header>${brand}<h1>${name}</h1>${warning(problems)}${facts(history)}${tiles(history)}${chart(history)}</header>
<nav aria-label="Steps"><h2>Steps</h2><ol>${lines.map(({ number, words, bad }) => markup`<li><a href="#step-${number}"${bad && markup` class="bad"`}><span>${number}</span><span>${words}</span></a></li>`)}</ol></nav>
<main id="steps"><ol>
${entries.map(({ html }) => html)}</ol></main>
<footer>Written by Waymark ${version}${started && started.at > 0 && ` from a run of ${day(started.at)}`}. What is known to be secret and what looks like a secret is masked. This page loads nothing and runs nothing.</footer>
</div></body></html>
`.text
  }`;
}

const brand = markup`<div class="brand"><svg viewBox="0 0 16 16" aria-hidden="true"><path fill="currentColor" d="M3 2h8l3 3-3 3H3zM6 8h2v6H6z"/></svg>Waymark report</div>`;

function warning(problems: readonly string[]): Markup | undefined {
  if (problems.length === 0) return undefined;
  const left = problems.length - mostProblems;
  return markup`<div class="warning" role="note"><strong>Not all of this is certain</strong><ul>${problems.slice(0, mostProblems).map((words) => markup`<li>${words}</li>`)}${left > 0 && markup`<li>${left} more</li>`}</ul></div>`;
}

const mostProblems = 20;

function facts(history: History): Markup {
  const started = startOf(history);
  const [tone, words] = standing(history);
  return markup`<p class="facts"><span class="pill ${tone}">${words}</span>${started?.model.name && markup`<span>${started.model.name}</span>`}${started?.profile && markup`<span>profile ${started.profile}</span>`}${started?.origin && markup`<span>read from ${started.origin}</span>`}${started && started.at > 0 && markup`<span>${day(started.at)}</span>`}${started?.cwd && markup`<span>${started.cwd}</span>`}</p>`;
}

function standing(history: History): [tone: string, words: string] {
  const end = endOf(history);
  switch (end?.status) {
    case 'submitted':
      return ['good', 'Done'];
    case 'failed':
      return ['bad', 'Failed'];
    case 'limit_exceeded':
      return ['fair', 'Limit reached'];
    case 'stopped':
      return ['fair', 'Stopped'];
    default:
      return statusOf(history) === 'idle' ? ['good', 'Answered'] : ['plain', 'Not ended'];
  }
}

function tiles(history: History): Markup {
  const { usage, steps, uncounted, unpriced, seconds } = spentBy(history);
  const [first, last] = [history[0], history.at(-1)];
  const changes = history.flatMap((event) =>
    event.type === 'observation' && event.details?.kind === 'edit' ? event.details.changes : [],
  );
  const files = new Set(changes.map(({ path }) => path)).size;
  const asked = history.reduce(
    (sum, event) =>
      sum + (event.type === 'confirmation_resolved' && event.by === 'person' ? event.actionIds.length : 0),
    0,
  );
  const tile = (label: string, value: string, more: string | false = false): Markup =>
    markup`<div><dt>${label}</dt><dd>${value}${more && markup`<small>${more}</small>`}</dd></div>`;
  return markup`<dl class="tiles">${tile('Steps', count(steps))}${usage.inputTokens !== null && tile('Tokens', short(usage.inputTokens + (usage.outputTokens ?? 0)), `${short(usage.inputTokens)} in, ${short(usage.outputTokens ?? 0)} out${usage.cachedTokens ? `, ${short(usage.cachedTokens)} cached` : ''}${uncounted > 0 ? `; ${many(uncounted, 'call')} not counted` : ''}`)}${usage.cost !== null && tile('Cost', dollars(usage.cost), unpriced > 0 && `${many(unpriced, 'call')} without a price`)}${seconds > 0 && tile('Work', duration(seconds * 1000), first && last && last.at > first.at && `${duration(last.at - first.at)} in all`)}${files > 0 && tile('Files changed', count(files), `+${count(changes.reduce((sum, { added }) => sum + added, 0))} −${count(changes.reduce((sum, { removed }) => sum + removed, 0))} lines`)}${asked > 0 && tile('Decisions', count(asked), 'by a person')}</dl>`;
}

/** Tokens of each step as bars. */
function chart(history: History): Markup | undefined {
  const used = history
    .filter((event) => event.type === 'agent_response')
    .map(({ usage }) => (usage.inputTokens ?? 0) + (usage.outputTokens ?? 0));
  const most = Math.max(...used.slice(0, 2000), 0);
  if (used.length < 3 || most === 0) return undefined;
  const bars = used
    .slice(0, 2000)
    .map(
      (tokens, index) =>
        `<rect x="${index}" width=".82" y="${(1 - tokens / most).toFixed(3)}" height="${(tokens / most).toFixed(3)}"><title>Step ${index + 1}: ${count(tokens)} tokens</title></rect>`,
    )
    .join('');
  const svg = `<svg viewBox="0 0 ${Math.max(Math.min(used.length, 2000), 40)} 1" preserveAspectRatio="none" fill="currentColor" role="img" aria-label="Tokens of each step, at most ${count(most)}">${bars}</svg>`;
  return new Markup(
    `<figure class="chart">${svg}<figcaption>Tokens of each step, at most ${count(most)}</figcaption></figure>`,
  );
}

function entriesOf(history: History): Entry[] {
  const consents = consentsIn(history);
  let number = 0;
  const began = history[0]?.at ?? 0;
  const entries = turnsOf(history).flatMap(
    (turn) => (turn.kind === 'reply' ? step(turn, ++number, began, consents) : beside(turn)) ?? [],
  );
  const notices = history.flatMap((event) =>
    event.type === 'notice' && event.level === 'warning'
      ? [{ at: event.at, seq: event.seq, html: note('Notice', event.text) }]
      : [],
  );
  return [...entries, ...notices].sort((a, b) => a.seq - b.seq);
}

function consentsIn(history: History): Map<string, Consent> {
  const consents = new Map<string, Consent>();
  for (const event of history)
    if (event.type === 'confirmation_resolved') for (const id of event.actionIds) consents.set(id, event);
  return consents;
}

const note = (title: string, text: string): Markup =>
  markup`<li><span class="mark small" aria-hidden="true"></span><div class="said by-waymark"><div class="meta">${title}</div>${prose(text)}</div></li>\n`;

function step(
  { event, results, hiddenBy }: ReplyTurn,
  number: number,
  began: number,
  consents: ReadonlyMap<string, Consent>,
): Entry {
  const { usage, at, seq, durationMs, model, reasoning, by, sampling } = event;
  const bad = results.some(({ observation }) => observation?.outcome === 'error' || observation?.outcome === 'timeout');
  const meta = [
    by === 'person' ? 'typed by a person' : model,
    at > began && began > 0 && `after ${duration(at - began)}`,
    durationMs > 0 && duration(durationMs),
    usage.inputTokens !== null && `${short(usage.inputTokens)} in, ${short(usage.outputTokens ?? 0)} out`,
    usage.cost !== null && dollars(usage.cost),
    sampling && `one of ${sampling.candidates.length} candidates`,
    hiddenBy && 'left out of what the model reads later',
  ];
  const words =
    results.length > 0
      ? results.map(({ action }) => action.summary).join(' · ')
      : (event.text.trim().split('\n')[0] ?? '');
  const html = markup`<li id="step-${number}"><a class="mark${bad && ' failed'}" href="#step-${number}" aria-label="Step ${number}">${number}</a><div class="meta">${meta.filter(Boolean).map((each) => markup`<span>${each as string}</span>`)}</div>
${reasoning?.text.trim() && markup`<details class="reasoning"><summary>Reasoning</summary><div>${cut(reasoning.text.trim())}</div></details>`}${event.text.trim() && prose(event.text)}
${results.map((result) => actionCard(result, consents.get(result.action.id)))}</li>
`;
  return { at, seq, html, line: { number, words: words || '…', bad } };
}

function beside(turn: Exclude<Turn, ReplyTurn>): Entry | undefined {
  const { at, seq } = turn.event;
  switch (turn.kind) {
    case 'system':
      return systemPromptOf(turn.event).trim() === ''
        ? undefined
        : {
            at,
            seq,
            html: markup`<li><span class="mark small" aria-hidden="true"></span><details class="reasoning"><summary>System prompt</summary><div>${cut(systemPromptOf(turn.event))}</div></details></li>\n`,
          };
    case 'words': {
      const text = turn.event.type === 'task_started' ? turn.event.task : turn.text;
      if (turn.by === 'waymark') return { at, seq, html: note('Waymark to the model', text) };
      return {
        at,
        seq,
        html: markup`<li><span class="mark small" aria-hidden="true"></span><div class="said"><div class="meta">${turn.event.type === 'task_started' ? 'Task' : 'User'}</div>${prose(text)}${pictures(turn)}</div></li>\n`,
      };
    }
    case 'condensation':
      return {
        at,
        seq,
        html: note(`${many(turn.event.forgotten.length, 'earlier event')} condensed`, turn.event.summary),
      };
    case 'end': {
      const { status, problem, summary } = turn.event;
      const tone = status === 'submitted' ? 'good' : status === 'failed' ? 'bad' : 'fair';
      const words = problem ? [problem.what, problem.why, problem.next].filter(Boolean).join(' ') : summary;
      return {
        at,
        seq,
        html: markup`<li><span class="mark small" aria-hidden="true"></span><div class="end ${tone}"><strong>${{ submitted: 'Done', failed: 'Failed', limit_exceeded: 'Limit reached', stopped: 'Stopped' }[status]}</strong>${words.trim() && prose(words)}${resultList(turn.event.results ?? [])}</div></li>\n`,
      };
    }
  }
}

/** What the task did, for people: each action, the files that it changed, and how it ended. */
function resultList(results: readonly AgentResult[]): Markup | undefined {
  if (results.length === 0) return undefined;
  const lines = results.map(({ summary, files, state }) => {
    const words = [summary, ...files.filter((file) => !summary.includes(file)), endWords[state]].join(' · ');
    return markup`<li>${words}</li>`;
  });
  return markup`<ul class="results">${lines}</ul>`;
}

const endWords: Readonly<Record<AgentResult['state'], string>> = {
  ok: 'done',
  error: 'failed',
  timeout: 'timed out',
  rejected: 'refused',
  skipped: 'not run',
  interrupted: 'stopped',
  unknown: 'unknown',
};

/** What was shown to the model beside words. Only pictures of kinds that hold no script. */
const pictures = (turn: Extract<Turn, { kind: 'words' }>): Markup[] =>
  picturesOf(turn).flatMap(({ url }, index) =>
    /^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/=]+$/.test(url)
      ? [markup`<img class="picture" src="${url}" alt="Picture ${index + 1}">`]
      : [],
  );

/** Words, with the code in them set apart. */
function prose(text: string): Markup {
  const parts = cut(text.trim()).split(/^```[^\n]*\n([\s\S]*?)(?:^```[ \t]*$|$(?![\s\S]))/m);
  return markup`<div class="words">${parts.map((part, index) =>
    index % 2 === 1
      ? markup`<pre>${part.replace(/\n$/, '')}</pre>`
      : part.trim() !== '' &&
        markup`<p>${part
          .trim()
          .split(/`([^`\n]+)`/)
          .map((piece, place) => (place % 2 === 1 ? markup`<code>${piece}</code>` : piece))}</p>`,
  )}</div>`;
}

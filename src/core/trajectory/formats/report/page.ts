import type { AgentResult, EventOf, Usage } from '../../../../protocol/events/event';
import { systemPromptOf } from '../../../../protocol/plain/systemPrompt';
import { statusOf } from '../../../log/status';
import type { History } from '../../../log/projection';
import { sessionSpending } from '../../../log/spending';
import { turnsInPieces, type ReplyTurn, type Turn } from '../../turns';
import { finishedEvent, picturesOf, taskStartedIn } from '../../exportParts';
import { actionCard, shortenedContent, type ConsentOnCard } from './actionCard';
import { Diagrams } from './diagram';
import { attributeText, Markup, markup, brand, tile } from './markup';
import { styles } from './styles';
import type { InPieces } from '../../../text/slices';
import { withCommas } from '../../../text/withCommas';
import { counted, durationWords, utcMinute } from '../../../text/amounts';
import { dollars, tokenCount } from '../../../../protocol/plain/amounts';

/** A step in the table of contents. */
interface Line {
  readonly number: number;
  readonly words: string;
  readonly bad: boolean;
}

interface Entry {
  readonly at: number;
  readonly seq: number;
  readonly html: Markup;
  readonly line?: Line;
}

/** Context shared by all entries of a report. */
interface Shared {
  /** Milliseconds since 1970; 0 if unknown. */
  readonly began: number;
  readonly consents: ReadonlyMap<string, ConsentOnCard>;
  readonly diagrams: Diagrams;
}

const policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";

/**
 * Renders the report of a run as one self-contained page, without scripts or requests. `problems` lists what was wrong
 * with the file that the run was read from.
 */
export function* page(history: History, version: string, problems: readonly string[] = []): InPieces<string> {
  const started = taskStartedIn(history);
  const title = history.findLast((event) => event.type === 'settings_changed' && event.title !== undefined) as
    EventOf<'settings_changed'> | undefined;
  const name = title?.title ?? (started?.title || 'A run');
  const turns = yield* turnsInPieces(history);
  const entries = yield* reportEntries(history, turns);
  const lines: Markup[] = [];
  for (const { line } of entries) {
    if (line) lines.push(lineOfContents(line));
    yield;
  }
  const summary = [warning(problems), facts(history), tiles(history), chart(history), changedFiles(turns)];
  const body = markup`<body><a class="skip" href="#steps">Skip to the steps</a><div class="layout">
<header>${brand('Waymark report')}<h1>${name}</h1>${summary}</header>
<nav aria-label="Steps"><h2>Steps</h2><ol>${lines}</ol></nav>
<main id="steps"><ol>
${entries.map(({ html }) => html)}</ol></main>
${footer(version, started?.at ?? 0)}
</div></body>`;
  return `<!doctype html>\n${markup`<html lang="en">${head(name, version)}\n${body}</html>\n`.text}`;
}

function head(name: string, version: string): Markup {
  const meta = [
    markup`<meta charset="utf-8">`,
    markup`<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    markup`<meta name="viewport" content="width=device-width, initial-scale=1">`,
    markup`<meta name="referrer" content="no-referrer">`,
    markup`<meta name="generator" content="Waymark ${version}">`,
  ];
  return markup`<head>${meta}<title>${attributeText(name)}</title>\n<style>${new Markup(styles)}</style></head>`;
}

/** Renders the row of one step in the table of contents. */
function lineOfContents({ number, words, bad }: Line): Markup {
  const isBad = bad && markup` class="bad"`;
  return markup`<li><a href="#step-${number}"${isBad}><span>${number}</span><span>${words}</span></a></li>`;
}

/** `began`: milliseconds since 1970; 0 if unknown. */
function footer(version: string, began: number): Markup {
  const from = began > 0 && ` from a run of ${utcMinute(began)}`;
  const masked = 'Known secrets and text that looks like a secret are masked.';
  return markup`<footer>Written by Waymark ${version}${from}. ${masked} This page loads nothing and runs nothing.</footer>`;
}

function warning(problems: readonly string[]): Markup | undefined {
  if (problems.length === 0) return undefined;
  const left = problems.length - maxProblems;
  const listed = problems.slice(0, maxProblems).map((words) => markup`<li>${words}</li>`);
  const more = left > 0 && markup`<li>${left} more</li>`;
  const title = markup`<strong>Parts of this report may be inaccurate</strong>`;
  return markup`<div class="warning" role="note">${title}<ul>${listed}${more}</ul></div>`;
}

const maxProblems = 20;

function facts(history: History): Markup {
  const started = taskStartedIn(history);
  const [tone, words] = runStatus(history);
  const known = [
    started?.model.name,
    started?.profile && `profile ${started.profile}`,
    started?.origin && `read from ${started.origin}`,
    started && started.at > 0 && utcMinute(started.at),
    started?.cwd,
    started?.container && `container ${started.container.image}`,
  ];
  const shown = known.map((fact) => fact && markup`<span>${fact}</span>`);
  return markup`<p class="facts"><span class="pill ${tone}">${words}</span>${shown}</p>`;
}

function runStatus(history: History): readonly [tone: string, words: string] {
  const end = finishedEvent(history);
  if (end) return endings[end.status];
  return statusOf(history) === 'idle' ? ['good', 'Answered'] : ['plain', 'Not finished'];
}

/** Renders the figures of the run, without empty ones. */
function tiles(history: History): Markup {
  const { usage, steps, uncounted, unpriced, seconds } = sessionSpending(history);
  const shown = [
    tile('Steps', withCommas(steps)),
    tokensTile(usage, uncounted),
    usage.cost !== null &&
      tile('Cost', dollars(usage.cost), unpriced > 0 && `${counted(unpriced, 'call')} without a price`),
    workTile(seconds, history),
    filesTile(history),
    decisionsTile(history),
  ];
  return markup`<dl class="tiles">${shown}</dl>`;
}

function tokensTile(usage: Usage, uncounted: number): Markup | undefined {
  if (usage.inputTokens === null) return undefined;
  const output = usage.outputTokens ?? 0;
  const cached = usage.cachedTokens ? `, ${tokenCount(usage.cachedTokens)} cached` : '';
  const left = uncounted > 0 ? `; ${counted(uncounted, 'call')} not counted` : '';
  const parts = `${tokenCount(usage.inputTokens)} in, ${tokenCount(output)} out${cached}${left}`;
  return tile('Tokens', tokenCount(usage.inputTokens + output), parts);
}

function workTile(seconds: number, history: History): Markup | undefined {
  if (seconds <= 0) return undefined;
  const [first, last] = [history[0], history.at(-1)];
  const inAll = first && last && last.at > first.at && `${durationWords(last.at - first.at)} in total`;
  return tile('Work', durationWords(seconds * 1000), inAll);
}

function filesTile(history: History): Markup | undefined {
  const changes = history.flatMap((event) =>
    event.type === 'observation' && event.details?.kind === 'edit' ? event.details.changes : [],
  );
  if (changes.length === 0) return undefined;
  const files = new Set(changes.map(({ path }) => path)).size;
  const added = changes.reduce((sum, change) => sum + change.added, 0);
  const removed = changes.reduce((sum, change) => sum + change.removed, 0);
  return tile('Files changed', withCommas(files), `+${withCommas(added)} −${withCommas(removed)} lines`);
}

function decisionsTile(history: History): Markup | undefined {
  const decided = history.flatMap((event) =>
    event.type === 'confirmation_resolved' && event.by === 'person' ? event.actionIds : [],
  );
  return decided.length > 0 ? tile('Decisions', withCommas(decided.length), 'by a person') : undefined;
}

/** Changes by tools to one file, and the numbers of the steps that made them. */
interface ChangedFile {
  added: number;
  removed: number;
  readonly steps: Set<number>;
}

const maxFiles = 200;

/** Renders the list of changed files, with links to the steps. */
function changedFiles(turns: readonly Turn[]): Markup | undefined {
  const files = new Map<string, ChangedFile>();
  const replies = turns.filter((turn) => turn.kind === 'reply');
  replies.forEach(({ results }, index) => {
    const details = results.flatMap(({ observation }) => observation?.details ?? []);
    for (const { path, added, removed } of details.flatMap((each) => (each.kind === 'edit' ? each.changes : []))) {
      const file = files.get(path) ?? { added: 0, removed: 0, steps: new Set<number>() };
      file.added += added;
      file.removed += removed;
      file.steps.add(index + 1);
      files.set(path, file);
    }
  });
  if (files.size === 0) return undefined;
  const left = files.size - maxFiles;
  const more = left > 0 && markup`<li>${counted(left, 'more file')}</li>`;
  const list = markup`<ul>${[...files].slice(0, maxFiles).map(fileLine)}${more}</ul>`;
  return markup`<section class="changed" aria-labelledby="changed"><h2 id="changed">Changes</h2>${list}</section>`;
}

function fileLine([path, { added, removed, steps }]: readonly [string, ChangedFile]): Markup {
  const links = [...steps].map(
    (number) =>
      markup`<a href="#step-${number}" aria-label="Step ${number}, which changed ${attributeText(path)}">${number}</a> `,
  );
  const plus = markup`<span class="plus">+${withCommas(added)}</span>`;
  const minus = markup`<span class="minus">−${withCommas(removed)}</span>`;
  const where = markup`<span class="in">${steps.size === 1 ? 'step' : 'steps'} ${links}</span>`;
  return markup`<li><span class="name">${path}</span> ${plus} ${minus} ${where}</li>`;
}

/** Renders the tokens of each step as bars. */
function chart(history: History): Markup | undefined {
  const used = history
    .filter((event) => event.type === 'agent_response')
    .map(({ usage }) => (usage.inputTokens ?? 0) + (usage.outputTokens ?? 0));
  const shown = used.slice(0, maxBars);
  const most = Math.max(...shown, 0);
  if (used.length < 3 || most === 0) return undefined;
  const bars = shown.map((tokens, index) => bar(index, tokens, most));
  const words = `Tokens of each step, at most ${withCommas(most)}`;
  const view = `viewBox="0 0 ${Math.max(shown.length, minSlots)} 1" preserveAspectRatio="none"`;
  const svg = `<svg ${view} fill="currentColor" role="img" aria-label="${words}">${bars.join('')}</svg>`;
  return new Markup(`<figure class="chart">${svg}<figcaption>${words}</figcaption></figure>`);
}

const maxBars = 2000;
/** Minimum number of slots, so that a short run has free space to the right instead of wide bars. */
const minSlots = 40;

function bar(index: number, tokens: number, most: number): string {
  const height = (tokens / most).toFixed(3);
  const above = (1 - tokens / most).toFixed(3);
  const title = `<title>Step ${index + 1}: ${withCommas(tokens)} tokens</title>`;
  return `<rect x="${index}" width=".82" y="${above}" height="${height}">${title}</rect>`;
}

function* reportEntries(history: History, turns: readonly Turn[]): InPieces<Entry[]> {
  const diagrams = new Diagrams();
  const shared: Shared = { began: history[0]?.at ?? 0, consents: consentsIn(history), diagrams };
  let number = 0;
  const entries: Entry[] = [];
  for (const turn of turns) {
    const entry = turn.kind === 'reply' ? step(turn, ++number, shared) : eventEntry(turn, diagrams);
    if (entry) entries.push(entry);
    yield;
  }
  const notices = history.flatMap((event) =>
    event.type === 'notice' && event.level === 'warning'
      ? [{ at: event.at, seq: event.seq, html: note('Notice', event.text, diagrams) }]
      : [],
  );
  return [...entries, ...notices].sort((a, b) => a.seq - b.seq);
}

function consentsIn(history: History): Map<string, ConsentOnCard> {
  const consents = new Map<string, ConsentOnCard>();
  for (const event of history)
    if (event.type === 'confirmation_resolved') for (const id of event.actionIds) consents.set(id, event);
  return consents;
}

const smallMark = markup`<span class="mark small" aria-hidden="true"></span>`;

/** Renders a message below the name of its author. */
const messageEntry = (tone: string, title: string, ...content: readonly (Markup | Markup[])[]): Markup =>
  markup`<li>${smallMark}<div class="${tone}"><div class="meta">${title}</div>${content}</div></li>\n`;

const note = (title: string, text: string, diagrams: Diagrams): Markup =>
  messageEntry('said by-waymark', title, prose(text, diagrams));

function step({ event, results, hiddenBy }: ReplyTurn, number: number, { began, consents, diagrams }: Shared): Entry {
  const { usage, at, seq, durationMs, model, reasoning, by, sampling } = event;
  const bad = results.some(({ observation }) => observation?.outcome === 'error' || observation?.outcome === 'timeout');
  const meta = [
    by === 'person' ? 'typed by a person' : model,
    at > began && began > 0 && `after ${durationWords(at - began)}`,
    durationMs > 0 && durationWords(durationMs),
    usage.inputTokens !== null && `${tokenCount(usage.inputTokens)} in, ${tokenCount(usage.outputTokens ?? 0)} out`,
    usage.cost !== null && dollars(usage.cost),
    sampling && `one of ${sampling.candidates.length} candidates`,
    hiddenBy && 'not sent to the model later',
  ];
  const words =
    results.length > 0
      ? results.map(({ action }) => action.summary).join(' · ')
      : (event.text.trim().split('\n')[0] ?? '');
  const tone = bad ? 'mark failed' : 'mark';
  const mark = markup`<a class="${tone}" href="#step-${number}" aria-label="Step ${number}">${number}</a>`;
  const isKnown = (fact: (typeof meta)[number]): fact is string => typeof fact === 'string' && fact !== '';
  const shownMeta = meta.filter(isKnown).map((fact) => markup`<span>${fact}</span>`);
  const thoughts = reasoning?.text.trim();
  const cards = results.map((result) => actionCard(result, consents.get(result.action.id)));
  const html = markup`<li id="step-${number}">${mark}<div class="meta">${shownMeta}</div>
${thoughts && collapsedText('Reasoning', thoughts)}${event.text.trim() && prose(event.text, diagrams)}
${cards}</li>
`;
  return { at, seq, html, line: { number, words: words || '…', bad } };
}

/** Renders a text that is collapsed at first. */
const collapsedText = (title: string, text: string): Markup =>
  markup`<details class="reasoning"><summary>${title}</summary><div>${shortenedContent(text)}</div></details>`;

function eventEntry(turn: Exclude<Turn, ReplyTurn>, diagrams: Diagrams): Entry | undefined {
  const { at, seq } = turn.event;
  switch (turn.kind) {
    case 'system': {
      const prompt = systemPromptOf(turn.event);
      if (prompt.trim() === '') return undefined;
      return { at, seq, html: markup`<li>${smallMark}${collapsedText('System prompt', prompt)}</li>\n` };
    }
    case 'words': {
      const isTask = turn.event.type === 'task_started';
      const text = turn.event.type === 'task_started' ? turn.event.task : turn.text;
      if (turn.by === 'waymark') return { at, seq, html: note('Waymark to the model', text, diagrams) };
      return { at, seq, html: messageEntry('said', isTask ? 'Task' : 'User', prose(text, diagrams), pictures(turn)) };
    }
    case 'condensation': {
      const title = `${counted(turn.event.forgotten.length, 'earlier event')} condensed`;
      return { at, seq, html: note(title, turn.event.summary, diagrams) };
    }
    case 'end':
      return { at, seq, html: ending(turn.event, diagrams) };
  }
}

const endings: Readonly<Record<EventOf<'finished'>['status'], readonly [tone: string, words: string]>> = {
  submitted: ['good', 'Done'],
  failed: ['bad', 'Failed'],
  limit_exceeded: ['fair', 'Limit reached'],
  stopped: ['fair', 'Stopped'],
};

function ending({ status, problem, summary, results = [] }: EventOf<'finished'>, diagrams: Diagrams): Markup {
  const [tone, title] = endings[status];
  const words = problem ? [problem.what, problem.why, problem.next].filter(Boolean).join(' ') : summary;
  const content = markup`<strong>${title}</strong>${words.trim() && prose(words, diagrams)}${resultList(results)}`;
  return markup`<li>${smallMark}<div class="end ${tone}">${content}</div></li>\n`;
}

/** Renders the results for people: each action, the files that it changed, and how it ended. */
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

/** Renders the images of a message. Only types that cannot contain scripts are allowed. */
const pictures = (turn: Extract<Turn, { kind: 'words' }>): Markup[] =>
  picturesOf(turn).flatMap(({ url }, index) =>
    /^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/=]+$/.test(url)
      ? [markup`<img class="picture" src="${url}" alt="Picture ${index + 1}">`]
      : [],
  );

/** Renders text with code blocks set apart and diagrams drawn. */
function prose(text: string, diagrams: Diagrams): Markup {
  // Alternates between text, a language name and code.
  const parts = shortenedContent(text.trim()).split(/^```([^\n]*)\n([\s\S]*?)(?:^```[ \t]*$|$(?![\s\S]))/m);
  const shown = parts.map((part, index) => {
    if (index % 3 === 0) return part.trim() !== '' && paragraph(part.trim());
    return index % 3 === 2 && block(part.replace(/\n$/, ''), parts[index - 1]!.trim(), diagrams);
  });
  return markup`<div class="words">${shown}</div>`;
}

const block = (code: string, language: string, diagrams: Diagrams): Markup =>
  (language === 'mermaid' ? diagrams.drawDiagram(code) : undefined) ?? markup`<pre>${code}</pre>`;

function paragraph(text: string): Markup {
  const pieces = text.split(/`([^`\n]+)`/);
  const isCode = (index: number): boolean => index % 2 === 1;
  return markup`<p>${pieces.map((piece, index) => (isCode(index) ? markup`<code>${piece}</code>` : piece))}</p>`;
}

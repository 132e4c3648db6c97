import type { Action, EventOf } from '../../../../protocol/events/event';
import type { FileChange } from '../../../../protocol/events/details';
import type { Result } from '../../turns';
import { durationWords } from '../../../text/amounts';
import { markup, type Markup } from './markup';
import { commandOfInput } from '../../../../protocol/plain/commandOfInput';

/** An action and its result. */
type Done = Pick<Result, 'action' | 'observation'>;

/** Who allowed an action to run. */
export interface ConsentOnCard {
  readonly approved: boolean;
  readonly by: 'person' | 'rule';
  readonly comment?: string | undefined;
}

const maxCharacters = 40_000;
/** Outputs with more lines are collapsed at first. */
const openLines = 24;

const outcomes: Readonly<Record<EventOf<'observation'>['outcome'], readonly [string, string]>> = {
  ok: ['good', 'done'],
  error: ['bad', 'failed'],
  timeout: ['bad', 'ran out of time'],
  rejected: ['fair', 'refused'],
  skipped: ['plain', 'not run'],
  interrupted: ['fair', 'stopped'],
  unknown: ['fair', 'outcome unknown'],
};

/** Renders one action: its description, risk, approval and result. */
export function actionCard(done: Done, consent: ConsentOnCard | undefined): Markup {
  const { action, observation } = done;
  const { risk, purpose } = action;
  const changes = changesIn(observation);
  const reasons = risk.reasons.length > 0 && why(risk.reasons.join(' '));
  const comment = consent?.comment && why(`“${consent.comment}”`);
  const files = changes.length > 0 && markup`<div class="diff">${changes.map(fileChange)}</div>`;
  return markup`<div class="action">${head(done, consent)}
${purpose && why(purpose)}${reasons}${comment}
${renderInput(action, changes.length > 0)}
${files}${result(observation, changes.length > 0)}</div>`;
}

const why = (words: string): Markup => markup`<p class="why">${words}</p>`;

const changesIn = (observation: Result['observation']): readonly FileChange[] =>
  observation?.details?.kind === 'edit' ? observation.details.changes : [];

/** Renders the header line: the action, its tool and badges. */
function head({ action, observation }: Done, consent: ConsentOnCard | undefined): Markup {
  const { level } = action.risk;
  const isRisky = level !== 'unknown' && level !== 'low';
  const risk = isRisky && markup`<span class="badge risk-${level}">${level} risk</span>`;
  const agreed = consent && markup`<span class="badge plain">${consentWords(consent)}</span>`;
  const titles = markup`<span class="title">${action.summary}</span><span class="tool">${action.tool}</span>`;
  return markup`<div class="head">${titles}${risk}${agreed}${outcomeBadge(observation)}</div>`;
}

function outcomeBadge(observation: Result['observation']): Markup {
  if (!observation) return markup`<span class="badge plain">no result</span>`;
  const [tone, word] = outcomes[observation.outcome];
  const { details, durationMs = 0 } = observation;
  const exitCode = details?.kind === 'command' ? details.exitCode : null;
  const exit = exitCode !== null && exitCode !== 0 && ` with exit code ${exitCode}`;
  const took = durationMs >= 1 && `, ${durationWords(durationMs)}`;
  return markup`<span class="badge ${tone}">${word}${exit}${took}</span>`;
}

/** Renders the input of the action; undefined if the changed files show it already. */
function renderInput(action: Action, hasChanges: boolean): Markup | undefined {
  const command = commandOfInput(action.input);
  if (command !== undefined) return markup`<pre class="command">${command}</pre>`;
  if (hasChanges || Object.keys(action.input ?? {}).length === 0) return undefined;
  const written = shortenedContent(JSON.stringify(action.input, null, 2));
  return markup`<details><summary>Arguments</summary><pre>${written}</pre></details>`;
}

function consentWords({ approved, by }: ConsentOnCard): string {
  if (!approved) return 'refused by a person';
  return by === 'person' ? 'approved by a person' : 'allowed by a rule';
}

function result(observation: EventOf<'observation'> | undefined, closed: boolean): Markup | undefined {
  const content = observation?.content.trimEnd();
  if (!content) return undefined;
  const lines = content.split('\n').length;
  const isOpen = !closed && lines <= openLines && content.length < 4000;
  const title = markup`<summary>Result${lines > 1 && `, ${lines} lines`}</summary>`;
  return markup`<details${isOpen && markup` open`}>${title}<pre>${shortenedContent(content)}</pre></details>`;
}

/** Returns the text, without its middle if it is too long for a report. */
export function shortenedContent(text: string): string {
  const left = text.length - maxCharacters;
  if (left <= 0) return text;
  const half = maxCharacters / 2;
  const gap = `… ${left} characters omitted here; the log contains them …`;
  return `${text.slice(0, half)}\n\n${gap}\n\n${text.slice(-half)}`;
}

const kinds = { created: 'new', modified: 'changed', deleted: 'deleted' } as const;

const maxHunks = 200;
const maxLines = 2000;

function fileChange({ path, from, kind, added, removed, hunks }: FileChange): Markup {
  const done = from === undefined ? kinds[kind] : `moved from ${from}`;
  const plus = added > 0 && markup`<span class="plus">+${added}</span> `;
  const minus = removed > 0 && markup`<span class="minus">−${removed}</span>`;
  const title = markup`<div class="file">${path} <span class="plain">${done}</span> ${plus}${minus}</div>`;
  const shown = hunks.slice(0, maxHunks).map(hunk);
  return markup`${title}${shown.length > 0 && markup`<pre>${shown}</pre>`}`;
}

function hunk({ oldStart, oldLines, newStart, newLines, lines }: FileChange['hunks'][number]): Markup {
  const place = markup`<span class="hunk">@@ −${oldStart},${oldLines} +${newStart},${newLines} @@</span>`;
  return markup`${place}${lines.slice(0, maxLines).map(changedLine)}`;
}

function changedLine(text: string): Markup {
  const tones: Readonly<Record<string, string>> = { '+': 'add', '-': 'del' };
  return markup`<span class="${tones[text.charAt(0)] ?? 'same'}">${text || ' '}</span>`;
}

import type { EventOf } from '../../../../protocol/events/event';
import type { FileChange } from '../../../../protocol/events/details';
import { commandOf, type Result } from '../../turns';
import { duration } from './words';
import { markup, type Markup } from './markup';

/** Who let an action run. */
export interface Consent {
  readonly approved: boolean;
  readonly by: 'person' | 'rule';
  readonly comment?: string | undefined;
}

const mostCharacters = 40_000;
/** Longer outputs are closed at first. */
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

/** One action: what it is, how risky, who consented, and what came of it. */
export function actionCard({ action, observation }: Result, consent: Consent | undefined): Markup {
  const { risk, tool, summary, input, purpose } = action;
  const details = observation?.details;
  const [tone, word] = observation ? outcomes[observation.outcome] : ['plain', 'no result'];
  const exit =
    details?.kind === 'command' && details.exitCode !== null && details.exitCode !== 0
      ? ` with exit code ${details.exitCode}`
      : '';
  const command = commandOf(action);
  const changes = details?.kind === 'edit' ? details.changes : [];
  return markup`<div class="action"><div class="head"><span class="title">${summary}</span><span class="tool">${tool}</span>${risk.level !== 'unknown' && risk.level !== 'low' && markup`<span class="badge risk-${risk.level}">${risk.level} risk</span>`}${consent && markup`<span class="badge plain">${consentWords(consent)}</span>`}<span class="badge ${tone!}">${word}${exit}${observation?.durationMs && observation.durationMs >= 1 ? `, ${duration(observation.durationMs)}` : ''}</span></div>
${purpose && markup`<p class="why">${purpose}</p>`}${risk.reasons.length > 0 && markup`<p class="why">${risk.reasons.join(' ')}</p>`}${consent?.comment && markup`<p class="why">“${consent.comment}”</p>`}
${command !== undefined ? markup`<pre class="command">${command}</pre>` : changes.length === 0 && input !== undefined && Object.keys(input ?? {}).length > 0 && markup`<details><summary>Arguments</summary><pre>${cut(JSON.stringify(input, null, 2))}</pre></details>`}
${changes.length > 0 ? markup`<div class="diff">${changes.map(fileChange)}</div>${result(observation, true)}` : result(observation, false)}</div>`;
}

const consentWords = ({ approved, by }: Consent): string =>
  approved ? (by === 'person' ? 'approved by a person' : 'allowed by a rule') : 'refused by a person';

function result(observation: EventOf<'observation'> | undefined, closed: boolean): Markup | undefined {
  const content = observation?.content.trimEnd();
  if (!content) return undefined;
  const lines = content.split('\n').length;
  const isOpen = !closed && lines <= openLines && content.length < 4000;
  return markup`<details${isOpen && markup` open`}><summary>Result${lines > 1 && `, ${lines} lines`}</summary><pre>${cut(content)}</pre></details>`;
}

export function cut(text: string): string {
  const left = text.length - mostCharacters;
  return left > 0
    ? `${text.slice(0, mostCharacters / 2)}\n\n… ${left} characters are left out here; the log holds them …\n\n${text.slice(-mostCharacters / 2)}`
    : text;
}

const kinds = { created: 'new', modified: 'changed', deleted: 'deleted' } as const;

function fileChange({ path, from, kind, added, removed, hunks }: FileChange): Markup {
  const done = from === undefined ? kinds[kind] : `moved from ${from}`;
  const line = (text: string): Markup =>
    markup`<span class="${text.startsWith('+') ? 'add' : text.startsWith('-') ? 'del' : 'same'}">${text || ' '}</span>`;
  const shown = hunks.slice(0, 200);
  return markup`<div class="file">${path} <span class="plain">${done}</span> ${added > 0 && markup`<span class="plus">+${added}</span> `}${removed > 0 && markup`<span class="minus">−${removed}</span>`}</div>${shown.length > 0 && markup`<pre>${shown.map(({ oldStart, oldLines, newStart, newLines, lines }) => markup`<span class="hunk">@@ −${oldStart},${oldLines} +${newStart},${newLines} @@</span>${lines.slice(0, 2000).map(line)}`)}</pre>`}`;
}

import type { Event } from '../../src/protocol/events/event';
import { LongText } from '../parts/LongText';
import { counted } from '../base/text';
import { say, sayCounted } from './state/words';

/** Fields of another program's file that Waymark has no equivalent for, unchanged. */
export function ForeignFacts({ events }: { events: readonly Event[] }) {
  const lines = events
    .flatMap(({ foreign = {} }) => Object.values(foreign).flat())
    .flatMap(([path, ...said]) =>
      said.length === 0 ? [] : [`${formatPath(path)}${beginningOf(JSON.stringify(said[0], null, 2))}`],
    );
  if (lines.length === 0) return null;
  return (
    <details class="block" data-testid="foreign">
      <summary class="name">{sayCounted('foreign', lines.length)}</summary>
      <LongText
        label={say('foreign.label')}
        lines={lines.join('\n').split('\n').length}
        more={(n) => counted('approval.below', n)}
      >
        <pre class="exact">{lines.join('\n')}</pre>
      </LongText>
    </details>
  );
}

/** Truncated, because a file may contain complete other runs. */
const beginningOf = (json: string): string =>
  json.length > maxJsonLength
    ? `${json.slice(0, maxJsonLength)}… ${(json.length - maxJsonLength).toLocaleString()}`
    : json;
const maxJsonLength = 20_000;

/** Formats a path: "calls[2].name: ". */
function formatPath(path: readonly (string | number)[]): string {
  if (path.length === 0) return '';
  const steps = path.map((step, index) => {
    if (typeof step === 'number') return `[${step}]`;
    return index === 0 ? step : `.${step}`;
  });
  return `${steps.join('')}: `;
}

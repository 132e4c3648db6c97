import type { Action } from '../../src/protocol/events/event';
import { shellCommandOf } from '../base/summary';
import { counted, text } from '../base/text';
import { LongText } from './LongText';
import { VisibleText } from './VisibleText';

interface InputViewProps {
  readonly input: unknown;
  readonly effect?: Action['effect'];
  readonly from?: Action['from'];
  readonly culprit?: string | undefined;
  /** Text above it. A short value that it already contains is not repeated. */
  readonly named?: string;
}

/**
 * The full input of a call, displayed by its shape: a command, a patch, a replacement, written text, or plain values.
 * Only inputs that can run appear as commands, and only inputs that can write appear as changes. Hidden characters are
 * made visible.
 */
export function InputView({ input, effect, from, culprit, named = '' }: InputViewProps) {
  if (input === undefined || input === null) return null;
  const changes = effect === undefined || effect === 'writes';
  if (typeof input !== 'object' || Array.isArray(input))
    return <Value name={text('step.input')} value={input} changes={changes} culprit={culprit} />;
  const command = effect === undefined || effect === 'executes' ? shellCommandOf({ input, from }) : undefined;
  const isSaid = (value: unknown): boolean =>
    typeof value === 'string' && value !== '' && named.split(' ').includes(value);
  const rest = Object.entries(input).filter(
    ([name, value]) => (command === undefined || name !== 'command') && !isSaid(value),
  );
  return (
    <div class="input">
      {command !== undefined && (
        <Block label={text('approval.command')} words={command} culprit={culprit} class="command" />
      )}
      {rest.map(([name, value]) => (
        <Value key={name} name={name} value={value as unknown} changes={changes} culprit={culprit} />
      ))}
    </div>
  );
}

function Value({
  name,
  value,
  changes,
  culprit,
}: {
  name: string;
  value: unknown;
  changes: boolean;
  culprit?: string | undefined;
}) {
  if (value === undefined) return null;
  if (changes && Array.isArray(value) && value.length > 0 && value.every(replacement))
    return (
      <>
        {value.map((item, index) => (
          <Replacement key={index} pair={replacement(item)!} culprit={culprit} />
        ))}
      </>
    );
  const words = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  if (words.includes('\n') || words.length > 120)
    return <Block label={name} words={words} culprit={culprit} class={changes && isPatch(words) ? 'patch' : ''} />;
  return (
    <div class="pair">
      <span class="name">{name}</span>{' '}
      <span class="code-font">
        <VisibleText words={words} culprit={culprit} />
      </span>
    </div>
  );
}

function Block({
  label,
  words,
  culprit,
  class: kind,
}: {
  label: string;
  words: string;
  culprit?: string | undefined;
  class: string;
}) {
  return (
    <div class="block">
      {kind !== 'command' && <div class="name">{label}</div>}
      <LongText label={label} lines={words.split('\n').length} more={(n) => counted('approval.below', n)}>
        <pre class={`exact ${kind}`}>
          <VisibleText words={words} culprit={culprit} marks={kind === 'patch'} />
        </pre>
      </LongText>
    </div>
  );
}

const isPatch = (words: string): boolean => /^(diff |--- |@@ |\*\*\* )/m.test(words) && /^[-+]/m.test(words);

/** Detects a replacement of text: `{old…: "a", new…: "b"}`. */
function replacement(value: unknown): { before: string; after: string; rest: [string, unknown][] } | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const fields = Object.entries(value) as [string, unknown][];
  const before = fields.find(([name]) => /^old/i.test(name));
  const after = fields.find(([name]) => /^new/i.test(name));
  if (typeof before?.[1] !== 'string' || typeof after?.[1] !== 'string') return undefined;
  return { before: before[1], after: after[1], rest: fields.filter((field) => field !== before && field !== after) };
}

function Replacement({
  pair,
  culprit,
}: {
  pair: NonNullable<ReturnType<typeof replacement>>;
  culprit?: string | undefined;
}) {
  const rows = pair.before.split('\n').length + pair.after.split('\n').length;
  return (
    <>
      <LongText label={text('approval.after')} lines={rows} more={(n) => counted('approval.below', n)}>
        <div class="hunk">
          {pair.before !== '' && (
            <Side sign="−" kind="removed" label={text('approval.before')} words={pair.before} culprit={culprit} />
          )}
          {pair.after !== '' && (
            <Side sign="+" kind="added" label={text('approval.after')} words={pair.after} culprit={culprit} />
          )}
        </div>
      </LongText>
      {pair.rest.map(([name, value]) => (
        <Value key={name} name={name} value={value} changes culprit={culprit} />
      ))}
    </>
  );
}

function Side({
  sign,
  kind,
  label,
  words,
  culprit,
}: {
  sign: string;
  kind: string;
  label: string;
  words: string;
  culprit?: string | undefined;
}) {
  return (
    <div role="group" aria-label={label}>
      {words.split('\n').map((line, index) => (
        <div key={index} class={`line ${kind}`}>
          <span class="mark">{sign}</span>
          <span class="words">
            <VisibleText words={line} culprit={culprit} />
          </span>
        </div>
      ))}
    </div>
  );
}

import type { FillPart, ContextFill } from '../../src/protocol/events/figures';
import { tokens } from '../base/format';
import { text } from '../base/text';

const order: readonly FillPart[] = ['system', 'tools', 'summaries', 'messages', 'replies', 'reasoning', 'results'];

/** Returns the used share of the context window in whole percent, or undefined if its size is unknown. */
export const percentOf = ({ tokens: used }: ContextFill, window: number | null): number | undefined =>
  window ? Math.min(100, Math.round((used / window) * 100)) : undefined;

const shown = (fill: ContextFill): readonly FillPart[] => order.filter((part) => fill.parts[part] > 0);

/**
 * Bar of the context window with one color per part, and an equivalent table. If the size is unknown, shows the parts
 * of the used context.
 */
export function ContextBar({
  fill,
  window,
  class: more = '',
}: {
  fill: ContextFill;
  window: number | null;
  class?: string;
}) {
  const percent = percentOf(fill, window);
  const whole = Math.max(window ?? 0, fill.tokens, 1);
  return (
    <span
      class={`fill-bar ${more} ${percent !== undefined && percent >= 80 ? 'full' : ''}`}
      data-testid="context-meter"
      role="img"
      aria-label={percent === undefined ? text('usage.context') : text('usage.meter', { percent })}
    >
      {shown(fill).map((part) => (
        <span key={part} class={`part fill-${part}`} style={{ width: `${(fill.parts[part] / whole) * 100}%` }} />
      ))}
    </span>
  );
}

/** Table equivalent of the bar: one row per part. */
export function ContextRows({ fill }: { fill: ContextFill }) {
  return (
    <>
      {shown(fill).map((part) => (
        <div key={part}>
          <dt>
            <span class={`swatch fill-${part}`} />
            {text(`fill.${part}`)}
          </dt>
          <dd>{tokens(fill.parts[part])}</dd>
        </div>
      ))}
    </>
  );
}

import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Assessment } from '../../src/protocol/events/event';
import { counted, text, type TextKey } from '../base/text';
import { Icon } from './Icon';

/** How much a card should alarm: `danger` destroys or leaks, `caution` is worth a look, `calm` is low risk. */
export type Weight = 'danger' | 'caution' | 'calm';

/** Of an assessment without a weight, as in earlier logs, high risk is danger. */
export function weightOf({ level, weight }: Assessment): Weight {
  if (level === 'low') return 'calm';
  return weight ?? (level === 'high' ? 'danger' : 'caution');
}

const icons: Readonly<Record<Weight, string>> = { danger: 'flame', caution: 'warning', calm: 'pass' };

function labelOf({ level }: Assessment, weight: Weight): TextKey {
  if (weight === 'calm') return 'risk.low';
  if (weight === 'danger') return level === 'high' ? 'risk.high' : 'risk.danger';
  if (level === 'medium' || level === 'unknown') return `risk.${level}`;
  return 'risk.caution';
}

/** The risk as icon, word and colour, never colour alone. `leads`: its reason follows. */
export function RiskMark({ risk, leads }: { risk: Assessment; leads: boolean }) {
  const weight = weightOf(risk);
  return (
    <span class={`risk ${weight}`}>
      <Icon name={icons[weight]} />
      {text(labelOf(risk, weight))}
      {leads && ':'}
    </span>
  );
}

/** The reasons after the headline: three of them, the rest on request. */
const shownReasons = 3;

export function FurtherReasons({ reasons }: { reasons: readonly string[] }) {
  const [all, setAll] = useState(false);
  const list = useRef<HTMLUListElement>(null);
  const hidden = all ? 0 : Math.max(0, reasons.length - shownReasons);
  // The button is gone once it was pressed: what it revealed takes the focus, so that a screen reader reads it.
  useLayoutEffect(() => {
    if (all) list.current?.querySelectorAll('li')[shownReasons]?.focus({ preventScroll: true });
  }, [all]);
  if (reasons.length === 0) return null;
  return (
    <div class="further" data-testid="reasons">
      <ul class="reasons" ref={list}>
        {reasons.slice(0, reasons.length - hidden).map((reason, index) => (
          <li key={index} tabIndex={index === shownReasons ? -1 : undefined}>
            {reason}
          </li>
        ))}
      </ul>
      {hidden > 0 && (
        <button
          type="button"
          class="link"
          data-testid="more-reasons"
          aria-expanded={false}
          onClick={() => setAll(true)}
        >
          <Icon name="chevron-down" /> {counted('approval.moreReasons', hidden)}
        </button>
      )}
    </div>
  );
}

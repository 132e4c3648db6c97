import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Assessment } from '../../src/protocol/events/event';
import { riskWordOf, weightOf, type Weight } from '../../src/protocol/plain/riskWords';
import { counted, text } from '../base/text';
import { Icon } from './Icon';
import { Visible } from './VisibleText';

const icons: Readonly<Record<Weight, string>> = { danger: 'flame', caution: 'warning', calm: 'pass' };

/** The risk as icon, text and color, never color alone. `leads`: a reason follows. */
export function RiskMark({ risk, leads }: { risk: Assessment; leads: boolean }) {
  const weight = weightOf(risk);
  return (
    <span class={`risk ${weight}`}>
      <Icon name={icons[weight]} />
      {text(`risk.${riskWordOf(risk)}`)}
      {leads && ':'}
    </span>
  );
}

/** Number of further reasons after the headline; the rest is shown on request. */
const shownReasons = 3;

export function FurtherReasons({ reasons }: { reasons: readonly string[] }) {
  const [all, setAll] = useState(false);
  const list = useRef<HTMLUListElement>(null);
  const hidden = all ? 0 : Math.max(0, reasons.length - shownReasons);
  // The button disappears when it is pressed. The revealed text takes the focus, so that a screen reader reads it.
  useLayoutEffect(() => {
    if (all) list.current?.querySelectorAll('li')[shownReasons]?.focus({ preventScroll: true });
  }, [all]);
  if (reasons.length === 0) return null;
  return (
    <div class="further" data-testid="reasons">
      <ul class="reasons" ref={list}>
        {reasons.slice(0, reasons.length - hidden).map((reason, index) => (
          <li key={index} tabIndex={index === shownReasons ? -1 : undefined}>
            <Visible words={reason} />
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

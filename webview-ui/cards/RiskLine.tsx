import type { Assessment } from '../../src/protocol/events/event';
import { FurtherReasons, RiskMark } from './Reasons';

/** The risk of a step that was done: its mark, the headline, then the further reasons. */
export function RiskLine({ risk }: { risk: Assessment }) {
  const [headline, ...further] = risk.reasons;
  return (
    <>
      <RiskMark risk={risk} leads={headline !== undefined} />
      {headline !== undefined && <span class="reason"> {headline}</span>}
      <FurtherReasons reasons={further} />
    </>
  );
}

import type { ContextPart } from '../../protocol/events/event';
import { withoutMiddle } from '../text/withoutMiddle';
import { spotlit } from '../text/spotlight';
import { tokensOf } from '../log/eventFacts';

/** Maximum length of one mentioned item, in characters. The middle of longer ones is removed. */
const maxItemLength = 100_000;

/** What was found for a mention. */
export interface Found {
  readonly label: string;
  readonly text: string;
  readonly source: string;
  readonly trust: ContextPart['trust'];
}

/** Formats it for the log and the model. Untrusted text is enclosed in unpredictable markers. */
export function contextPart(kind: string, { label, text, source, trust }: Found): ContextPart {
  const whole = withoutMiddle(text, maxItemLength);
  const shown =
    trust === 'others' ? spotlit(whole, [source], () => `data-${crypto.randomUUID().slice(0, 8)}`).text : whole;
  return { kind, label, text: shown, tokens: tokensOf(shown), source, trust };
}

import type { ContextPart } from '../../protocol/events/event';
import { withoutMiddle } from '../text/withoutMiddle';
import { spotlit } from '../text/spotlight';
import { tokensOf } from '../log/contextText';

/** Characters of one thing that is pointed at; of more the beginning and the end. */
const longest = 100_000;

/** What was found where somebody pointed. */
export interface Found {
  readonly label: string;
  readonly text: string;
  readonly source: string;
  readonly trust: ContextPart['trust'];
}

/** As it goes into the log and to the model: what others wrote stands between marks that nobody could foresee. */
export function contextPart(kind: string, { label, text, source, trust }: Found): ContextPart {
  const whole = withoutMiddle(text, longest);
  const shown =
    trust === 'others' ? spotlit(whole, [source], () => `data-${crypto.randomUUID().slice(0, 8)}`).text : whole;
  return { kind, label, text: shown, tokens: tokensOf(shown), source, trust };
}

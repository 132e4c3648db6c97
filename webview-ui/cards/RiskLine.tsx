import type { Assessment } from '../../src/protocol/event';
import { text } from '../text';
import { Icon } from './Icon';

const icons = { low: 'pass', medium: 'warning', high: 'flame', unknown: 'question' };

/** Risk is icon, word and colour, never colour alone. */
export function RiskLine({ risk }: { risk: Assessment }) {
  return <><span class={`risk ${risk.level}`}><Icon name={icons[risk.level]} />{text(`risk.${risk.level}`)}</span>{risk.reasons.length === 1 && <span class="reason"> {risk.reasons[0]}</span>}{risk.reasons.length > 1 && <ul class="reasons">{risk.reasons.map((reason, index) => <li key={index}>{reason}</li>)}</ul>}</>;
}

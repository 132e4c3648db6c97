import type { Assessment } from '../../protocol/events/event';
import { escapeForTerminal } from './escapeForTerminal';

/** Maximum number of reasons below the headline of a question. */
const maxFurtherReasons = 3;

/**
 * Why something is asked about: the headline with the risk, at most three further reasons, and the number of remaining
 * ones.
 */
export function riskLines({ level, reasons }: Assessment): string[] {
  const [headline = '', ...others] = reasons.map(escapeForTerminal);
  const left = others.length - maxFurtherReasons;
  return [
    headline === '' ? `Risk ${level}.` : `Risk ${level}: ${headline}`,
    ...others.slice(0, maxFurtherReasons).map((reason) => `  ${reason}`),
    ...(left > 0 ? [`  ${left} more ${left === 1 ? 'reason' : 'reasons'}: see waymark assess.`] : []),
  ];
}

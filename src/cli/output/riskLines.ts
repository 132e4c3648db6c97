import type { Assessment } from '../../protocol/events/event';
import { escapeForTerminal } from './escapeForTerminal';

/** How many reasons are listed below the headline of a question. */
const mostBeside = 3;

/**
 * Why something is asked about: the headline with the risk, at most three further reasons, and how many more there are.
 */
export function riskLines({ level, reasons }: Assessment): string[] {
  const [headline = '', ...others] = reasons.map(escapeForTerminal);
  const left = others.length - mostBeside;
  return [
    `Risk ${level}: ${headline}`.trimEnd(),
    ...others.slice(0, mostBeside).map((reason) => `  ${reason}`),
    ...(left > 0 ? [`  ${left} more ${left === 1 ? 'reason' : 'reasons'}: see waymark assess.`] : []),
  ];
}

import type { Assessment, Reach } from '../../../protocol/event';
import type { History } from '../../agent/projection';
import type { RiskAnalyzer } from '../analyzers';
import { harmless, worst } from '../assessment';
import { carriedBy, type Carried } from './carried';
import { changedIn, meterOf, originOf, type Mark, type Origin } from './taint';

/**
 * Judges a call by what the session has read. Whoever steers the agent with a text needs three things: the text, something worth taking,
 * and a way out; a call that completes them is high whatever else says. And what a command takes from an untrusted text raises it by one level.
 */
export const taintAnalyzer: RiskAnalyzer = {
  name: 'taint',
  last: true,
  async assess({ call: { touches: { command } }, history, found = harmless }) {
    const third = thirdBit(found.reach ?? {}, history);
    const borrowed = command === undefined || found.level === 'low' ? undefined : await borrowedWords(command, found, history);
    const all = [third, borrowed].filter(one => one !== undefined);
    return all.length > 0 ? all.reduce(worst) : undefined;
  },
};

/** The call would be the last of: untrusted content, a secret, the network. Or all are there and it reaches the network again. */
function thirdBit(reach: Reach, history: History): Assessment | undefined {
  const meter = meterOf(history);
  const [untrusted, secret, network] = [meter.untrusted.length > 0, meter.secret.length > 0, meter.network.length > 0];
  const sends = reach.network !== undefined && untrusted && (secret || reach.secret !== undefined);
  const takes = reach.secret !== undefined && !secret && untrusted && network;
  const listens = reach.untrusted !== undefined && !untrusted && secret && network;
  if (!sends && !takes && !listens) return undefined;
  const read = told(meter.untrusted, reach.untrusted);
  const taken = told(meter.secret, reach.secret);
  const reason = sends ? `It reaches the network, after this session read ${taken} and text that may steer it: ${read}.`
    : takes ? `It reads ${taken}, after this session read text that may steer it (${read}) and reached the network (${told(meter.network, undefined)}).`
      : `It reads text that may steer the agent (${read}), after this session read ${taken} and reached the network (${told(meter.network, undefined)}).`;
  const culprit = (sends ? reach.network : takes ? reach.secret : reach.untrusted)?.[0];
  return { level: 'high', reasons: [reason], tainted: true, ...(culprit !== undefined && { culprit }) };
}

/** The latest sources by name, each with its step; what the call itself brings when there is none before. */
function told(marks: readonly Mark[], brought: readonly string[] | undefined): string {
  const latest = new Map<string, Mark>();
  for (const mark of marks.toReversed()) if (!latest.has(mark.source) && latest.size < 3) latest.set(mark.source, mark);
  if (latest.size === 0) return (brought ?? []).slice(0, 3).join(', ');
  return [...latest.values()].map(({ source, step }) => `${source}, ${when(step)}`).join('; ');
}

const when = (step: number): string => (step === 0 ? 'before this session began' : `in step ${step}`);

async function borrowedWords(command: string, found: Assessment, history: History): Promise<Assessment | undefined> {
  const { examineCommand } = await import('../command/assessCommand');
  const { effects } = examineCommand(command);
  const borrowed: { carried: Carried; origin: Origin }[] = [];
  for (const carried of carriedBy(command, effects)) {
    const origin = carried.looked.map(word => originOf(word, history)).find(one => one !== undefined);
    if (origin && !isExpected(carried, origin, history)) borrowed.push({ carried, origin });
  }
  const [first] = borrowed;
  if (!first) return undefined;
  const reasons = [...new Set(borrowed.map(({ carried, origin }) => sentence(carried, origin)))].slice(0, 5);
  // Medium becomes high; what nobody could judge, too.
  return { level: 'high', reasons, culprit: first.carried.written, ...(found.level !== 'high' && { tainted: true }) };
}

/** Documentation of a project speaks of its own files. Those that this session changed are another matter. */
const isExpected = ({ own, looked }: Carried, { trust }: Origin, history: History): boolean => own && trust === 'prose' && !looked.some(word => changedIn(history).has(word));

function sentence({ kind, written }: Carried, { source, line, step }: Origin): string {
  return `The ${kind} ${written} came from ${source}${line === undefined ? '' : `, line ${line}`}, ${step === 0 ? 'read before this session began' : `read in step ${step}`}.`;
}

import type { Assessment } from '../../protocol/events/event';
import type { RiskAnalyzer } from '../ports/analyzer';
import { carriesData, controlBehind } from '../shell/verdict/address';
import { meterOf } from './taint/taint';

/**
 * Judges the address of a page that a tool reads. Nobody knows what a site answers, so the person is asked about each
 * one. Asks in every mode once the session read a secret and words of others: an address can carry one away.
 */
export const webAnalyzer: RiskAnalyzer = {
  name: 'web',
  harm: 'sends',
  assess({ call: { touches }, history }) {
    const { fetches } = touches;
    if (fetches === undefined) return Promise.resolve(undefined);
    const { untrusted, secret } = meterOf(history);
    const mayCarrySecrets = untrusted.length > 0 && secret.length > 0;
    return Promise.resolve({ ...addressRisk(fetches), ...(mayCarrySecrets && { guarded: true }) });
  },
};

/** An address that a person would name is shorter; in a longer one whole files can leave. */
const longestPlain = 500;

function addressRisk(address: string): Assessment {
  const { host } = new URL(address);
  const control = controlBehind(address);
  if (control !== undefined) return { level: 'high', reasons: [control], culprit: address };
  if (carriesData(address))
    return { level: 'high', reasons: [`Sends data to ${host} inside the address.`], culprit: address };
  if (address.length > longestPlain)
    return { level: 'high', reasons: [`Uses a long address, which can carry data to ${host}.`], culprit: address };
  return { level: 'unknown', reasons: [`Fetches a page from ${host}.`], culprit: host };
}

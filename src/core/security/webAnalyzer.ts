import type { Assessment } from '../../protocol/events/event';
import type { RiskAnalyzer } from '../ports/analyzer';
import { carriesData, riskOfAddress } from '../shell/verdict/address';
import { meterOf } from './taint/taint';

/**
 * Judges the address of a page that a tool reads. A site's content is unknown, so each site requires approval, except
 * for one that is refused anyway. Requires approval in every mode once the session has read a secret and untrusted
 * content, because an address can carry the secret away.
 */
export const webAnalyzer: RiskAnalyzer = {
  name: 'web',
  harm: 'sends',
  async assess({ call: { touches }, environment: { web }, history }) {
    const { fetches } = touches;
    if (fetches === undefined) return undefined;
    if (web && !(await web.mayRead(fetches))) return { level: 'low', reasons: [] };
    const { untrusted, secret } = meterOf(history);
    const mayCarrySecrets = untrusted.length > 0 && secret.length > 0;
    return { ...addressRisk(fetches), ...(mayCarrySecrets && { guarded: true }) };
  },
};

/** Maximum length of a normal address. A longer one could contain whole files. */
const maxOrdinaryLength = 500;

function addressRisk(address: string): Assessment {
  const { host } = new URL(address);
  const control = riskOfAddress(address);
  if (control !== undefined) return { level: 'high', reasons: [control], culprit: address };
  if (carriesData(address))
    return { level: 'high', reasons: [`Sends data to ${host} inside the address.`], culprit: address };
  if (address.length > maxOrdinaryLength)
    return { level: 'high', reasons: [`Uses a long address, which can carry data to ${host}.`], culprit: address };
  return { level: 'unknown', reasons: [`Fetches a page from ${host}.`], culprit: host };
}

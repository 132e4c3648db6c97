import { readEventLog } from '../adapters/eventLog';
import { framed } from '../adapters/log/frame';
import { newHeader } from '../adapters/log/header';
import { maskedEvent } from '../core/security/maskedEvent';
import { secrets } from '../core/security/secrets';

/**
 * A log as it may leave this machine: whole, also where it goes on from another one; what was learned to be secret after it was written
 * is masked in it, too. It has no seals, so that nothing in it consents to anything where it is opened.
 */
export function exportedLog(file: string): string {
  let hash = '';
  return [newHeader(), ...readEventLog(file).events.map(event => maskedEvent(event, secrets))].map(object => {
    const next = framed(JSON.stringify(object), hash, undefined);
    ({ hash } = next);
    return next.line;
  }).join('');
}

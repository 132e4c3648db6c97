import { readFileSync } from 'node:fs';
import { maskedEvent } from '../core/security/maskedEvent';
import { secrets } from '../core/security/secrets';
import { Event } from '../protocol/event';

/** A log as it may leave this machine: what was learned to be secret after it was written is masked in it, too. */
export function exportedLog(file: string): string {
  return readFileSync(file, 'utf8').split('\n').map(line => {
    let event;
    try { event = Event.safeParse(JSON.parse(line)); } catch { /* a torn line */ }
    return event?.success ? JSON.stringify(maskedEvent(event.data, secrets)) : secrets.maskKnown(line);
  }).join('\n');
}

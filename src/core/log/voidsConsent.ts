import type { Event } from '../../protocol/events/event';

/** Whether nothing that was agreed to before this event counts after it. */
export const voidsConsent = (event: Event): boolean => event.type === 'notice' && event.about === 'consent_void';

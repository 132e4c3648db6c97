import type { EventOf, NewEvent } from '../../protocol/events/event';

/**
 * Tells the person that a session continues with less than was requested. `about`: the subject, if the loop handles it.
 */
export type Warn = (text: string, about?: EventOf<'notice'>['about']) => void;

export const warning = (...[text, about]: Parameters<Warn>): NewEvent => ({
  type: 'notice',
  level: 'warning',
  text,
  ...(about && { about }),
});

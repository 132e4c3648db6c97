import type { EventOf, NewEvent } from '../../protocol/events/event';

/** Tells the person that a session goes on with less than was wanted. `about`: what that is, where the loop asks. */
export type Warn = (text: string, about?: EventOf<'notice'>['about']) => void;

export const warning = (...[text, about]: Parameters<Warn>): NewEvent => ({
  type: 'notice',
  level: 'warning',
  text,
  ...(about && { about }),
});

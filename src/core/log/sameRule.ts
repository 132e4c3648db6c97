import type { AllowRule } from '../../protocol/events/event';

/** Whether two standing permissions are about the same thing, however it was judged when they were given. */
export const sameRule = (a: AllowRule, b: AllowRule): boolean =>
  a.tool === b.tool &&
  a.key === b.key &&
  a.cwd === b.cwd &&
  a.scope === b.scope &&
  a.effect === b.effect &&
  a.pattern === b.pattern;

import type { Action } from '../../protocol/events/event';

/** Returns the command line of an action, or undefined if it runs no command. */
export const commandOf = ({ input }: Pick<Action, 'input'>): string | undefined =>
  typeof input === 'object' && input !== null && 'command' in input ? String(input.command) : undefined;

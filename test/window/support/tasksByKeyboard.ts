import { execFileSync } from 'node:child_process';
import type { EventOf, EventType } from '../../../src/protocol/events/event';
import { eventsIn } from '../../support/loggedEvents';
import { newestLog, until, type AgentWindow } from './agentWindow';

/** Waits until a session's log has an event of a type, and returns it. */
export const inLog = <Type extends EventType>(log: string, type: Type): Promise<EventOf<Type>> =>
  until(`${type} in ${log}`, () => eventsIn(log).find((event): event is EventOf<Type> => event.type === type));

/** Starts tasks in the workspace, a worktree or a copy, by keyboard alone. */
export function tasksByKeyboard(agent: () => AgentWindow) {
  const place = () => agent().view.getByTestId('place');
  const keyboard = () => agent().page.keyboard;
  return {
    /** The list in the composer that says where the next task works. */
    place,

    /** Runs Git in the workspace and returns what it prints. */
    git: (...args: string[]): string =>
      execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', ...args], {
        cwd: agent().window.workspace,
        encoding: 'utf8',
        stdio: 'pipe',
      }),

    /** Types a task into the composer and sends it. Returns the log of the session that begins. */
    async say(words: string): Promise<string> {
      const before = newestLog(agent().window);
      const composer = agent().view.getByTestId('composer');
      // Drawing a new session may take the focus once more, and the first letters with it.
      await until(`"${words}" in the message`, async () => {
        await composer.fill('');
        await composer.focus();
        await keyboard().type(words);
        return (await composer.inputValue()) === words;
      });
      await composer.press('Enter'); // wherever the focus has moved meanwhile
      return until('a new log', () => {
        const log = newestLog(agent().window);
        return log !== before && log;
      });
    },

    /** Opens a new session and chooses where its task works: `workspace`, `worktree` or `copy`. */
    async choose(chosen: string): Promise<void> {
      await agent().command('Waymark: New Session');
      await until(`${chosen} is chosen`, async () => {
        await place().focus();
        await keyboard().press('ArrowDown');
        return (await place().inputValue()) === chosen;
      });
      // The title changes once the extension host has confirmed the choice.
      const words = await place().locator('option:checked').textContent();
      await until(`the window knows of ${chosen}`, async () =>
        (await place().getAttribute('title'))?.endsWith(words ?? '?'),
      );
    },
  };
}

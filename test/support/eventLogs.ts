import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { openEventLog } from '../../src/adapters/log/eventLog';
import type { WritableLog } from '../../src/core/ports/eventStore';
import type { Event, NewEvent } from '../../src/protocol/events/event';
import { agentResponse, leastUsage, taskStarted } from './newEvents';

/** Returns `count` events with user messages. */
export const wordEvents = (count: number, from = 0): Event[] =>
  Array.from({ length: count }, (_unused, index) => ({
    seq: from + index,
    at: 1,
    type: 'user_message',
    text: `event ${from + index} ä`,
  }));

export const stamped = (...events: NewEvent[]): Event[] =>
  events.map((event, seq) => ({ ...event, seq, at: 1 }) as Event);

/** A log that nothing but memory keeps, as if every event were on disk at once. */
export const logInMemory = (events: readonly Event[] = []): WritableLog => ({
  events,
  store: { append: (_event, settled) => settled(), durable: async () => undefined },
});

/** Returns a session that waits for approval of its first action and has an allow rule. Its mode asks nothing. */
export const trustingSession = (): Event[] =>
  stamped(
    taskStarted('Do it.', {
      systemPrompt: 'Be good.',
      model: { name: 'story', provider: 'test', contextWindow: null },
      cwd: '/',
      confirmation: 'never',
      mode: 'auto',
      limits: { steps: 10, cost: 1, seconds: 0 },
      pins: { git: 'abc' },
    }),
    { type: 'allow_rule_added', rule: { tool: 'run_command', key: 'rm -rf /' } },
    agentResponse('', {
      readUpTo: 1,
      actions: [
        {
          id: 'a',
          tool: 'run_command',
          input: { command: 'rm -rf x' },
          summary: 'Run',
          group: 0,
          risk: { level: 'low', reasons: [] },
          effect: 'executes',
        },
      ],
      usage: leastUsage,
      model: 'story',
      finishReason: 'tool_calls',
    }),
    { type: 'confirmation_requested', actionIds: ['a'] },
    { type: 'confirmation_resolved', actionIds: ['a'], approved: true, by: 'person' },
  );

/** Returns a folder on a file system where thousands of syncs are cheap, if there is one. */
export const quickFolder = (): string => {
  try {
    fs.accessSync('/dev/shm', fs.constants.W_OK);
    return '/dev/shm';
  } catch {
    return os.tmpdir();
  }
};

/** Creates a log in its own folder, which `stop` removes. */
export function temporaryLog(
  name = 'session.waymark.jsonl',
  place = os.tmpdir(),
): { folder: string; file: string; write(events: readonly Event[]): Promise<void>; stop(): void } {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(place, 'waymark-log-')));
  const file = path.join(folder, 's', name);
  return {
    folder,
    file,
    async write(events) {
      const { store, problem } = openEventLog(file);
      if (!store) throw new Error(problem);
      for (const event of events) store.append(event);
      await store.durable();
      await store.close();
    },
    stop: () => fs.rmSync(folder, { recursive: true, force: true }),
  };
}

/** Returns a log in the format of version 1. */
export const versionOne = (events: readonly Event[]): string =>
  `${[{ waymark: 1 }, ...events].map((line) => JSON.stringify(line)).join('\n')}\n`;

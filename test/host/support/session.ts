// The agent as another extension would use it: by command. The events are read from the logs on disk.
import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Waymark } from '../../../api/waymark';
import type { EventOf, EventType, Event } from '../../../src/protocol/events/event';
import { eventsIn } from '../../support/loggedEvents';
import { setTimeout as pause } from 'node:timers/promises';

export const workspace = (): string => vscode.workspace.workspaceFolders![0]!.uri.fsPath;

/** Waits until the result is neither undefined nor false. Fails with `what` on timeout. */
export async function until<Value>(
  what: string,
  ask: () => Value | undefined | false | PromiseLike<Value | undefined | false>,
  seconds = 60,
): Promise<Value> {
  for (const end = Date.now() + seconds * 1000; Date.now() < end; await pause(20)) {
    const value = await ask();
    if (value !== undefined && value !== false) return value;
  }
  throw new assert.AssertionError({ message: `Waited ${seconds} s in vain: ${what}` });
}

export { pause };

/** The folder in which VS Code stores Waymark's data of this workspace. */
function storage(): string {
  const userData = process.env.WAYMARK_TEST_USER_DATA ?? path.join(path.dirname(process.env.HOME!), 'data');
  const parent = path.join(userData, 'User/globalStorage/waymark.waymark/workspaces');
  const [found] = fs.readdirSync(parent);
  assert.ok(found, `no storage of Waymark below ${parent}`);
  return path.join(parent, found);
}

export interface Session {
  readonly id: string;
  readonly folder: string;
  events(): Event[];
  types(): EventType[];
  of<Type extends EventType>(type: Type): EventOf<Type>[];
  /** Waits until the `count`th event of this type is in the log and the window has received it. */
  reaches<Type extends EventType>(type: Type, count?: number): Promise<EventOf<Type>>;
}

/** Number of the latest event that the window reported to its listeners, by session. */
const heard = new Map<string, number>();
let listening: Promise<unknown> | undefined;

/**
 * An event is in the log a moment before the window receives it, and decisions by key or command depend on what the
 * window has received.
 */
function listen(): Promise<unknown> {
  listening ??= (async () => {
    const waymark = await vscode.extensions.getExtension<Waymark>('waymark.waymark')!.activate();
    waymark.onEvent(({ session, seq }) => heard.set(session, seq));
  })();
  return listening;
}

/** Starts a task through `waymark.runTask`. */
export async function runTask(task: string): Promise<Session> {
  await listen();
  const started = await vscode.commands.executeCommand<{ sessionId: string } | undefined>('waymark.runTask', { task });
  assert.ok(started, 'the task was not started');
  return sessionNamed(started.sessionId);
}

export function sessionNamed(id: string): Session {
  const folder = path.join(storage(), 'sessions', id);
  const events = (): Event[] => {
    const file = path.join(folder, 'session.waymark.jsonl');
    return fs.existsSync(file) ? eventsIn(file) : [];
  };
  const of = <Type extends EventType>(type: Type): EventOf<Type>[] =>
    events().filter((event): event is EventOf<Type> => event.type === type);
  return {
    id,
    folder,
    events,
    of,
    types: () => events().map(({ type }) => type),
    async reaches(type, count = 1) {
      const found = await until(`event ${type} (${count})`, () => of(type)[count - 1]).catch((error: Error) => {
        throw new Error(`${error.message}\n${JSON.stringify(events().slice(1), null, 1)}`);
      });
      await until(`the window hears of event ${type} (${count})`, () => (heard.get(id) ?? Infinity) >= found.seq);
      return found;
    },
  };
}

/** Approves or rejects the next pending question. */
export const decided = (name: 'waymark.approve' | 'waymark.refuse', ...args: unknown[]): Promise<boolean> =>
  until(`something that ${name} decides`, () => vscode.commands.executeCommand<boolean>(name, ...args));

/** Processes of this machine whose command line contains `text`. */
export function processesWith(text: string): string[] {
  return fs
    .readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const line = fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
        return line.includes(text) ? [`${pid} ${line}`] : [];
      } catch {
        return [];
      }
    });
}

/** Prints a line into the report of the suite, for figures that are measured but not checked. */
export function note(text: string): void {
  const { WAYMARK_TEST_REPORT: report } = process.env;
  if (report) fs.appendFileSync(report, `      · ${text}\n`);
}

export const command = <Answer>(name: string, ...args: unknown[]) =>
  vscode.commands.executeCommand<Answer>(name, ...args);

/** Changes settings of Waymark for the user: `{ mode: 'auto' }`. */
export async function setSettings(values: Readonly<Record<string, unknown>>): Promise<void> {
  for (const [key, value] of Object.entries(values))
    await vscode.workspace.getConfiguration('waymark').update(key, value, vscode.ConfigurationTarget.Global);
}

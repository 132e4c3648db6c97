// Sessions as on the command line, with real files and a log on disk, and with any model that a test provides.
import path from 'node:path';
import { AgentTerminal } from '../../src/adapters/terminal/agentTerminal';
import { diskFiles } from '../../src/adapters/files/diskFiles';
import { openEventLog, readEventLog } from '../../src/adapters/log/eventLog';
import { forkLog } from '../../src/adapters/log/fork';
import { ripgrepSearch } from '../../src/adapters/search/ripgrep';
import { surroundingsOf } from '../../src/adapters/sessions/surroundings';
import { resolveChoices } from '../../src/core/session/resolveChoices';
import { firstEvents } from '../../src/core/session/firstEvents';
import { Conversation } from '../../src/core/session/conversation';
import { sessionAgent, type SessionAgentParts } from '../../src/core/session/sessionAgent';
import type { Model } from '../../src/core/ports/model';
import { profileNamed } from '../../src/core/profiles/profiles';
import type { Profile } from '../../src/core/ports/profile';
import type { AgentEnvironment } from '../../src/core/ports/addedTools';
import type { Tool } from '../../src/core/ports/tool';
import { ToolSources } from '../../src/core/tools/toolSources';
import { forkFrom } from '../../src/core/trajectory/forkFrom';
import type { Event, Image, Limits } from '../../src/protocol/events/event';
import { temporaryWorkspace, type TemporaryWorkspace } from './temporaryWorkspace';

/** A working folder, the environment of tools in it, and a folder for logs. */
export interface WorkPlace {
  readonly workspace: TemporaryWorkspace;
  readonly environment: AgentEnvironment;
  /** Returns the path of a new log. */
  newLog(): string;
  stop(): Promise<void>;
}

/** `tools`: added tools, such as those of MCP servers. */
export function workPlace(tools: readonly Tool[] = []): WorkPlace {
  const workspace = temporaryWorkspace();
  const logs = temporaryWorkspace();
  const { root } = workspace;
  const places = { folders: [root] };
  const terminal = new AgentTerminal({ cwd: root, folders: [root], wanted: 'off', outputFolder: logs.at('outputs') });
  const added = new ToolSources();
  added.add({ tools: () => tools });
  const environment = { root, terminal, files: diskFiles(places), search: ripgrepSearch(places), added };
  let made = 0;
  return {
    workspace,
    environment,
    newLog: () => logs.at(`session-${++made}.waymark.jsonl`),
    async stop() {
      await terminal.dispose();
      workspace.stop();
      logs.stop();
    },
  };
}

export interface SessionOptions extends Partial<Pick<SessionAgentParts, 'children' | 'sampling'>> {
  readonly profile?: Profile;
  readonly limits?: Partial<Limits>;
  readonly toolsets?: readonly string[];
  readonly images?: readonly Image[];
}

/** An open session. */
export interface RealSession {
  readonly file: string;
  readonly conversation: Conversation;
  history(): readonly Event[];
  /** Resolves when the loop is idle. */
  rested(): Promise<readonly Event[]>;
  /** Closes the log. The session can be reopened from it. */
  close(): Promise<void>;
}

/** Starts a session and its run. */
export async function beginSession(
  place: WorkPlace,
  model: Model,
  task: string,
  options: SessionOptions = {},
): Promise<RealSession> {
  const session = openSession(place, model, place.newLog(), options);
  const { profile: usual = profileNamed('waymark'), limits = {}, toolsets, images } = options;
  const given = {
    mode: 'auto' as const,
    confirmation: 'never' as const,
    limits,
    ...(toolsets && { toolsets }),
    ...(images && { images }),
  };
  const { profile, settings, tools } = await resolveChoices(given, {
    profile: usual,
    profileOf: () => usual,
    trusted: true,
    added: place.environment.added?.tools(),
  });
  const surroundings = surroundingsOf({ root: place.environment.root });
  for (const event of await firstEvents(task, { profile, model, tools }, surroundings, settings))
    session.conversation.append(event);
  session.conversation.wake();
  return session;
}

/** Opens a session from its log on disk, optionally with another model. Runs nothing. */
export function openSession(
  { environment }: WorkPlace,
  model: Model,
  file: string,
  { profile, limits: _limits, ...parts }: SessionOptions = {},
): RealSession {
  const { events, store, problem } = openEventLog(file);
  if (!store) throw new Error(problem);
  const surroundings = surroundingsOf({ root: environment.root });
  const agent = sessionAgent({
    model,
    environment,
    surroundings,
    trusted: true,
    attended: false,
    profile: (name) => profile ?? profileNamed(name),
    ...(parts.children && { children: parts.children }),
    ...(parts.sampling && { sampling: parts.sampling }),
  });
  const failures: unknown[] = [];
  const conversation = new Conversation(
    agent,
    { events, store },
    { onFailure: (thrown) => void failures.push(thrown) },
  );
  if (events.length > 0) conversation.append({ type: 'settings_changed', model: model.info });
  return {
    file,
    conversation,
    history: () => conversation.history,
    async rested() {
      await conversation.rested();
      return conversation.history;
    },
    close: () => store.close(),
  };
}

/**
 * Forks a session into a log of its own, from its end or after the event `seq`. It continues with another instruction,
 * or as the original would have.
 */
export async function forkSession(
  place: WorkPlace,
  model: Model,
  from: string,
  { seq, instruction, ...options }: SessionOptions & { seq?: number; instruction?: string } = {},
): Promise<RealSession> {
  const { events } = readEventLog(from);
  const last = seq ?? events.length - 1;
  const to = place.newLog();
  const store = await forkLog({ session: path.basename(from), file: from, seq: last }, to);
  await store.close();
  const session = openSession(place, model, to, options);
  for (const event of forkFrom(session.history(), instruction)) session.conversation.append(event);
  session.conversation.wake();
  return session;
}

import fs from 'node:fs';
import path from 'node:path';
import { diskFiles } from '../../../src/adapters/files/diskFiles';
import { createTerminal } from '../../../src/adapters/terminal/ptyTerminal';
import { ripgrepSearch } from '../../../src/adapters/search/ripgrep';
import { firstEvents, type TaskSettings } from '../../../src/core/session/firstEvents';
import type { Conversation } from '../../../src/core/session/conversation';
import type { ConversationListener } from '../../../src/core/session/publication';
import { toolsOf, type SessionAgentParts } from '../../../src/core/session/sessionAgent';
import type { Model } from '../../../src/core/ports/model';
import type { Profile, Templates } from '../../../src/core/ports/profile';
import { profileNamed, withTemplates } from '../../../src/core/profiles/profiles';
import type { Environment } from '../../../src/core/ports/environment';
import { Event } from '../../../src/protocol/events/event';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace';
import { Family } from './family';
import type { CommandOptions, Terminal } from '../../../src/core/ports/terminal';

/** The same terminal with a shorter timeout for each command, so that tests are fast. */
function impatient(terminal: Terminal, seconds: number): Terminal {
  const shorter = (options: CommandOptions): CommandOptions => ({
    ...options,
    timeoutMs: Math.min(options.timeoutMs, seconds * 1000),
  });
  return {
    run: (command, options) => terminal.run(command, shorter(options)),
    answer: (text, options) => terminal.answer(text, shorter(options)),
    dispose: () => terminal.dispose(),
  };
}

export interface Beginning extends Partial<TaskSettings> {
  /** Name of the profile. */
  readonly profile: string;
  readonly model: Model;
  readonly task?: string;
  /** Templates that replace those of the profile. */
  readonly templates?: Templates;
  /** Changes to the profile other than its templates. */
  readonly changes?: Partial<Profile>;
  /** A log to resume. */
  readonly saved?: readonly Event[];
  /** Place of the work; a new folder by default. */
  readonly place?: Place;
  /** True if a user can be asked. */
  readonly attended?: boolean;
  /** Timeout of commands, in seconds; by default that of their tool. */
  readonly commandSeconds?: number;
  readonly listener?: ConversationListener;
  /** Other parts of agents. */
  readonly parts?: Partial<SessionAgentParts>;
}

/** A real folder with a real shell in it. */
export interface Place {
  readonly workspace: TemporaryWorkspace;
  readonly environment: Environment;
}

/** A conversation in a place. */
export interface Run extends Place {
  readonly conversation: Conversation;
  /** Subsessions of the session and of its children, oldest first. */
  children(): readonly Conversation[];
  /** The log, parsed from its file. */
  saved(): Event[];
  /** Calls a function with the output of commands while they run. */
  onOutput(listen: (text: string) => void): void;
  /** Runs until the session is idle. */
  go(): Promise<Run>;
}

/** Environment of a case. Everything started in it is stopped with it. */
export class World {
  readonly #ends: (() => unknown)[] = [];

  /** Registers a cleanup for the end of the case. Cleanups run in reverse order. */
  after(end: () => unknown): void {
    this.#ends.push(end);
  }

  async end(): Promise<void> {
    for (const end of this.#ends.splice(0).reverse()) await end();
  }

  place(): Place {
    const workspace = temporaryWorkspace('project');
    const root = workspace.root;
    const outputFolder = path.join(root, '..', 'outputs');
    const terminal = createTerminal({ cwd: root, outputFolder, shell: '/bin/bash' });
    this.after(() => workspace.stop());
    this.after(() => terminal.dispose());
    const places = { folders: [root], readableFolders: [outputFolder] };
    return { workspace, environment: { root, terminal, files: diskFiles(places), search: ripgrepSearch(places) } };
  }

  /** A session that has received its task but has not started, created as the command line and the panel do. */
  async begin({
    profile: name,
    model,
    task = 'Do it.',
    templates = {},
    changes = {},
    saved = [],
    place = this.place(),
    attended = true,
    commandSeconds,
    listener = {},
    parts = {},
    ...settings
  }: Beginning): Promise<Run> {
    const profile = { ...withTemplates(profileNamed(name), templates), ...changes };
    const named = (wanted: string): Profile => (wanted === name ? profile : profileNamed(wanted));
    const patientPlace =
      commandSeconds === undefined
        ? place
        : {
            ...place,
            environment: { ...place.environment, terminal: impatient(place.environment.terminal, commandSeconds) },
          };
    const family = new Family(this, { place: patientPlace, model, attended, named, parts });
    const listening: ((text: string) => void)[] = [];
    const { conversation, file } = family.open(saved, {
      ...listener,
      onDelta(delta) {
        if (delta.kind === 'output') for (const listen of listening) listen(delta.text);
        listener.onDelta?.(delta);
      },
    });
    if (saved.length === 0) {
      const chosen = { mode: 'auto', confirmation: 'risky', limits: profile.limits, ...settings } as const;
      (
        await firstEvents(
          task,
          {
            profile,
            model,
            tools: toolsOf(chosen, profile, { trusted: true }),
            memory: place.environment.memory,
            scripts: place.environment.scripts,
            skills: place.environment.skills,
          },
          family.surroundings,
          chosen,
        )
      ).forEach(conversation.append);
    }
    const run: Run = {
      ...place,
      conversation,
      children: () => family.sessions.slice(1).map((each) => each.conversation),
      onOutput: (listen) => void listening.push(listen),
      saved: () =>
        (fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '')
          .split('\n')
          .slice(1, -1)
          .map((line) => Event.parse(JSON.parse(line))),
      async go() {
        conversation.wake();
        await conversation.rested();
        return run;
      },
    };
    return run;
  }
}

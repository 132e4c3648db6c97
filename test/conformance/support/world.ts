import fs from 'node:fs';
import path from 'node:path';
import { diskFiles } from '../../../src/adapters/files/diskFiles';
import { createTerminal } from '../../../src/adapters/terminal/ptyTerminal';
import { ripgrepSearch } from '../../../src/adapters/search/ripgrep';
import { taskStarted, type TaskSettings } from '../../../src/core/session/assemble';
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
import { impatient } from './impatient';

export interface Beginning extends Partial<TaskSettings> {
  /** By name. */
  readonly profile: string;
  readonly model: Model;
  readonly task?: string;
  /** In place of words of the profile. */
  readonly templates?: Templates;
  /** What is changed of the profile beside its words. */
  readonly changes?: Partial<Profile>;
  /** A log to go on with. */
  readonly saved?: readonly Event[];
  /** Where the work is done; a new folder when absent. */
  readonly place?: Place;
  /** Whether somebody can be asked. */
  readonly attended?: boolean;
  /** Commands that take longer run out of time; as long as their tool allows when absent. */
  readonly commandSeconds?: number;
  readonly listener?: ConversationListener;
  /** Anything else that agents are put together from. */
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
  /** The sessions that it or one of its children began, oldest first. */
  children(): readonly Conversation[];
  /** The log, parsed from the file it is kept in. */
  saved(): Event[];
  /** Has a function called with what commands print, while they print it. */
  onOutput(listen: (text: string) => void): void;
  /** Lets it work until it rests. */
  go(): Promise<Run>;
}

/** Where a case happens: everything that it begins is ended with it. */
export class World {
  readonly #ends: (() => unknown)[] = [];

  /** Has something done when the case is over; what came last is done first. */
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

  /** A session that has been told its task and has not worked yet: the way the command line and the panel begin one. */
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
        await taskStarted(
          task,
          {
            profile,
            model,
            tools: toolsOf(chosen, profile, true),
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

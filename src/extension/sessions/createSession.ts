import fs from 'node:fs';
import * as vscode from 'vscode';
import type { CheckpointStore } from '../../adapters/checkpoints/checkpointStore';
import { sweepDraftsBelow } from '../../adapters/files/drafts';
import type { OpenedLog } from '../../adapters/log/eventLog';
import type { Sessions } from '../../adapters/sessions/sessions';
import { surroundingsOf } from '../../adapters/sessions/surroundings';
import { isInWorktrees } from '../../adapters/storage/stateFolder';
import { startedActionIds, startedActions } from '../../core/log/openActions';
import type { History } from '../../core/log/projection';
import { warning, type Warn } from '../../core/log/eventFacts';
import type { AgentEnvironment } from '../../core/ports/addedTools';
import type { Model } from '../../core/ports/model';
import { childRunner, type ChildSessions } from '../../core/session/childRuns';
import { shownToPeople } from '../../core/text/shownName';
import type { EventOf } from '../../protocol/events/event';
import { readSettings, type Settings } from '../common/settings';
import type { WindowHooks } from '../hooks/windowHooks';
import { LiveSession, type SessionListener, type SessionWork } from './liveSession';
import { ownProfile, ownSampling } from './ownProfile';
import {
  sessionEnvironment,
  withHookProcesses,
  type SessionEnvironment,
  type WindowMemory,
} from './sessionEnvironment';
import { beganElsewhere, startingWith } from './sessionFolders';

/** What the sessions of a window share. */
export interface SharedParts {
  /** The open sessions, among which sub-agent sessions are opened. */
  readonly sessions: ChildHost;
  readonly stored: Sessions;
  readonly hooks: WindowHooks;
  readonly checkpoints: CheckpointStore;
  readonly memory: WindowMemory;
  readonly models: NamedModels;
  readonly listener: SessionListener;
  /** Returns the stores of a session in the folder `cwd`. */
  storesFor(id: string, cwd: string): Pick<AgentEnvironment, 'memory' | 'pastSessions' | 'skills' | 'added'>;
}

/** Looks up models. Rejects with an `Error` with a message for people. */
export interface NamedModels {
  /** Returns a model that the user named in a setting: "name" or "address name". */
  modelFromSetting(text: string): Promise<Model>;
  /** Returns a model that a file or a model asks for. Accepts no address. */
  byName(name: string): Promise<Model>;
}

/** A session that was just opened in this window. */
export interface CreatedSession {
  readonly session: LiveSession;
  readonly environment: SessionEnvironment;
}

/**
 * Creates the session of a log. It continues in the folder in which it started; a new session starts in the first of
 * `all`. `work`: set for a sub-agent session.
 */
export function createSession(
  {
    id,
    all,
    log,
    work,
  }: {
    readonly id: string;
    readonly all: readonly string[];
    readonly log: OpenedLog;
    readonly work: SessionWork | undefined;
  },
  shared: SharedParts,
): CreatedSession {
  const started = log.events.find((event) => event.type === 'task_started');
  const worksInWorktree = started?.worktree !== undefined && isInWorktrees(started.cwd);
  const obstacle = started && folderProblem(started, worksInWorktree, all);
  if (obstacle !== undefined) log = readOnly(log, obstacle);
  const folders = worksInWorktree ? [started.cwd] : startingWith(started?.cwd, all);
  // If the window crashed during an action, drafts of its files may remain.
  if (startedActions(log.events).length > 0) void sweepDraftsBelow(folders);
  const settings = readSettings();
  const trusted = vscode.workspace.isTrusted;
  const hooks = trusted ? shared.hooks.hooksForSession(id, folders[0]!, settings) : undefined;
  const warn: Warn = (...told) => void session.conversation.append(warning(...told));
  const own = environmentFor({ id, folders, settings, warn, events: log.events, work }, shared);
  const environment = withHookProcesses(own, hooks);
  const parent = (): LiveSession => session;
  const session: LiveSession = new LiveSession({
    id,
    log,
    environment,
    trusted,
    children: childRunner(
      {
        session: id,
        history: () => session.conversation.history,
        onDelta: (delta) => session.publish(delta),
      },
      childSessions(shared.sessions, parent, (name) => shared.models.byName(name)),
    ),
    ...(hooks && { hooks }),
    ...(work ? { work } : own.holdsHome && { caution: homeCaution() }),
    listener: shared.listener,
    customToolsets: settings.customToolsets,
    profileOf: (name) => ownProfile(name, environment.root),
    samplingOf: () => ownSampling((text) => shared.models.modelFromSetting(text)),
    surroundings: surroundingsOf({
      root: environment.root,
      otherFolders: folders.slice(1),
      shell: settings.shell || vscode.env.shell || 'sh',
      mayAct: trusted,
    }),
  });
  return { session, environment };
}

const homeCaution = (): string =>
  vscode.l10n.t(
    'This workspace contains your home folder. The agent and its commands can change all your files, not only those of a project. Open a project folder instead.',
  );

/** Returns why a session cannot continue in its folder, in words for the user. */
function folderProblem(
  { cwd, worktree }: EventOf<'task_started'>,
  worksInWorktree: boolean,
  all: readonly string[],
): string | undefined {
  if (worktree !== undefined && !fs.existsSync(cwd))
    return vscode.l10n.t('This session’s worktree was deleted, so the session is read-only.');
  if (worksInWorktree || !beganElsewhere(cwd, all)) return undefined;
  return vscode.l10n.t(
    'This session is read-only: it worked in {0}, which is not open in this window. To continue it, add the folder to the workspace.',
    shownToPeople(cwd),
  );
}

function readOnly(log: OpenedLog, problem: string): OpenedLog {
  const { store, ...rest } = log;
  void store?.close();
  return { ...rest, problem: log.problem ?? problem };
}

/** Returns the environment of a session's tools. */
function environmentFor(
  {
    id,
    folders,
    settings,
    warn,
    events,
    work: { family = id, workFor } = {},
  }: {
    readonly id: string;
    readonly folders: readonly string[];
    readonly settings: Settings;
    readonly warn: Warn;
    readonly events: History;
    readonly work?: Partial<SessionWork> | undefined;
  },
  { stored, checkpoints, memory, storesFor }: SharedParts,
): SessionEnvironment {
  return sessionEnvironment({
    session: id,
    folders,
    outputFolder: stored.outputsOf(id),
    settings,
    stores: storesFor(id, folders[0]!),
    warn,
    window: memory,
    copies: {
      log: stored.logOf(id),
      store: checkpoints,
      family,
      familyLog: stored.logOf(family),
      workFor,
      begun: startedActionIds(events),
    },
  });
}

/** The part of a window's sessions that sub-agent sessions need. */
interface ChildHost {
  /** True while the window is closing. */
  readonly closing: boolean;
  openSession(
    id: undefined,
    options: { readonly work: SessionWork; readonly root: string; readonly worktree?: string },
  ): LiveSession;
  environmentOf(id: string): Pick<SessionEnvironment, 'skills' | 'added'> | undefined;
  /** Closes a session that has reported to its parent. */
  release(id: string): Promise<void>;
}

/**
 * Returns the sub-agent sessions of `parent`. They are sessions of this window like any other: listed, viewable, and
 * with the same approvals.
 */
function childSessions(
  sessions: ChildHost,
  parent: () => LiveSession,
  modelNamed: (name: string) => Promise<Model>,
): ChildSessions {
  return {
    skills: () => sessions.environmentOf(parent().id)?.skills,
    async open(task, { actionId, listener, wrapAgent }) {
      const model = task.model === undefined ? parent().model : await modelNamed(task.model);
      const above = parent();
      const { root } = above.parts.surroundings;
      const worktree = above.worktree && root;
      const session = sessions.openSession(undefined, {
        root,
        work: { conversationListener: listener, wrapAgent, family: above.family, workFor: above.workFor ?? actionId },
        ...(worktree !== undefined && { worktree }),
      });
      if (session.problem !== undefined) throw new Error(session.problem);
      session.useModel(model);
      const { id, conversation } = session;
      const { surroundings, trusted, customToolsets, profileOf } = session.parts;
      const { skills, added } = sessions.environmentOf(id) ?? {};
      return {
        id,
        conversation,
        model,
        surroundings,
        trusted,
        customToolsets,
        skills,
        added,
        attended: true,
        profile: profileOf,
        // A session interrupted by the closing window can be resumed.
        stop: (reason) => (sessions.closing ? conversation.interrupt(reason) : session.stop(reason)),
        close: () => sessions.release(id),
      };
    },
  };
}

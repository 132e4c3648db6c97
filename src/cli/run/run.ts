import fs from 'node:fs';
import path from 'node:path';
import { checkpointStore } from '../../adapters/checkpoints/checkpointStore';
import { sweepDrafts } from '../../adapters/files/drafts';
import { openEventLog, readEventLog, type EventLog } from '../../adapters/log/eventLog';
import { modelFor, otherModel } from '../../adapters/models/models';
import { surroundingsOf } from '../../adapters/sessions/surroundings';
import { personaNamed } from '../../core/session/narrowByPersona';
import type { Conversation } from '../../core/session/conversation';
import type { ConversationListener } from '../../core/session/publication';
import { openSession } from '../../core/session/openSession';
import { givenSource } from '../../core/session/settingsFrom';
import {
  settingsOf,
  startedActions,
  statusOf,
  openQuestions,
  undecidedActions,
  type History,
} from '../../core/log/history';
import type { Model } from '../../core/ports/model';
import { secrets } from '../../core/secrets/secrets';
import { modelByName } from '../../core/model/modelByName';
import type { GivenSettings } from '../../core/settings/table';
import type { Event } from '../../protocol/events/event';
import { agreesTo, type ConsentFlags } from '../consent/consentFlags';
import { isAttended } from '../consent/ask';
import { approvesByName, choicesOf, chosenProfile, goOn, samplingOf, type WorkOptions } from './begin';
import { childrenIn, sessionName } from './children';
import { sessionEnded } from '../../core/agent/hooks';
import { hooksForRun } from './hooksForRun';
import { exitCode } from './exitCode';
import { controlled } from './controlled';
import type { DesignOptions } from './designOptions';
import { interruptedForNote } from './noteAfterInterruption';
import { isCountable, tellsCost, uncountedWords } from '../../core/model/countableCost';
import { Family, isHeld } from './family';
import { stderr, stdout } from '../output/output';
import { writeRunReport } from './runReport';
import { onSignals } from './signals';
import { modelSettings, otherModelNamed, type ModelOptions } from './modelOptions';
import { leftOut, settleSkills } from '../consent/skillConsent';
import { childLines, jsonLines, transcript } from './transcript';
import { checkpointFolder, sharedByRun, storedSessions, workplace, type PlaceOptions } from './workplace';

export interface RunOptions extends WorkOptions, ConsentFlags, ModelOptions, PlaceOptions, DesignOptions {
  readonly settings: GivenSettings;
  readonly cwd?: string;
  readonly script?: string;
  readonly log?: string;
  /** The log, or the id of the session, that this one goes on from. */
  readonly fork?: string;
  /** The last event of it that both have; the very last when absent. */
  readonly at?: number;
  /** In place of `at`: the last step, from 1. */
  readonly afterStep?: number;
  readonly json?: boolean;
  /** Options as they were typed that a continued run needs again. */
  readonly again?: readonly string[];
  /** Names of the MCP servers that it may use; "all" for every one of them. */
  readonly mcp?: readonly string[];
  /** Stay for another task when one is done. */
  readonly interactive?: boolean;
  /** A file for a JUnit report. */
  readonly junit?: string;
  /** Where it shows what happens, in place of the terminal. */
  readonly show?: ConversationListener;
  /** Asks the model in another way. */
  readonly asking?: (model: Model) => Model;
}

/** Works on a task without an editor. Resolves to the exit code; throws an `Error` in words when it cannot begin. */
export async function run(task: string, options: RunOptions): Promise<number> {
  if (!task.trim() && !approvesByName(options)) throw new Error('There is no task. Say in words what should be done.');
  const wanted = options.cwd === undefined ? undefined : folderAt(options.cwd);
  if (options.settings.mode === 'human' && !isAttended())
    throw new Error(
      'In human mode each command is typed at a terminal, and there is none here. Choose another --mode, or run this in a terminal.',
    );
  if (!options.mcp && (options.allowMcp || options.agree?.includes('mcp')))
    throw new Error('--agree mcp agrees to start servers. Name them with --mcp.');
  const model = await chosenModel(options);
  refuseUncountable(options, model);
  const file = path.resolve(options.log ?? newLog());
  const sessions = storedSessions();
  const id = sessions.idOf(file);
  const began = Date.now();
  const forked = options.fork !== undefined;
  if (!forked && (options.at !== undefined || options.afterStep !== undefined))
    throw new Error('--at and --after-step say where to go on from another session. Name that with --fork.');
  if (!forked && options.restoreFiles)
    throw new Error(
      '--restore-files restores the files of the session that this one goes on from. Name that with --fork.',
    );
  if (forked && approvesByName(options))
    throw new Error(
      'Consent is about an action of one session, and --fork begins another one. Leave --approve and --approve-outside out.',
    );
  if (forked) {
    const { forkTo } = await import('./forkTo');
    await forkTo(file, options.fork!, options, (events) => rootOf(events, wanted));
  }
  const { events, store, problem } = id === undefined ? openEventLog(file) : sessions.open(id);
  if (!store) throw new Error(problem);
  let code;
  let history: (() => readonly Event[]) | undefined;
  try {
    if (events.length === 0 && approvesByName(options))
      throw new Error('Nothing waits for consent in a session that only begins. Name its log with --log.');
    const root = rootOf(events, wanted);
    // A program that died while it acted may have died while it wrote a file.
    if (startedActions(events).length > 0) await sweepDrafts([root]);
    ({ code, history } = await work(task, options, { model, file, events, store, root, forked }));
  } finally {
    await store.close();
    // The log need not be read again where all of it is there.
    const known = store.failure ? undefined : history?.();
    if (id !== undefined) sessions.remember(id, known ?? readEventLog(file).events, store.stand);
  }
  if (options.junit !== undefined) writeRunReport(options.junit, task, readEventLog(file).events, { began });
  if (store.failure) throw new Error(`The last events of this run are not in ${file}. ${store.failure.message}`);
  return code;
}

interface Worked {
  readonly code: number;
  /** All that happened, to the end. */
  history(): readonly Event[];
}

interface Begun {
  readonly model: Model;
  readonly file: string;
  readonly events: readonly Event[];
  readonly store: EventLog;
  readonly root: string;
  readonly forked: boolean;
}

async function work(
  task: string,
  options: RunOptions,
  { model: chosen, file, events, store, root, forked }: Begun,
): Promise<Worked> {
  const attended = isAttended();
  const show = options.show ?? (options.json ? jsonLines(stdout) : transcript(stdout, events));
  const shared = sharedByRun(root);
  const environment = workplace(
    root,
    file,
    (text) => conversation.append({ type: 'notice', level: 'warning', text }),
    shared,
    options,
  );
  const usual = await chosenProfile(settingsOf(events)?.profile ?? options.settings.profile ?? 'waymark', options);
  const sampling = await samplingOf(options, (name) => besideModel(name, options));
  const { hooks, leftOut: hooksLeft } =
    options.hooks === false
      ? { hooks: undefined, leftOut: [] }
      : await hooksForRun(root, sessionName(file), options.settings.sandbox, {
          agree: agreesTo(options, 'hooks'),
          attended,
        });
  const skillsLeft =
    usual.skills || options.persona !== undefined
      ? await settleSkills(shared.skills, chosen.info.name, { agree: agreesTo(options, 'skills'), attended })
      : [];
  const persona =
    options.persona === undefined || events.length > 0
      ? undefined
      : await personaNamed(options.persona, environment.skills, chosen.info.name);
  const profile =
    persona?.persona?.profile === undefined ? usual : await chosenProfile(persona.persona.profile, options);
  const model = persona?.persona?.model === undefined ? chosen : await modelNamed(persona.persona.model, options);
  const family = new Family();
  const children = childrenIn(
    {
      file,
      root,
      model,
      profile,
      attended,
      family,
      sampling,
      settings: options.settings,
      stateIn: options.stateIn,
      hidden: options.hidden,
      hooks,
      shared,
      modelNamed: (name) => modelNamed(name, options),
      profileNamed: (name) => chosenProfile(name, options),
      show: (id, title) => (options.show ? {} : options.json ? jsonLines(stdout, id) : childLines(stdout, title)),
    },
    () => conversation.history,
  );
  const session = openSession({
    model,
    environment,
    children,
    surroundings: surroundingsOf({ root }),
    trusted: true,
    attended,
    // The chosen one, and the one that its persona works with, are looked up already.
    profileOf: (name) => [usual, profile].find((known) => known.name === name) ?? chosenProfile(name, options),
    samplingOf: () => sampling,
    customToolsets: givenSource(options.settings).get('customToolsets'),
    ...(hooks && { hooks }),
    events,
    store,
    listener: show,
  });
  const conversation: Conversation = session.conversation;
  /** How much of the log was there before this run. */
  const before = events.length;
  const interrupted = new AbortController();
  /** From the moment that somebody wants the end: what only begins then is not begun. */
  const unwanted = new AbortController();
  let release = (): void => undefined;
  const stop = async (reason: string): Promise<void> => {
    unwanted.abort();
    const [members, processes] = [family.all.length, environment.processes()];
    await conversation.stop(reason);
    if (!options.json)
      stderr.write(`Stopped: the run, sessions that worked for it: ${members}, processes: ${await processes}.\n`);
    interrupted.abort();
    release();
  };
  const stopHeeding = controlled(file, { conversation, family, stop, goesOn: () => release() });
  const stopListening = onSignals({
    stop,
    interrupt: () => attended && interruptedForNote(conversation),
    leave() {
      const waits = ['waiting_for_confirmation', 'waiting_for_answer'].includes(statusOf(conversation.history));
      // As with Ctrl-D: the question stays open in the log, and --log continues there.
      if (waits) interrupted.abort();
      return waits;
    },
    pause() {
      const all = [conversation, ...family.all.map((child) => child.conversation)];
      const held = all.filter(({ history }) => isHeld(history));
      for (const one of held) one.resume();
      if (held.length > 0) release();
      else for (const one of all) one.pause();
    },
  });
  let servers: { stop(): Promise<number> } | undefined;
  try {
    if (options.mcp) {
      const { mcpForRun } = await import('./mcpForRun');
      servers = await mcpForRun({
        root,
        names: options.mcp,
        task,
        asking: { agree: agreesTo(options, 'mcp'), attended },
        signal: unwanted.signal,
        setting: options.settings['mcp.servers'],
        added: shared.added,
      });
    }
    if (unwanted.signal.aborted) return { code: 130, history: () => conversation.history };
    if (events.length === 0) {
      await session.begin(task, model, choicesOf(options, usual.name, persona));
      if (options.step) conversation.append({ type: 'settings_changed', stepping: true });
    } else goOn(conversation, task, model, options, forked);
    for (const { path: file, words } of hooksLeft)
      conversation.append({ type: 'notice', level: 'warning', about: 'hooks_left_out', text: words, files: [file] });
    if (skillsLeft.length > 0)
      conversation.append({
        type: 'notice',
        level: 'warning',
        about: 'skills_left_out',
        text: leftOut(skillsLeft),
        files: skillsLeft.map(({ path: left }) => left),
      });
    conversation.wake();
    // While the model answers, the folder is looked at for the first time.
    environment.prepare();
    void cleanCheckpoints(options);
    if (attended) await family.needsPerson(conversation);
    else await conversation.rested();
    // Whoever is told to go on in the moment of its pause runs already.
    while (!attended && (conversation.running || isHeld(conversation.history)) && !interrupted.signal.aborted) {
      if (!conversation.running)
        await new Promise<void>((resolve) => {
          const alive = setInterval(() => undefined, 2 ** 30);
          release = () => {
            clearInterval(alive);
            resolve();
          };
        });
      await conversation.rested();
    }
    if (attended)
      await (await import('./attend')).attend(conversation, family, interrupted.signal, options.interactive === true);
    // Nobody is there any more whom a child could ask.
    if (conversation.running) await conversation.interrupt('Nobody is at the terminal.');
    endAnswer(conversation);
    if (options.json) for (const event of stillWaiting(conversation.history, before)) show.onEvent?.(event);
    // Formats of other agents are loaded only where a trajectory is wanted.
    const keepsTrajectory = options.output !== undefined || Boolean(options.settings.saveTrajectories);
    if (!store.failure && keepsTrajectory) {
      const { keepTrajectories } = await import('./keepTrajectories');
      keepTrajectories(conversation.history, file, options);
    }
    const { code, words } = exitCode(conversation.history, file, options.again);
    if (words && !options.json && !store.failure) stderr.write(`${secrets.mask(words)}\n`);
    return { code, history: () => conversation.history };
  } finally {
    stopHeeding();
    stopListening();
    if (hooks)
      await sessionEnded(hooks, {
        history: conversation.history,
        emit: conversation.append,
        signal: AbortSignal.timeout(10_000),
      }).catch(() => undefined);
    await Promise.all([environment.dispose(), hooks?.dispose(), servers?.stop()]);
  }
}

/**
 * Events from before this run that hold what still waits for a person: a reader of this run's lines alone would not
 * know what it ended for. `before`: how many events there were when the run began.
 */
function stillWaiting(history: History, before: number): Event[] {
  if (!['waiting_for_confirmation', 'waiting_for_answer'].includes(statusOf(history))) return [];
  const asked = undecidedActions(history).map(({ id }) => id);
  const questions = openQuestions(history).map(({ actionId }) => actionId);
  const ids = new Set([...asked, ...questions]);
  return history.slice(0, before).filter((event) => {
    if (event.type === 'agent_response') return event.actions.some(({ id }) => ids.has(id));
    if (event.type === 'confirmation_requested') return event.actionIds.some((id) => asked.includes(id));
    return event.type === 'question_asked' && questions.includes(event.actionId);
  });
}

/** Deletes copies of files that are kept no longer. A store that cannot be cleaned now is cleaned another day. */
async function cleanCheckpoints({ settings }: RunOptions): Promise<void> {
  const store = checkpointStore(checkpointFolder());
  if (!store.isToBeCleaned) return;
  const { cleanUp, usualPolicy } = await import('../../adapters/checkpoints/cleanUp');
  const policy = {
    days: settings['checkpoints.days'] ?? usualPolicy.days,
    megabytes: settings['checkpoints.megabytes'] ?? usualPolicy.megabytes,
  };
  await cleanUp(store, policy).catch(() => undefined);
}

/** A limit of cost that would never end the run is told before anything is spent. Throws an `Error` in words. */
function refuseUncountable({ settings }: RunOptions, { info }: Model): void {
  const limit = settings['limits.cost'] ?? 0;
  if (limit === 0 || settings['limits.ignoreUnknownCost']) return;
  if (isCountable(info, settings['model.prices'], tellsCost(settings['model.provider'], settings['model.baseUrl'])))
    return;
  throw new Error(
    `${uncountedWords(info.name, limit)} Give its price with --prices '{"${info.name}":{"input":1,"output":4}}' (US dollars for a million tokens), or begin all the same with --ignore-unknown-cost; --max-steps and --max-seconds count in any case.`,
  );
}

/** The words of the model are the answer: the log ends as with any other end. */
function endAnswer(conversation: Conversation): void {
  const { history } = conversation;
  const answer = history.findLast((event) => event.type === 'agent_response');
  if (statusOf(history) !== 'idle' || !answer || answer.by === 'person') return;
  conversation.append({ type: 'finished', status: 'submitted', cause: 'answer', summary: answer.text });
}

/** Another model of the same server. Throws an `Error` in words for the model. */
const modelNamed = async (name: string, options: RunOptions): Promise<Model> =>
  chosenModel(withModel(options, modelByName(name, { name: options.settings['model.name'] }).name));

const withModel = (options: RunOptions, name: string): RunOptions => ({
  ...options,
  settings: { ...options.settings, 'model.name': name },
});

/** A model that the person named beside the main one, by "name" or "address name". */
async function besideModel(text: string, options: RunOptions): Promise<Model> {
  if (options.script !== undefined) return chosenModel(options);
  const [settings, other] = await Promise.all([modelSettings(options), otherModelNamed(text)]);
  return otherModel(settings, other);
}

async function chosenModel(options: RunOptions): Promise<Model> {
  const settings =
    options.script === undefined
      ? await modelSettings(options)
      : ({ provider: 'tutorial', script: options.script } as const);
  const model = await modelFor(settings);
  return options.asking?.(model) ?? model;
}

function folderAt(cwd: string): string {
  const folder = path.resolve(cwd);
  if (!fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new Error(`${folder} is not a folder. Name one that is there with --cwd.`);
  return fs.realpathSync(folder);
}

/** A session goes on where it began. */
function rootOf(events: readonly Event[], wanted: string | undefined): string {
  const began = settingsOf(events)?.cwd;
  if (began !== undefined && wanted !== undefined && began !== wanted)
    throw new Error(`This session works in ${began}. Leave --cwd out, or begin another session with another --log.`);
  return wanted ?? folderAt(began ?? '.');
}

function newLog(): string {
  const sessions = storedSessions();
  return sessions.logOf(sessions.newId());
}

import v8 from 'node:v8';
import { checkpointStore } from '../../adapters/checkpoints/checkpointStore';
import { holdsHome } from '../../adapters/files/holdsHome';
import { sweepDraftsBelow } from '../../adapters/files/drafts';
import { readEventLog } from '../../adapters/log/eventLog';
import { openQuestions, startedActions, undecidedActions } from '../../core/log/openActions';
import { settingsOf } from '../../core/log/runSettings';
import { statusOf, waitsForPerson } from '../../core/log/status';
import type { History } from '../../core/log/projection';
import type { Model } from '../../core/ports/model';
import { secrets } from '../../core/secrets/secrets';
import type { Conversation } from '../../core/session/conversation';
import type { OpenedSession } from '../../core/session/openSession';
import { shownToPeople } from '../../core/text/shownName';
import type { Event, SessionContainer } from '../../protocol/events/event';
import { isAttended, Questions, type ConsentMeans } from '../consent/ask';
import { agreesTo } from '../consent/folderTrust';
import { stderr } from '../output/output';
import { choicesOf, continueConversation } from './begin';
import { quotedWord } from './continueCommand';
import { exitCode } from './exitCode';
import { ActiveChildren, isAtCheckpoint } from './activeChildren';
import { RunControls } from './runControls';
import { folderAt } from './folderAt';
import { afterRunInFolder, afterWorktreeRun, openRunLog, type RunLog } from './runLog';
import { modelFromOptions, refuseUncountable } from './runModels';
import { refuseContradictions, type RunOptions } from './runOptions';
import { openRunSession, type RunSession } from './runSession';
import { holdSignals, type HeldSignals } from './signals';
import { checkpointFolder } from './workplace';
import type { ExitCode } from '../output/exitCodes';
import { printMaskedToStderr } from '../output/masked';

/**
 * Runs a task without an editor. Resolves to the exit code. Rejects with an `Error` with a message for people if it
 * cannot begin.
 */
export async function run(task: string, options: RunOptions): Promise<ExitCode<'run'>> {
  const began = performance.now();
  try {
    return await runTask(task, options, began);
  } catch (error) {
    // In a CI system, a missing report would hide the reason.
    if (options.junit !== undefined) await reportError(options.junit, task, error as Error, began);
    throw error;
  }
}

/** If the report cannot be written, the original error still counts. */
async function reportError(file: string, task: string, error: Error, began: number): Promise<void> {
  const { reportFailure } = await import('./runOutputs');
  try {
    reportFailure(file, task, error, { began });
  } catch (problem) {
    stderr.write(`The report ${shownToPeople(file)} could not be written. ${(problem as Error).message}\n`);
  }
}

async function runTask(task: string, options: RunOptions, began: number): Promise<ExitCode<'run'>> {
  refuseContradictions(task, options);
  const wantedFolder = options.cwd === undefined ? undefined : folderAt(options.cwd);
  const model = await modelFromOptions(options);
  refuseUncountable(options, model.info);
  const signals = holdSignals();
  const log = await openRunLog(task, options, wantedFolder);
  const { file, store } = log;
  warnOfHome(log.root);
  let worked: Worked | undefined;
  try {
    // A program that died during an action may have died while it wrote a file.
    if (startedActions(log.events).length > 0) await sweepDraftsBelow([log.root]);
    worked = await work(task, options, { chosen: model, log, signals });
  } finally {
    await log.close(store.failure ? undefined : worked?.history());
  }
  await afterWorktreeRun(worked.history(), file, options);
  if (!store.failure) await afterRunInFolder(worked.history(), file, options);
  if (options.junit !== undefined) {
    const { writeRunReport } = await import('./runOutputs');
    writeRunReport(options.junit, task, readEventLog(file).events, { began });
  }
  if (store.failure) throw new Error(`The last events of this run are not in ${file}. ${store.failure.message}`);
  return worked.code;
}

/** The agent may change everything in the workspace, and here that is everything that the user has. */
function warnOfHome(root: string): void {
  if (!holdsHome([root])) return;
  stderr.write(
    `Warning: the folder of this run, ${shownToPeople(root)}, contains your home folder. The agent and its commands can change all your files, not only those of a project. Run Waymark in a project folder instead.\n`,
  );
}

interface Worked {
  readonly code: ExitCode<'run'>;
  /** All events, up to the end. */
  history(): readonly Event[];
}

/** Opens the session of the run, and runs it until it no longer needs the user. */
async function work(
  task: string,
  options: RunOptions,
  { chosen, log, signals }: { readonly chosen: Model; readonly log: RunLog; readonly signals: HeldSignals },
): Promise<Worked> {
  const attended = isAttended();
  const activeChildren = new ActiveChildren();
  const questions = new Questions();
  const opened = await openRunSession(chosen, log, options, {
    attended,
    questions,
    activeChildren,
    unwanted: signals.unwanted,
  });
  const { environment, hooks } = opened;
  const { conversation } = opened.session;
  const history = (): readonly Event[] => conversation.history;
  const controls = new RunControls({
    file: log.file,
    conversation,
    activeChildren,
    attended,
    processes: () => environment.processes(),
    isQuiet: options.json === true,
  });
  signals.deliver();
  let servers: { stop(): Promise<number> } | undefined;
  try {
    servers = await startServers(task, options, opened, { attended, questions, signal: controls.unwantedSignal });
    if (controls.unwantedSignal.aborted) return { code: 130, history };
    await beginOrContinue(task, options, opened, log);
    opened.recordLeftOut();
    if (controls.unwantedSignal.aborted) {
      await controls.stopBegun();
      return { code: 130, history };
    }
    conversation.wake();
    saveMemory();
    // Runs the first scan of the folder while the model responds. In plan mode commands have another shell.
    environment.prepare(settingsOf(history())?.mode !== 'plan');
    void cleanCheckpoints(options).catch(() => undefined);
    if (attended)
      await untilPersonIsDone(opened.session, activeChildren, controls, {
        stay: options.interactive === true,
        questions,
      });
    else await waitUntilIdle(conversation, controls);
    // Nobody is left whom a child session could ask.
    if (conversation.running) await conversation.interrupt('Nobody is at the terminal.');
    endAnswer(conversation);
    // Begins to save the log while processes are ended; closing the log waits for it.
    void log.store.durable().catch(() => undefined);
    if (options.json) for (const event of stillWaiting(history(), log.events.length)) opened.show.onEvent?.(event);
    if (!log.store.failure) await writeTrajectories(history(), log.file, options);
    const { code, words } = exitCode({ history: history(), log: log.file, again: options.again ?? [] });
    // A program that reads the events sees how the run ended, but not how to approve what waits.
    const isTold = !options.json || code === 3;
    if (words && isTold && !log.store.failure) stderr.write(`${secrets.mask(words)}\n`);
    if (!options.json) await reportHeldEdits(environment, log.file);
    return { code, history };
  } finally {
    controls.dispose();
    await opened.session.runEndHooks(10);
    await Promise.all([environment.dispose(), hooks?.dispose(), servers?.stop()]);
    await opened.shared.container?.stop();
  }
}

/**
 * Trades speed for memory, since this process mostly waits from now on. A young generation that does not grow saves 7 MB
 * after 200 steps and 25 MB after 1,000; at startup, it would cost a sixth more CPU time. Without V8's baseline compiler,
 * another 4 to 7 MB of machine code are saved. Measured: neither takes more time. `scripts/build/keptCode.js` sets these
 * options back while it reads code caches.
 */
function saveMemory(): void {
  v8.setFlagsFromString('--semi-space-growth-factor=1');
  v8.setFlagsFromString('--no-sparkplug');
}

/** Starts the MCP servers that the options name. Returns undefined if they name none. */
async function startServers(
  task: string,
  options: RunOptions,
  { environment, shared }: RunSession,
  { signal, ...present }: Pick<ConsentMeans, 'attended' | 'questions'> & { readonly signal: AbortSignal },
): Promise<{ stop(): Promise<number> } | undefined> {
  if (!options.mcp) return undefined;
  const { mcpForRun } = await import('./mcpForRun');
  return mcpForRun({
    root: environment.root,
    names: options.mcp,
    task,
    asking: { agree: agreesTo(options, 'mcp'), ...present },
    signal,
    setting: options.settings['mcp.servers'],
    added: shared.added,
  });
}

async function beginOrContinue(task: string, options: RunOptions, opened: RunSession, log: RunLog): Promise<void> {
  const { session, model, profile, persona } = opened;
  if (log.events.length > 0) {
    continueConversation(session.conversation, { task, model, forked: log.forked }, options);
    noteContainer(session.conversation, opened.environment.terminal.container);
    return;
  }
  const choices = choicesOf(options, profile, persona);
  await session.begin(task, model, { ...choices, ...(log.worktree && { worktree: log.worktree }) });
  if (options.step) session.conversation.append({ type: 'settings_changed', stepping: true });
}

/** Records if the session continues elsewhere: in another container, in none, or in one for the first time. */
function noteContainer({ history, append }: Conversation, container: SessionContainer | undefined): void {
  const before = settingsOf(history)?.container;
  if (before?.engine === container?.engine && before?.image === container?.image) return;
  append({ type: 'settings_changed', container: container ?? null });
}

/** Asks the user at the terminal whatever the run and its children need. */
async function untilPersonIsDone(
  session: OpenedSession,
  activeChildren: ActiveChildren,
  controls: RunControls,
  how: { readonly stay: boolean; readonly questions: Questions },
): Promise<void> {
  await activeChildren.needsPerson(session.conversation);
  const { attend } = await import('./attend');
  await attend(session, activeChildren, controls.endedSignal, how);
}

/** Reports edits that are pending review at the end of a run, since they are in no file. */
async function reportHeldEdits({ heldEdits }: RunSession['environment'], log: string): Promise<void> {
  const files = await heldEdits.changes();
  const edits = files.reduce((sum, { hunks }) => sum + hunks.length, 0);
  if (heldEdits.problem !== undefined) printMaskedToStderr(heldEdits.problem);
  if (edits === 0) return;
  const countWords = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;
  const words = [
    `Held back for review, not applied yet: ${countWords(edits, 'edit')} to ${countWords(files.length, 'file')}.`,
    `To see them: waymark changes ${quotedWord(log)} --diff`,
    `To apply them: waymark apply ${quotedWord(log)}`,
    `To discard them: waymark apply ${quotedWord(log)} --discard`,
  ];
  stderr.write(`${secrets.mask(words.join('\n'))}\n`);
}

/** Waits until the run rests, and while it is paused until somebody resumes it. */
async function waitUntilIdle(conversation: Conversation, controls: RunControls): Promise<void> {
  await conversation.rested();
  // A run that is resumed at the moment of its pause is already running.
  while ((conversation.running || isAtCheckpoint(conversation.history)) && !controls.endedSignal.aborted) {
    if (!conversation.running) await controls.whileHeld();
    await conversation.rested();
  }
}

/** Records the last text of the model as the answer, so that the log ends like any other. */
function endAnswer(conversation: Conversation): void {
  const { history } = conversation;
  const answer = history.findLast((event) => event.type === 'agent_response');
  if (statusOf(history) !== 'idle' || !answer || answer.by === 'person') return;
  conversation.append({ type: 'finished', status: 'submitted', cause: 'answer', summary: answer.text });
}

/**
 * Returns earlier events with what is still pending: from the lines of this run alone, a reader would not know why it
 * ended. `before`: the number of events when the run began.
 */
function stillWaiting(history: History, before: number): Event[] {
  if (!waitsForPerson(history)) return [];
  const asked = undecidedActions(history).map(({ id }) => id);
  const questions = openQuestions(history).map(({ actionId }) => actionId);
  const ids = new Set([...asked, ...questions]);
  return history.slice(0, before).filter((event) => {
    if (event.type === 'agent_response') return event.actions.some(({ id }) => ids.has(id));
    if (event.type === 'confirmation_requested') return event.actionIds.some((id) => asked.includes(id));
    return event.type === 'question_asked' && questions.includes(event.actionId);
  });
}

/** Writes the trajectories that the options request. Formats of other agents are loaded only then. */
async function writeTrajectories(history: History, file: string, options: RunOptions): Promise<void> {
  if (options.output === undefined && !options.settings.saveTrajectories) return;
  const { writeTrajectoryFiles: keep } = await import('./runOutputs');
  await keep(history, file, options);
}

/** Deletes expired copies of files. If the store cannot be cleaned, this is retried on another day. */
async function cleanCheckpoints({ settings }: RunOptions): Promise<void> {
  const store = checkpointStore(checkpointFolder());
  if (!store.isToBeCleaned) return;
  const { cleanUp, defaultPolicy } = await import('../../adapters/checkpoints/cleanUp');
  const policy = {
    days: settings['checkpoints.days'] ?? defaultPolicy.days,
    megabytes: settings['checkpoints.megabytes'] ?? defaultPolicy.megabytes,
  };
  await cleanUp(store, policy);
}

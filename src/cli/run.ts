import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { diskFiles } from '../adapters/diskFiles';
import { openEventLog, type EventLog } from '../adapters/eventLog';
import { modelFor } from '../adapters/models';
import { ripgrepSearch } from '../adapters/ripgrep';
import { createTerminal } from '../adapters/ptyTerminal';
import { Sessions } from '../adapters/sessions';
import { surroundingsOf } from '../adapters/surroundings';
import { taskStarted } from '../core/agent/assemble';
import { Conversation } from '../core/agent/conversation';
import { sessionAgent, toolsOf } from '../core/agent/sessionAgent';
import { profileNamed } from '../core/profiles/profiles';
import { openQuestions, settingsOf, undecidedActions } from '../core/agent/history';
import type { Model } from '../core/model/model';
import type { ConfirmationMode, Event, Limits } from '../protocol/event';
import { exitCode } from './exitCode';
import { onInterruption } from './interruption';
import { jsonLines, transcript } from './transcript';

export interface RunOptions {
  readonly cwd?: string;
  readonly baseUrl?: string;
  readonly model?: string;
  readonly apiKeyEnv: string;
  readonly script?: string;
  readonly confirm?: ConfirmationMode;
  readonly maxSteps?: number;
  readonly maxCost?: number;
  readonly maxSeconds?: number;
  readonly log?: string;
  readonly json?: boolean;
}

/** Works on a task without an editor. Resolves to the exit code; throws an `Error` in words when it cannot begin. */
export async function run(task: string, options: RunOptions): Promise<number> {
  if (!task.trim()) throw new Error('There is no task. Say in words what should be done.');
  const wanted = options.cwd === undefined ? undefined : folderAt(options.cwd);
  const model = await chosenModel(options);
  const file = path.resolve(options.log ?? newLog());
  const { events, store, problem } = openEventLog(file);
  if (!store) throw new Error(problem);
  try {
    return await work(task, options, { model, file, events, store, root: rootOf(events, wanted) });
  } finally {
    await store.close();
  }
}

interface Begun { readonly model: Model; readonly file: string; readonly events: readonly Event[]; readonly store: EventLog; readonly root: string }

async function work(task: string, options: RunOptions, { model, file, events, store, root }: Begun): Promise<number> {
  const attended = process.stdin.isTTY === true && process.stderr.isTTY === true;
  const outputFolder = `${file}.outputs`;
  const show = options.json ? jsonLines(process.stdout) : transcript(process.stdout);
  const terminal = createTerminal({ cwd: root, outputFolder, onNotice: text => conversation.append({ type: 'notice', level: 'warning', text }) });
  const places = { folders: [root], readableFolders: [outputFolder] };
  const environment = { root, terminal, files: diskFiles(places), search: ripgrepSearch(places) };
  const conversation = new Conversation(sessionAgent({ model, environment, surroundings: surroundingsOf({ root }), trusted: true, attended }), events, store, show);
  const interrupted = new AbortController();
  const stopListening = onInterruption(async () => {
    await conversation.stop('Interrupted from the command line.');
    interrupted.abort();
  });
  try {
    if (events.length === 0) await begin(conversation, task, model, root, options);
    else goOn(conversation, task, model, options);
    conversation.wake();
    await conversation.rested();
    if (attended) await (await import('./attend')).attend(conversation, interrupted.signal);
    const { code, words } = exitCode(conversation.history, file);
    if (words && !options.json) process.stderr.write(`${words}\n`);
    return code;
  } finally {
    stopListening();
    await terminal.dispose();
  }
}

/** What was asked for; what was not stays as it is. */
const limitsOf = ({ maxSteps, maxCost, maxSeconds }: RunOptions, known: Limits = { steps: 100, cost: 5, seconds: 0 }): Limits =>
  ({ steps: maxSteps ?? known.steps, cost: maxCost ?? known.cost, seconds: maxSeconds ?? known.seconds });

async function begin(conversation: Conversation, task: string, model: Model, root: string, options: RunOptions): Promise<void> {
  const profile = profileNamed('waymark');
  const settings = { mode: 'confirm', confirmation: options.confirm ?? 'risky', limits: limitsOf(options) } as const;
  (await taskStarted(task, { profile, model, tools: toolsOf({}, profile, true) }, surroundingsOf({ root }), settings)).forEach(conversation.append);
}

/** Continues a session: what is said answers its open question, or is a message. `--confirm never` also consents to what waits. */
function goOn(conversation: Conversation, task: string, model: Model, options: RunOptions): void {
  const limits = limitsOf(options, settingsOf(conversation.history)?.limits);
  conversation.append({ type: 'settings_changed', model: model.info, limits, ...(options.confirm && { confirmation: options.confirm }) });
  const waiting = undecidedActions(conversation.history).map(({ id }) => id);
  if (waiting.length > 0 && options.confirm === 'never') conversation.append({ type: 'confirmation_resolved', actionIds: waiting, approved: true, by: 'rule' });
  const [question] = openQuestions(conversation.history);
  if (question) conversation.answer(question.actionId, task);
  else conversation.say(task);
}

async function chosenModel({ script, baseUrl, model, apiKeyEnv }: RunOptions): Promise<Model> {
  if (script !== undefined) return modelFor({ provider: 'tutorial', script });
  if (!baseUrl || !model) throw new Error('No model is chosen. Give --base-url and --model (or WAYMARK_BASE_URL and WAYMARK_MODEL); the key is read from the variable that --api-key-env names.');
  return modelFor({ provider: 'openai', baseUrl, name: model, apiKey: process.env[apiKeyEnv] });
}

function folderAt(cwd: string): string {
  const folder = path.resolve(cwd);
  if (!fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw new Error(`${folder} is not a folder. Name one that is there with --cwd.`);
  return fs.realpathSync(folder);
}

/** A session goes on where it began. */
function rootOf(events: readonly Event[], wanted: string | undefined): string {
  const began = settingsOf(events)?.cwd;
  if (began !== undefined && wanted !== undefined && began !== wanted) throw new Error(`This session works in ${began}. Leave --cwd out, or begin another session with another --log.`);
  return wanted ?? folderAt(began ?? '.');
}

function newLog(): string {
  const state = process.env['XDG_STATE_HOME'] ?? path.join(os.homedir(), '.local', 'state');
  const sessions = new Sessions(path.join(state, 'waymark', 'sessions'));
  return sessions.logOf(sessions.newId());
}

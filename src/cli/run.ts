import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { diskFiles } from '../adapters/diskFiles';
import { openEventLog } from '../adapters/eventLog';
import { modelFor } from '../adapters/models';
import { ripgrepSearch } from '../adapters/ripgrep';
import { createTerminal } from '../adapters/ptyTerminal';
import { Sessions } from '../adapters/sessions';
import { assembleAgent, taskStarted } from '../core/agent/assemble';
import { Conversation } from '../core/agent/conversation';
import { statusOf } from '../core/agent/history';
import type { Model } from '../core/model/model';
import { toolsets } from '../core/tools/toolsets';
import type { ConfirmationMode } from '../protocol/event';
import { jsonLines, transcript } from './transcript';

export interface RunOptions {
  readonly cwd: string;
  readonly baseUrl?: string;
  readonly model?: string;
  readonly apiKeyEnv: string;
  readonly script?: string;
  readonly confirm: ConfirmationMode;
  readonly maxSteps: number;
  readonly maxCost: number;
  readonly maxSeconds: number;
  readonly log?: string;
  readonly json?: boolean;
}

/** Works on a task without an editor. Resolves to the exit code; throws an `Error` in words when it cannot begin. */
export async function run(task: string, options: RunOptions): Promise<number> {
  const root = folderAt(options.cwd);
  const attended = process.stdin.isTTY === true && process.stderr.isTTY === true;
  const model = await chosenModel(options);
  const file = path.resolve(options.log ?? newLog());
  const { events, store, problem } = openEventLog(file);
  if (!store) throw new Error(problem);

  const outputFolder = `${file}.outputs`;
  const show = options.json ? jsonLines(process.stdout) : transcript(process.stdout);
  const terminal = createTerminal({ cwd: root, outputFolder, onNotice: text => conversation.append({ type: 'notice', level: 'warning', text }) });
  const places = { folders: [root], readableFolders: [outputFolder] };
  const environment = { root, terminal, files: diskFiles(places), search: ripgrepSearch(places) };
  const conversation = new Conversation(assembleAgent({ model, tools: toolsets.default, environment, attended }), events, store, show);

  const shell = path.basename(process.env['SHELL'] ?? 'sh');
  const limits = { steps: options.maxSteps, cost: options.maxCost, seconds: options.maxSeconds };
  if (events.length === 0) conversation.append(taskStarted(task, { model, tools: toolsets.default }, { root, otherFolders: [], platform: process.platform, shell, mayAct: true }, { confirmation: options.confirm, limits }));
  else {
    conversation.append({ type: 'settings_changed', model: model.info, confirmation: options.confirm, limits });
    conversation.say(task);
  }
  const interrupted = new AbortController();
  const stopListening = onInterrupt(async () => {
    await conversation.stop('Interrupted from the command line.');
    interrupted.abort();
  });
  try {
    conversation.wake();
    await conversation.rested();
    if (attended) await (await import('./attend')).attend(conversation, interrupted.signal);
    return exitCode(conversation, file, options.json === true);
  } finally {
    stopListening();
    await terminal.dispose();
    await store.close();
  }
}

function exitCode({ history }: Conversation, log: string, json: boolean): number {
  const last = history.findLast(event => event.type === 'finished' || event.type === 'paused');
  const say = (text: string) => { if (!json) process.stderr.write(`${text}\n`); };
  switch (statusOf(history)) {
    case 'idle': return 0;
    case 'waiting_for_confirmation':
      say(`An action needs consent, and nobody can be asked here. Run this in a terminal to be asked, or with --confirm never where nothing can be harmed.\nThe session is kept in ${log}; --log continues it.`);
      return 3;
    case 'paused': return 130;
    case 'finished':
      if (last?.type === 'finished' && last.status === 'submitted') return 0;
      say(`The session is kept in ${log}; --log continues it.`);
      return last?.type === 'finished' && last.status === 'limit_exceeded' ? 2 : 1;
    default: return 1;
  }
}

async function chosenModel({ script, baseUrl, model, apiKeyEnv }: RunOptions): Promise<Model> {
  if (script !== undefined) return modelFor({ provider: 'tutorial', script });
  if (!baseUrl || !model) throw new Error('No model is chosen. Give --base-url and --model (or WAYMARK_BASE_URL and WAYMARK_MODEL); the key is read from the variable that --api-key-env names.');
  return modelFor({ provider: 'openai', baseUrl, name: model, apiKey: process.env[apiKeyEnv] });
}

function folderAt(cwd: string): string {
  const folder = path.resolve(cwd);
  if (!fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw new Error(`${folder} is not a folder. Name one with --cwd.`);
  return fs.realpathSync(folder);
}

function newLog(): string {
  const state = process.env['XDG_STATE_HOME'] ?? path.join(os.homedir(), '.local', 'state');
  const sessions = new Sessions(path.join(state, 'waymark', 'sessions'));
  return sessions.logOf(sessions.newId());
}

/** The first Ctrl-C stops the run and keeps everything, the second ends the program. */
function onInterrupt(stop: () => Promise<void>): () => void {
  let times = 0;
  const listener = () => { if (++times > 1) process.exit(130); void stop(); };
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const signal of signals) process.on(signal, listener);
  return () => { for (const signal of signals) process.off(signal, listener); };
}

import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { windowModels } from '../contributed/windowModels';
import type { ModelSettings } from '../../adapters/models/models';
import { secretsIn } from '../../core/model/headerValues';
import type { UserSettings } from '../../core/settings/table';
import { userSettings } from '../common/settings';
import type { ModelChoice } from '../models/modelChoice';
import { readTextOrEmpty } from '../../adapters/storage/lenientReads';

/** Options the user chose for a batch. They are stored with the workspace, so that the batch can be resumed later. */
export interface BatchStart {
  /** Absolute path. */
  readonly dataset: string;
  /** The working directory of the command line, to which its paths are relative. */
  readonly cwd: string;
  /** Absolute path of the results folder. */
  readonly out: string;
  readonly workers: number;
  /** Limit for the whole batch, in US dollars. No limit if absent. */
  readonly maxCost?: number | undefined;
  /** True if the checks of the tasks are run. */
  readonly evaluates: boolean;
  /** False if a script plays the model in every task. */
  readonly needsModel: boolean;
  /** True if nothing asks for approval, so that no task ends for lack of it. */
  readonly asksNothing: boolean;
}

/** What to do with existing results in the folder of the batch. */
export type BatchBegin = 'new' | 'resume' | 'retry' | 'again';

const beginnings: Readonly<Record<BatchBegin, readonly string[]>> = {
  new: [],
  resume: ['--resume'],
  retry: ['--resume', '--retry-failed'],
  again: ['--redo-existing'],
};

/** What a batch process needs from the window. */
export interface BatchHome {
  /** Folder of the extension, which contains the command line program. */
  readonly extension: vscode.Uri;
  /** Folder for the extension's own data. */
  readonly storage: vscode.Uri;
  readonly choice: ModelChoice;
  readonly secrets: vscode.SecretStorage;
}

/**
 * Environment variables for secrets, which must not appear in the process list. The agent's commands do not get them.
 */
const keyVariable = 'WAYMARK_API_KEY';
const secretVariable = (name: string): string => `WAYMARK_SECRET_${Buffer.from(name).toString('hex').toUpperCase()}`;

/**
 * Starts a batch in a separate process, which survives reloading or closing the window. Resolves when the process is
 * spawned. Calls `onFailed` with the end of its output if the process fails before the batch has begun. Throws an
 * `Error` with a message for people if no model can be used.
 */
export async function startBatch(
  start: BatchStart,
  begin: BatchBegin,
  { extension, storage, choice, secrets }: BatchHome,
  onFailed: (words: string) => void,
): Promise<void> {
  const chosen = await choice.chosenSettings();
  if (!chosen && start.needsModel)
    throw new Error(vscode.l10n.t('No model chosen. Choose one with “Choose Model…”, then run the batch.'));
  const environment: NodeJS.ProcessEnv = { ...process.env, ELECTRON_RUN_AS_NODE: '1' };
  const settings = settingsFor(start, chosen);
  if (chosen?.apiKey !== undefined) environment[keyVariable] = chosen.apiKey;
  const headers = settings['model.headers'];
  if (headers) {
    for (const name of secretsIn(headers))
      environment[secretVariable(name)] = (await secrets.get(`waymark.headerSecret:${name}`)) ?? '';
  }
  const name = createHash('sha256').update(start.out).digest('hex').slice(0, 16);
  const folder = path.join(storage.fsPath, 'batches');
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  const settingsFile = path.join(folder, `${name}.settings.json`);
  fs.writeFileSync(settingsFile, JSON.stringify(settings), { mode: 0o600 });
  const logFile = path.join(folder, `${name}.log`);
  const log = fs.openSync(logFile, 'w', 0o600);
  const words = [
    start.evaluates ? 'eval' : 'batch',
    start.dataset,
    ...['--out', start.out, '--run-name', path.basename(start.out)],
    ...['--num-workers', String(start.workers), '--settings-from', settingsFile],
    ...(start.maxCost === undefined ? [] : ['--batch-max-cost', String(start.maxCost)]),
    ...(chosen?.apiKey === undefined ? [] : ['--api-key-env', keyVariable]),
    ...(chosen?.script === undefined ? [] : ['--script', chosen.script]),
    ...beginnings[begin],
  ];
  const program = vscode.Uri.joinPath(extension, 'dist/cli.js').fsPath;
  const child = spawn(process.execPath, [program, ...words], {
    cwd: start.cwd,
    env: environment,
    detached: true,
    windowsHide: true,
    stdio: ['ignore', log, log],
  });
  fs.closeSync(log);
  child.unref();
  child.on('error', ({ message }) => onFailed(message));
  child.on('exit', (code) => {
    if (code !== 0 && !fs.existsSync(path.join(start.out, 'statistics.json'))) onFailed(readTail(logFile));
  });
}

/**
 * Returns the settings of the window for the batch process. Settings that need a person are replaced, because nobody is
 * there.
 */
function settingsFor({ asksNothing }: BatchStart, chosen: ModelSettings | undefined): UserSettings {
  const settings = userSettings();
  if (chosen && windowModels(chosen.provider))
    throw new Error(
      vscode.l10n.t(
        'A batch runs outside this window, so it cannot use models from VS Code or other extensions. Choose a model from a server with “Choose Model…”.',
      ),
    );
  const { 'model.headers': headers } = settings;
  return {
    ...settings,
    ...(settings.mode === 'human' && { mode: 'confirm' as const }),
    ...(asksNothing && { confirmation: 'never' as const }),
    ...(headers && { 'model.headers': withVariables(headers) }),
    ...(chosen && chosen.script === undefined && modelOf(chosen)),
  };
}

function modelOf({ provider, baseUrl, name, prices, contextWindow }: ModelSettings): UserSettings {
  return {
    'model.provider': provider,
    'model.baseUrl': baseUrl ?? '',
    'model.name': name ?? '',
    ...(prices && { 'model.prices': prices }),
    ...(contextWindow !== undefined && { 'model.contextWindow': contextWindow }),
  };
}

/** Replaces references to the window's secrets with references to environment variables. */
const withVariables = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      value.replace(/\$\{secret:([^{}]*)\}/g, (_, secret: string) => `\${env:${secretVariable(secret)}}`),
    ]),
  );

const maxErrorCharacters = 2000;

const readTail = (file: string): string => readTextOrEmpty(file).trim().slice(-maxErrorCharacters);

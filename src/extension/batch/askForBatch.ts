import fs from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { askText, pickOne } from '../common/quickInput';
import type { Dataset } from '../../core/batch/batchTask';
import type { BatchBegin, BatchStart } from './startBatch';

const usualWorkers = 4;

/**
 * Asks for the dataset and the options of a batch. `chosenDataset`: a dataset that was already chosen. Returns undefined if the
 * user cancelled.
 */
export async function askForBatch(
  chosenDataset: vscode.Uri | undefined,
): Promise<{ readonly start: BatchStart; readonly begin: BatchBegin } | undefined> {
  const dataset = chosenDataset ?? (await pickDataset());
  if (!dataset) return undefined;
  const found = await readTasks(dataset.fsPath);
  const workers = await numberFrom({
    title: vscode.l10n.t('Run Batch (1/3): Tasks at the Same Time'),
    prompt: tasksWords(found),
    value: String(usualWorkers),
    isRight: (value) => Number.isInteger(value) && value >= 1 && value <= 1000,
    problem: vscode.l10n.t('Enter a whole number of at least 1.'),
  });
  if (workers === undefined) return undefined;
  const maxCost = await numberFrom({
    title: vscode.l10n.t('Run Batch (2/3): Cost Limit'),
    prompt: vscode.l10n.t('Total in US dollars for all tasks. Leave empty for no limit.'),
    value: '',
    isRight: (value) => value > 0,
    problem: vscode.l10n.t('Enter a number above 0, or leave this empty.'),
    mayBeEmpty: true,
  });
  if (maxCost === undefined) return undefined;
  const asksNothing = await pickConsent();
  if (asksNothing === undefined) return undefined;
  const cwd = folderFor(dataset);
  const { folderForDataset } = await import('../../adapters/batch/batchFolder');
  const named = path.join(cwd, 'data', path.basename(dataset.fsPath).replace(/\.jsonl?$/, ''));
  const out = folderForDataset(named, dataset.fsPath);
  const begin = await pickBeginning(out);
  if (begin === undefined) return undefined;
  const start: BatchStart = {
    dataset: dataset.fsPath,
    cwd,
    out,
    workers,
    maxCost: Number.isNaN(maxCost) ? undefined : maxCost,
    evaluates: found.tasks.some(({ checks }) => checks !== undefined),
    needsModel: found.tasks.some(({ script }) => script === undefined),
    asksNothing,
  };
  return { start, begin };
}

const folderFor = (dataset: vscode.Uri): string =>
  (vscode.workspace.getWorkspaceFolder(dataset) ?? vscode.workspace.workspaceFolders?.[0])?.uri.fsPath ??
  path.dirname(dataset.fsPath);

/** Asks for a dataset: a file in the workspace, or any other file. */
async function pickDataset(): Promise<vscode.Uri | undefined> {
  const files = await vscode.workspace.findFiles('**/*.jsonl', '**/{node_modules,data,logs}/**', 200);
  const datasets = files.filter(({ fsPath }) => !/\.(waymark|sharegpt|messages)\.jsonl$/.test(fsPath));
  const browse = { label: `$(folder-opened) ${vscode.l10n.t('Browse…')}`, uri: undefined };
  const items = datasets
    .map((uri) => ({ label: vscode.workspace.asRelativePath(uri), uri }))
    .sort((a, b) => a.label.localeCompare(b.label));
  const picked = await pickOne<{ label: string; uri: vscode.Uri | undefined }>([...items, browse], {
    title: vscode.l10n.t('Run Batch: Dataset'),
    placeHolder: vscode.l10n.t('A JSONL file: one JSON object per line, such as {"prompt": "…"}'),
  });
  if (!picked || picked.uri) return picked?.uri;
  const chosen = await vscode.window.showOpenDialog({
    title: vscode.l10n.t('Dataset'),
    filters: { [vscode.l10n.t('Datasets')]: ['jsonl', 'json'] },
  });
  return chosen?.[0];
}

async function readTasks(file: string): Promise<Dataset> {
  const [{ readDataset }, { textHash }] = await Promise.all([
    import('../../core/batch/batchTask'),
    import('../../adapters/batch/batchFolder'),
  ]);
  const dataset = readDataset(await fs.promises.readFile(file, 'utf8'), textHash);
  if (dataset.tasks.length > 0) return dataset;
  const [problem = ''] = dataset.problems;
  throw new Error(vscode.l10n.t('{0} has no tasks. {1}', path.basename(file), problem));
}

function tasksWords({ tasks, problems }: Dataset): string {
  const count = tasks.length === 1 ? vscode.l10n.t('1 task.') : vscode.l10n.t('{0} tasks.', tasks.length);
  const checked = tasks.some(({ checks }) => checks !== undefined) ? vscode.l10n.t('Runs their checks.') : '';
  return [count, invalidWords(problems.length), checked].filter((words) => words !== '').join(' ');
}

function invalidWords(count: number): string {
  if (count === 0) return '';
  return count === 1 ? vscode.l10n.t('1 line is invalid.') : vscode.l10n.t('{0} lines are invalid.', count);
}

interface NumberQuestion {
  readonly title: string;
  readonly prompt: string;
  readonly value: string;
  isRight(value: number): boolean;
  readonly problem: string;
  readonly mayBeEmpty?: boolean;
}

/** Asks for a number. Returns `NaN` for an empty answer, or undefined if the user cancelled. */
async function numberFrom(question: NumberQuestion): Promise<number | undefined> {
  const { title, prompt, value, isRight, problem, mayBeEmpty = false } = question;
  const isEmpty = (text: string): boolean => mayBeEmpty && text.trim() === '';
  const text = await askText({
    title,
    prompt,
    value,
    validateInput: (typed) => (isEmpty(typed) || (typed.trim() !== '' && isRight(Number(typed))) ? undefined : problem),
  });
  if (text === undefined) return undefined;
  return isEmpty(text) ? Number.NaN : Number(text);
}

async function pickConsent(): Promise<boolean | undefined> {
  const asks = {
    label: vscode.l10n.t('End tasks that need approval'),
    description: vscode.l10n.t('as in the approval settings'),
    asksNothing: false,
  };
  const never = {
    label: vscode.l10n.t('Never ask'),
    description: vscode.l10n.t(
      'except protected files, actions that can destroy the machine and web pages that could receive a secret',
    ),
    asksNothing: true,
  };
  const picked = await pickOne([asks, never], {
    title: vscode.l10n.t('Run Batch (3/3): Approvals'),
    placeHolder: vscode.l10n.t('A batch cannot ask for approval.'),
    ignoreFocusOut: true,
  });
  return picked?.asksNothing;
}

/** Asks how to continue if `out` already has results. Returns undefined if the user cancelled. */
async function pickBeginning(out: string): Promise<BatchBegin | undefined> {
  if (!fs.existsSync(path.join(out, 'results.jsonl'))) return 'new';
  const items: { label: string; description: string; begin: BatchBegin }[] = [
    {
      label: vscode.l10n.t('Resume'),
      description: vscode.l10n.t('remaining tasks only'),
      begin: 'resume',
    },
    {
      label: vscode.l10n.t('Resume and retry failed tasks'),
      description: '',
      begin: 'retry',
    },
    {
      label: vscode.l10n.t('Start over'),
      description: vscode.l10n.t('deletes these results'),
      begin: 'again',
    },
  ];
  const picked = await pickOne(items, {
    title: vscode.l10n.t('This Batch Already Has Results'),
    placeHolder: vscode.workspace.asRelativePath(out),
    ignoreFocusOut: true,
  });
  return picked?.begin;
}

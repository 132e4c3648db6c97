import fs from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { pickOne } from '../common/quickInput';
import { isBatchAlive, sendToBatch } from '../../adapters/batch/batchPulse';
import type { Inspectors } from '../inspector/inspectors';
import { askForBatch } from './askForBatch';
import { BatchView, type BatchRow } from './batchView';
import { startBatch, type BatchBegin, type BatchHome, type BatchStart } from './startBatch';
import { WatchedBatch } from './watchedBatch';

interface WindowBatchParts extends BatchHome {
  readonly workspaceState: vscode.Memento;
  readonly inspectors: Inspectors;
  onProblem(problem: unknown): void;
}

/** What is remembered of the batch on display. `start` is absent if this window did not start it. */
interface Remembered {
  readonly out: string;
  readonly start?: BatchStart;
}

const memory = 'waymark.batch';

/**
 * The batch of this window: starts, watches, stops and resumes it. The batch runs in a separate process, which outlives
 * the window.
 */
export class WindowBatch implements vscode.Disposable {
  private readonly view = new BatchView();
  private watched: WatchedBatch | undefined;

  constructor(private readonly parts: WindowBatchParts) {
    const { out } = this.remembered ?? {};
    if (out !== undefined && fs.existsSync(out)) this.watch(out);
    else this.view.show(undefined);
  }

  /** The selected row. */
  get selected(): BatchRow | undefined {
    return this.view.selected;
  }

  /** Asks for the options and starts a batch. `dataset`: asked for if absent. Returns true if a batch was started. */
  async run(dataset?: vscode.Uri): Promise<boolean> {
    if (!vscode.workspace.isTrusted)
      throw new Error(vscode.l10n.t('A batch runs commands. Trust this workspace first.'));
    const asked = await askForBatch(dataset);
    if (!asked) return false;
    if (isBatchAlive(asked.start.out))
      throw new Error(vscode.l10n.t('A batch is already running in {0}.', asked.start.out));
    await this.start(asked.start, asked.begin);
    return true;
  }

  /** Resumes the batch on display. */
  async resume(): Promise<void> {
    const start = this.remembered?.start;
    if (!start)
      return void vscode.window.showInformationMessage(
        vscode.l10n.t('This window has no batch. Start one with “Run Batch…”.'),
      );
    if (isBatchAlive(start.out)) throw new Error(vscode.l10n.t('A batch is already running in {0}.', start.out));
    const items: { label: string; begin: BatchBegin }[] = [
      { label: vscode.l10n.t('Run remaining tasks'), begin: 'resume' },
      { label: vscode.l10n.t('Also retry failed tasks'), begin: 'retry' },
    ];
    const picked = await pickOne(items, {
      title: vscode.l10n.t('Resume Batch'),
      ignoreFocusOut: true,
    });
    if (picked) await this.start(start, picked.begin);
  }

  async stop(): Promise<void> {
    const folder = this.watched?.folder;
    if (folder === undefined || !isBatchAlive(folder))
      return void vscode.window.showInformationMessage(vscode.l10n.t('No batch is running.'));
    const picked = await pickOne(
      [
        {
          label: vscode.l10n.t('Finish running tasks'),
          description: vscode.l10n.t('no new tasks start'),
          word: 'drain' as const,
        },
        {
          label: vscode.l10n.t('Stop running tasks'),
          description: vscode.l10n.t('“Resume Batch…” restarts them'),
          word: 'stop' as const,
        },
      ],
      { title: vscode.l10n.t('Stop Batch'), ignoreFocusOut: true },
    );
    if (picked && isBatchAlive(folder)) sendToBatch(folder, picked.word);
  }

  /** Shows the results of a batch that was started elsewhere. */
  async open(chosenFolder?: vscode.Uri): Promise<void> {
    const folder = chosenFolder ?? (await pickFolder());
    if (!folder) return;
    if (!fs.existsSync(path.join(folder.fsPath, 'results.jsonl')))
      throw new Error(vscode.l10n.t('{0} has no batch results.', folder.fsPath));
    await this.remember({ out: folder.fsPath });
    this.watch(folder.fsPath);
    await focusView();
  }

  /** Opens the log of a task in the inspector. */
  async inspect(row: BatchRow | undefined = this.selected): Promise<void> {
    if (row?.kind !== 'running' && row?.kind !== 'ended') return;
    const log = this.watched?.logOf(row.task);
    if (log) return this.parts.inspectors.show(log);
    const why = row.kind === 'ended' ? row.task.reason : '';
    void vscode.window.showInformationMessage(vscode.l10n.t('This task has no log. {0}', why));
  }

  /** Opens the report of an evaluation, or else the list of results. */
  async report(): Promise<void> {
    const folder = this.watched?.folder;
    if (folder === undefined) return;
    const page = path.join(folder, 'eval.html');
    if (fs.existsSync(page)) await vscode.env.openExternal(vscode.Uri.file(page));
    else await vscode.window.showTextDocument(vscode.Uri.file(path.join(folder, 'results.jsonl')));
  }

  dispose(): void {
    this.watched?.dispose();
    this.view.dispose();
  }

  private get remembered(): Remembered | undefined {
    return this.parts.workspaceState.get<Remembered>(memory);
  }

  private remember(what: Remembered): Thenable<void> {
    return this.parts.workspaceState.update(memory, what);
  }

  private async start(start: BatchStart, begin: BatchBegin): Promise<void> {
    await startBatch(start, begin, this.parts, (words) =>
      this.parts.onProblem(new Error(vscode.l10n.t('The batch did not start. {0}', words))),
    );
    await this.remember({ out: start.out, start });
    this.watch(start.out);
    await focusView();
  }

  private watch(folder: string): void {
    this.watched?.dispose();
    this.watched = new WatchedBatch(folder);
    this.view.show(this.watched);
  }
}

const focusView = (): Thenable<unknown> => vscode.commands.executeCommand('waymark.batch.focus');

async function pickFolder(): Promise<vscode.Uri | undefined> {
  const found = await vscode.workspace.findFiles('**/results.jsonl', '**/node_modules/**', 100);
  const browse = { label: `$(folder-opened) ${vscode.l10n.t('Browse…')}`, uri: undefined };
  const items = found.map((uri) => {
    const folder = vscode.Uri.joinPath(uri, '..');
    return { label: vscode.workspace.asRelativePath(folder), uri: folder };
  });
  const picked = await pickOne<{ label: string; uri: vscode.Uri | undefined }>([...items, browse], {
    title: vscode.l10n.t('Batch Folder'),
  });
  if (!picked || picked.uri) return picked?.uri;
  const chosen = await vscode.window.showOpenDialog({ canSelectFolders: true, canSelectFiles: false });
  return chosen?.[0];
}

import * as vscode from 'vscode';
import { duration, speedOf, type LiveProgress, type RunningTask } from '../../core/batch/batchProgress';
import type { TaskStatus } from '../../core/batch/taskResult';
import { shownToPeople } from '../../core/text/shownName';
import { ContextKeys } from '../common/contextKeys';
import { joinWithDots, ListView } from '../common/listView';
import type { EndedRow, WatchedBatch } from './watchedBatch';
import { costWords } from '../../protocol/plain/amounts';

/** A row of the view: the whole batch, its speed, a group of tasks, a task, or the number of further tasks. */
export type BatchRow =
  | { readonly kind: 'batch'; readonly progress: LiveProgress }
  | { readonly kind: 'speed'; readonly progress: LiveProgress }
  | { readonly kind: 'group'; readonly of: TaskStatus | 'running'; readonly count: number }
  | TaskRow
  | { readonly kind: 'more'; readonly of: TaskStatus | 'running'; readonly count: number };

type TaskRow =
  { readonly kind: 'running'; readonly task: RunningTask } | { readonly kind: 'ended'; readonly task: EndedRow };

/** Maximum number of tasks shown in a group. Larger groups show the last ones. */
const maxRows = 500;
const barWidth = 12;

const groupOrder: readonly (TaskStatus | 'running')[] = [
  'running',
  'consent',
  'failed',
  'timeout',
  'crashed',
  'invalid',
  'limit',
  'done',
];

const icons: Readonly<Record<TaskStatus | 'running', readonly [icon: string, color: string]>> = {
  running: ['sync', 'icon.foreground'],
  done: ['pass', 'testing.iconPassed'],
  limit: ['dashboard', 'list.warningForeground'],
  consent: ['bell-dot', 'list.warningForeground'],
  failed: ['error', 'list.errorForeground'],
  timeout: ['watch', 'list.errorForeground'],
  crashed: ['bug', 'list.errorForeground'],
  invalid: ['circle-slash', 'list.errorForeground'],
  stopped: ['debug-stop', 'icon.foreground'],
};

const statusLabel = (of: TaskStatus | 'running'): string => {
  const words: Readonly<Record<TaskStatus | 'running', string>> = {
    running: vscode.l10n.t('Running'),
    done: vscode.l10n.t('Done'),
    limit: vscode.l10n.t('Limit reached'),
    consent: vscode.l10n.t('Needs approval'),
    failed: vscode.l10n.t('Failed'),
    timeout: vscode.l10n.t('Timed out'),
    crashed: vscode.l10n.t('Crashed'),
    invalid: vscode.l10n.t('Failed to start'),
    stopped: vscode.l10n.t('Stopped'),
  };
  return words[of];
};

const stateWords = ({ state }: LiveProgress, isAlive: boolean): string => {
  if (!isAlive) return state === 'ended' ? vscode.l10n.t('Ended') : vscode.l10n.t('Interrupted');
  if (state === 'draining') return vscode.l10n.t('Finishing running tasks');
  return state === 'stopping' ? vscode.l10n.t('Stopping') : vscode.l10n.t('Running');
};
const stepWords = (steps: number): string =>
  steps === 1 ? vscode.l10n.t('1 step') : vscode.l10n.t('{0} steps', steps);

/**
 * View of a batch: a progress bar, then rate, cost and time left, then the tasks grouped by status. Enter opens a task
 * in the inspector.
 */
export class BatchView implements vscode.Disposable {
  private readonly list: ListView<BatchRow>;
  private readonly keys = new ContextKeys();
  private readonly view: vscode.TreeView<BatchRow>;
  private batch: WatchedBatch | undefined;
  private listening: vscode.Disposable | undefined;
  private ending: (() => void) | undefined;

  constructor() {
    this.list = new ListView<BatchRow>(
      (row) => this.rows(row),
      (row) => this.item(row),
    );
    this.view = vscode.window.createTreeView('waymark.batch', { treeDataProvider: this.list, showCollapseAll: true });
  }

  /** The selected row. */
  get selected(): BatchRow | undefined {
    return this.view.selection[0];
  }

  show(batch: WatchedBatch | undefined): void {
    this.listening?.dispose();
    this.batch = batch;
    this.listening = batch?.onDidChange(() => this.refresh());
    this.refresh();
  }

  dispose(): void {
    this.ending?.();
    this.listening?.dispose();
    this.view.dispose();
    this.list.dispose();
  }

  private refresh(): void {
    const { batch } = this;
    const isRunning = batch?.isAlive === true;
    this.view.description = batch?.progress?.run_name ?? '';
    const running = isRunning ? (batch.progress?.running.length ?? 0) : 0;
    const words =
      running === 1
        ? vscode.l10n.t('1 task of a batch is running')
        : vscode.l10n.t('{0} tasks of a batch are running', running);
    this.view.badge = running > 0 ? { value: running, tooltip: words } : undefined;
    this.keys.set('waymark.hasBatch', batch !== undefined);
    this.keys.set('waymark.batchRunning', isRunning);
    this.showsProgress(isRunning);
    this.list.refresh();
  }

  /** Shows the progress indicator at the top of the view while the batch runs. */
  private showsProgress(isRunning: boolean): void {
    if (!isRunning) {
      this.ending?.();
      this.ending = undefined;
    } else if (!this.ending) {
      const over = new Promise<void>((resolve) => {
        this.ending = resolve;
      });
      void vscode.window.withProgress({ location: { viewId: 'waymark.batch' } }, () => over);
    }
  }

  private rows(row: BatchRow | undefined): BatchRow[] {
    const { batch } = this;
    if (!batch?.progress) return [];
    const { progress } = batch;
    if (!row) return [{ kind: 'batch', progress }, { kind: 'speed', progress }, ...this.groups(batch)];
    return row.kind === 'group' ? this.tasksOf(batch, row.of) : [];
  }

  private groups(batch: WatchedBatch): BatchRow[] {
    const counts = new Map<TaskStatus | 'running', number>();
    for (const { status } of batch.ended.values()) counts.set(status, (counts.get(status) ?? 0) + 1);
    if (batch.isAlive) counts.set('running', batch.progress?.running.length ?? 0);
    return groupOrder.flatMap((of) => {
      const count = counts.get(of) ?? 0;
      return count > 0 ? [{ kind: 'group' as const, of, count }] : [];
    });
  }

  private tasksOf(batch: WatchedBatch, of: TaskStatus | 'running'): BatchRow[] {
    if (of === 'running') return (batch.progress?.running ?? []).map((task) => ({ kind: 'running', task }));
    const all = [...batch.ended.values()].filter(({ status }) => status === of);
    const shown = all.slice(-maxRows).reverse();
    const rows = shown.map((task): BatchRow => ({ kind: 'ended', task }));
    return all.length > shown.length ? [...rows, { kind: 'more', of, count: all.length - shown.length }] : rows;
  }

  private item(row: BatchRow): vscode.TreeItem {
    switch (row.kind) {
      case 'batch':
        return this.batchItem(row.progress);
      case 'speed':
        return this.speedItem(row.progress);
      case 'group':
        return groupItem(row.of, row.count);
      case 'running':
        return taskItem(row, 'running', stepWords(row.task.steps), costWords(row.task.cost));
      case 'ended':
        return endedItem(row);
      case 'more':
        return moreItem(row);
    }
  }

  private batchItem(progress: LiveProgress): vscode.TreeItem {
    const { settled, total } = progress;
    const isAlive = this.batch?.isAlive === true;
    const { share } = speedOf(progress);
    const full = Math.floor(share * barWidth);
    const percent = `${Math.floor(share * 100)}%`;
    const state = stateWords(progress, isAlive);
    const item = new vscode.TreeItem(`${'▰'.repeat(full)}${'▱'.repeat(barWidth - full)} ${settled}/${total}`);
    item.id = 'batch';
    // A narrow view cuts off the description; the percentage can also be read from the bar.
    item.description = joinWithDots(state, percent);
    const spoken = vscode.l10n.t('{0} of {1} tasks are done', settled, total);
    item.tooltip = [spoken, item.description, this.batch?.folder ?? ''].join('\n');
    item.accessibilityInformation = { label: joinWithDots(spoken, item.description) };
    item.iconPath = new vscode.ThemeIcon(isAlive ? 'sync~spin' : 'checklist');
    item.contextValue = isAlive ? 'batch.running' : 'batch.ended';
    return item;
  }

  private speedItem(progress: LiveProgress): vscode.TreeItem {
    const { cost } = progress;
    const isAlive = this.batch?.isAlive === true;
    const { perMinute, secondsLeft } = speedOf(progress);
    const rate = perMinute === undefined ? '' : vscode.l10n.t('{0}/min', perMinute.toFixed(1));
    const left = !isAlive || secondsLeft === undefined ? '' : vscode.l10n.t('{0} left', duration(secondsLeft));
    const item = new vscode.TreeItem(joinWithDots(rate, costWords(cost), left));
    item.id = 'speed';
    item.iconPath = new vscode.ThemeIcon('dashboard');
    item.tooltip = vscode.l10n.t('Tasks per minute, total cost and remaining time');
    return item;
  }
}

function groupItem(of: TaskStatus | 'running', count: number): vscode.TreeItem {
  const isFolded = of === 'done' || of === 'limit';
  const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
  const item = new vscode.TreeItem(statusLabel(of), isFolded ? Collapsed : Expanded);
  const [icon, color] = icons[of];
  item.id = `group ${of}`;
  item.description = String(count);
  item.iconPath = new vscode.ThemeIcon(icon, new vscode.ThemeColor(color));
  item.contextValue = 'batch.group';
  item.accessibilityInformation = { label: joinWithDots(statusLabel(of), vscode.l10n.t('{0} tasks', count)) };
  return item;
}

function endedItem(row: TaskRow & { readonly kind: 'ended' }): vscode.TreeItem {
  const { task } = row;
  const { resolved, cost, reason } = task;
  const isSolved = resolved === true ? vscode.l10n.t('resolved') : vscode.l10n.t('not resolved');
  const verdict = resolved === undefined ? '' : isSolved;
  const [why = ''] = reason.split('\n');
  return taskItem(row, task.status, verdict, shownToPeople(why), stepWords(task.steps), costWords(cost));
}

function taskItem(row: TaskRow, of: TaskStatus | 'running', ...facts: readonly string[]): vscode.TreeItem {
  const name = shownToPeople(row.task.id);
  const item = new vscode.TreeItem(name);
  const [icon, color] = icons[of];
  item.id = `${of} ${row.task.id}`;
  item.description = joinWithDots(...facts);
  item.iconPath = new vscode.ThemeIcon(icon, new vscode.ThemeColor(color));
  item.tooltip = [name, statusLabel(of), ...facts.filter((fact) => fact !== '')].join('\n');
  item.accessibilityInformation = { label: joinWithDots(name, statusLabel(of), ...facts) };
  item.contextValue = 'batch.task';
  item.command = { command: 'waymark.inspectBatchTask', title: vscode.l10n.t('Inspect'), arguments: [row] };
  return item;
}

function moreItem({ of, count }: { readonly of: TaskStatus | 'running'; readonly count: number }): vscode.TreeItem {
  const item = new vscode.TreeItem(vscode.l10n.t('and {0} more', count));
  item.id = `more ${of}`;
  item.tooltip = vscode.l10n.t('results.jsonl in the folder of the batch lists every task.');
  return item;
}

import type * as vscode from 'vscode';

const KEY = 'waymark.unstartedTask';

const tasksIn = (workspaceState: vscode.Memento): readonly string[] => {
  // Earlier versions stored a single string.
  const stored = workspaceState.get<string | readonly string[]>(KEY, []);
  return typeof stored === 'string' ? [stored] : stored;
};

const keepTasks = (workspaceState: vscode.Memento, tasks: readonly string[]): Thenable<void> =>
  workspaceState.update(KEY, tasks.length > 0 ? tasks : undefined);

/** Removes one occurrence of a task; another place may wait with the same text. */
function withoutOne(tasks: readonly string[], gone: string | undefined): readonly string[] {
  const at = gone === undefined ? -1 : tasks.indexOf(gone);
  return tasks.filter((_, index) => index !== at);
}

/** A task that waits in a place until a model is chosen. All waiting tasks outlive the window. */
export class WaitingTask {
  private words: string | undefined;

  constructor(private readonly workspaceState: vscode.Memento) {}

  get task(): string | undefined {
    return this.words;
  }

  async keep(task: string): Promise<void> {
    const others = withoutOne(tasksIn(this.workspaceState), this.words);
    this.words = task;
    await keepTasks(this.workspaceState, [...others, task]);
  }

  /** Takes the task without starting it. Returns undefined if none waits. */
  async takeBack(): Promise<string | undefined> {
    const { words: task } = this;
    await this.handOver(async () => undefined);
    return task;
  }

  /** Takes the task and starts it, once. It stays in storage until `start` has settled, even with an error. */
  async handOver(start: (task: string) => Promise<void>): Promise<void> {
    const { words: task } = this;
    if (task === undefined) return;
    this.words = undefined;
    try {
      await start(task);
    } finally {
      await keepTasks(this.workspaceState, withoutOne(tasksIn(this.workspaceState), task));
    }
  }
}

/** Returns the tasks that were waiting when the window closed, as one text. They are never started without the user. */
export async function takeForgotten(
  workspaceState: vscode.Memento,
  take: (tasks: string) => Promise<void>,
): Promise<void> {
  const tasks = tasksIn(workspaceState);
  if (tasks.length === 0) return;
  await take(tasks.join('\n\n'));
  await keepTasks(workspaceState, []);
}

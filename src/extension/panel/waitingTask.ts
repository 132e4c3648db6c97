import type * as vscode from 'vscode';

const KEY = 'waymark.unstartedTask';

const tasksIn = (workspaceState: vscode.Memento): readonly string[] => {
  // Before tabs there was one.
  const kept = workspaceState.get<string | readonly string[]>(KEY, []);
  return typeof kept === 'string' ? [kept] : kept;
};

const keepTasks = (workspaceState: vscode.Memento, tasks: readonly string[]): Thenable<void> =>
  workspaceState.update(KEY, tasks.length > 0 ? tasks : undefined);

/** A task that waits in a place until a model is chosen. All of them outlive the window. */
export class WaitingTask {
  private words: string | undefined;

  constructor(private readonly workspaceState: vscode.Memento) {}

  get task(): string | undefined {
    return this.words;
  }

  /** Undefined: nothing waits here any more. */
  async keep(task: string | undefined): Promise<void> {
    const tasks = [...tasksIn(this.workspaceState)];
    const at = this.words === undefined ? -1 : tasks.indexOf(this.words);
    if (at >= 0) tasks.splice(at, 1);
    if (task !== undefined) tasks.push(task);
    this.words = task;
    await keepTasks(this.workspaceState, tasks);
  }
}

/**
 * Hands over what waited in any place when the window was closed, as one text: it is never started behind a person's
 * back.
 */
export async function takeForgotten(
  workspaceState: vscode.Memento,
  take: (tasks: string) => Promise<void>,
): Promise<void> {
  const tasks = tasksIn(workspaceState);
  if (tasks.length === 0) return;
  await take(tasks.join('\n\n'));
  await keepTasks(workspaceState, []);
}

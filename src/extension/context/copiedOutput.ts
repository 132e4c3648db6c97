import * as vscode from 'vscode';

const patienceMilliseconds = 2_000;

/**
 * What the last command of the active terminal printed, as VS Code copies it: there is no other way to what a terminal shows. What was on the
 * clipboard is put back. Undefined where that cannot be: where it holds no text, it may hold a picture, and where nobody may look at it.
 */
export async function copiedOutput(command: string): Promise<string | undefined> {
  const work = (async () => {
    const before = await vscode.env.clipboard.readText();
    if (before === '') return undefined;
    try {
      await vscode.commands.executeCommand('workbench.action.terminal.copyLastCommandAndLastCommandOutput');
      const copied = await vscode.env.clipboard.readText();
      return copied !== before && copied.startsWith(command)
        ? copied.slice(command.length).replace(/^\r?\n/, '')
        : undefined;
    } finally {
      await vscode.env.clipboard.writeText(before);
    }
  })();
  return Promise.race([
    work.catch(() => undefined),
    new Promise<undefined>((resolve) => {
      setTimeout(() => resolve(undefined), patienceMilliseconds).unref();
    }),
  ]);
}

import { startPipeShell } from './pipeShell';
import { startPtyShell } from './ptyShell';
import { Shell } from './shell';
import type { ShellStart } from './shellProcess';
import { chooseShell } from './shells';

export interface OpenShell extends Omit<ShellStart, 'program' | 'arguments'> {
  readonly shell?: string;
  readonly pty?: boolean;
  onNotice?(text: string): void;
  onFallback(reason: string): void;
}

/** A shell on a pseudo-terminal where one can be made, else over pipes; tells which and why. Rejects when no shell starts at all. */
export async function openShell(open: OpenShell): Promise<Shell> {
  const { program, dialect, notice } = chooseShell(open.shell, open.environment);
  if (notice) open.onNotice?.(notice);
  const start: ShellStart = { ...open, program, arguments: dialect.arguments };
  let reason = open.pty === false ? 'it was switched off' : dialect.usesTerminal ? undefined : `${dialect.name} runs over pipes`;
  if (reason === undefined) {
    try {
      const shell = await Shell.greet(await startPtyShell(start), dialect, open.cwd);
      await shell.device?.drained();
      return shell;
    } catch (problem) {
      reason = firstLine(problem);
    }
  }
  open.onFallback(`no pseudo-terminal can be used here (${reason})`);
  open.onNotice?.(`Commands run without a terminal (${reason}). Programs that need one will say so; everything else works.`);
  return Shell.greet(await startPipeShell(start), dialect, open.cwd);
}

const firstLine = (problem: unknown): string => (problem instanceof Error ? problem.message : String(problem)).split('\n')[0] ?? '';

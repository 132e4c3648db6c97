import type { Sandbox } from '../sandbox/sandbox';
import { startPipeShell } from './pipeShell';
import { startPtyShell } from './ptyShell';
import { Shell } from './shell';
import type { ShellStart } from './shellProcess';
import { chooseShell } from './shells';

export interface OpenShell extends Omit<ShellStart, 'program' | 'arguments'> {
  readonly shell?: string;
  /** No program in this folder is taken for a shell. */
  readonly workspace: string;
  readonly pty?: boolean;
  /** Where the shell runs, if it is confined; `outputs` is the folder that its commands print into. */
  readonly confined?: { readonly sandbox: Sandbox; readonly outputs: string } | undefined;
  /** See `ShellManner`. */
  readonly variablesAtEnd: string;
  onNotice?(text: string): void;
  onFallback(reason: string): void;
}

/**
 * A shell on a pseudo-terminal where one can be made, else over pipes; tells which and
 * why. Rejects when no shell starts at all.
 */
export async function openShell(open: OpenShell): Promise<Shell> {
  const { program, dialect, notice } = chooseShell(open.shell, open.environment, open.workspace);
  if (notice) open.onNotice?.(notice);
  const { confined } = open;
  const start: ShellStart = {
    ...open,
    ...(confined?.sandbox.wrap(program, dialect.arguments, { readable: open.folder, writable: confined.outputs }) ?? {
      program,
      arguments: dialect.arguments,
    }),
    environment: { ...open.environment, ...confined?.sandbox.environment },
  };
  const how = {
    dialect,
    folder: open.cwd,
    confined: confined !== undefined,
    variablesAtEnd: open.variablesAtEnd,
  };
  let reason =
    open.pty === false
      ? 'it was switched off'
      : confined?.sandbox.terminal === false
        ? 'the sandbox of this system has none'
        : dialect.usesTerminal
          ? undefined
          : `${dialect.name} runs over pipes`;
  if (reason === undefined) {
    try {
      const shell = await Shell.greet(await startPtyShell(start), how);
      await shell.device?.drained();
      return shell;
    } catch (problem) {
      reason = firstLine(problem);
    }
  }
  open.onFallback(`no pseudo-terminal can be used here (${reason})`);
  open.onNotice?.(
    `Commands run without a terminal (${reason}). Programs that need one will say so; everything else works.`,
  );
  return Shell.greet(await startPipeShell(start), how);
}

const firstLine = (problem: unknown): string =>
  (problem instanceof Error ? problem.message : String(problem)).split('\n')[0] ?? '';

import type { ContainerSettings } from '../../core/ports/containerSettings';
import type { Terminal } from '../../core/ports/environment';
import { AgentTerminal, type AgentTerminalOptions } from '../terminal/agentTerminal';
import { Container } from '../terminal/container';
import { ContainerTerminal } from '../terminal/containerTerminal';

/** Where checks run: on this machine, in its sandbox, unless there is a container. */
export interface CheckTerminal extends Omit<AgentTerminalOptions, 'onNotice'> {
  readonly container?: ContainerSettings | undefined;
  /** Called with what a person should know of where checks run, such as that there is no sandbox. */
  readonly onNotice?: ((words: string) => void) | undefined;
}

/** Opens a terminal in a copy of a folder for the time of `work`; nothing of it is left then. */
export async function inCheckTerminal<Result>(
  { container: settings, onNotice, ...options }: CheckTerminal,
  work: (terminal: Terminal) => Promise<Result>,
): Promise<Result> {
  const { cwd, outputFolder } = options;
  const container = settings && new Container(settings, [cwd], { inCopies: true });
  const terminal = container
    ? new ContainerTerminal({ container, outputFolder })
    : new AgentTerminal({ ...options, onNotice: (words) => onNotice?.(words) });
  try {
    return await work(terminal);
  } finally {
    await terminal.dispose();
    await container?.stop();
  }
}

/** A command by itself: it may end its shell, or leave it elsewhere, and nobody answers what it asks. */
export const commandAlone = (command: string): string => `(\n${command}\n) < /dev/null`;

import type { ContainerSettings } from '../../core/ports/containerSettings';
import type { Terminal } from '../../core/ports/terminal';
import { AgentTerminal, type AgentTerminalOptions } from '../terminal/agentTerminal';
import { Container } from '../terminal/container';
import { ContainerTerminal } from '../terminal/containerTerminal';
import { unattendedRoomWaitMs } from '../terminal/output/outputRoom';

/** Where checks run: on this machine in its sandbox, or in a container if one is set. */
export interface CheckTerminal extends Omit<AgentTerminalOptions, 'onNotice'> {
  readonly container?: ContainerSettings | undefined;
  /** Called with notices about where checks run, for example that no sandbox is available. */
  readonly onNotice?: ((words: string) => void) | undefined;
}

/** Opens a terminal in a copy of a folder while `work` runs, then deletes the copy. */
export async function inCheckTerminal<Result>(
  { container: settings, onNotice, ...options }: CheckTerminal,
  work: (terminal: Terminal) => Promise<Result>,
): Promise<Result> {
  const { cwd, outputFolder } = options;
  const container = settings && new Container(settings, [cwd], { inCopies: true });
  const terminal = container
    ? new ContainerTerminal({ container, outputFolder })
    : new AgentTerminal({ ...options, maxRoomWaitMs: unattendedRoomWaitMs, onNotice: (words) => onNotice?.(words) });
  try {
    return await work(terminal);
  } finally {
    await terminal.dispose();
    await container?.stop();
  }
}

/** Isolates a command: it may exit its shell or change its directory, and it reads an empty stdin. */
export const commandAlone = (command: string): string => `(\n${command}\n) < /dev/null`;

import { loadCommandAnalysis } from '../../core/security/commandAnalysis';

/** So long the request of the model goes first. Milliseconds. */
const requestFirstMs = 30;

/**
 * Loads what judges and runs commands, while the model answers, and starts the shell where the terminal can do that
 * ahead: otherwise its first command waits for all of it. What goes wrong is told by that command. `isOver`: nobody
 * will run one any more.
 */
export async function prepareCommands(
  terminal: { prepare(): Promise<void>; warm?(): Promise<void> },
  isOver: () => boolean = () => false,
): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, requestFirstMs).unref());
  if (isOver()) return;
  // The shell starts in processes of its own while modules load here.
  const starting = terminal.prepare().then(() => (isOver() ? undefined : terminal.warm?.()));
  await Promise.allSettled([starting, loadCommandAnalysis()]);
}

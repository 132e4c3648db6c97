import { loadCommandAnalysis } from '../../core/security/commandAnalysis';

/** Head start of the model's request, in ms. */
const requestFirstMs = 30;

/**
 * Loads what judges and runs commands while the model answers, and starts the shell ahead if the terminal can;
 * otherwise the first command waits for all of it. That command reports any errors. `isOver`: no command will be run
 * anymore.
 */
export async function prepareCommands(
  terminal: { prepare(): Promise<void>; warm?(): Promise<void> },
  isOver: () => boolean = () => false,
): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, requestFirstMs).unref());
  if (isOver()) return;
  // The shell starts in its own processes while modules load here.
  const starting = terminal.prepare().then(() => (isOver() ? undefined : terminal.warm?.()));
  await Promise.allSettled([starting, loadCommandAnalysis()]);
}

/** So long the request of the model goes first. Milliseconds. */
const requestFirstMs = 30;

/**
 * Loads what judges and runs commands, while the model answers: otherwise its first command waits for that. What
 * cannot be loaded is told by that command.
 */
export async function prepareCommands(terminal: { prepare(): Promise<void> }): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, requestFirstMs).unref());
  const loading = [
    terminal.prepare(),
    import('../../core/security/scripts/assessWithScripts'),
    import('../../core/shell/assessCommand'),
    import('../../core/shell/onlyLooks'),
  ];
  await Promise.allSettled(loading);
}

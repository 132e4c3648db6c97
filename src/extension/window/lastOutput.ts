import type { History } from '../../core/log/projection';

/** Maximum length of earlier output shown when a terminal opens, in characters. */
export const maxOutputCharacters = 32 * 1024;

/**
 * Returns the last commands of a log with their output, as a terminal would have shown them. Reads only as much of the
 * log as needed.
 */
export function lastOutput(history: History): string {
  const printed: { readonly actionId: string; readonly content: string }[] = [];
  let characters = 0;
  let at = history.length - 1;
  for (; at >= 0 && characters <= maxOutputCharacters; at--) {
    const event = history[at]!;
    if (event.type !== 'observation' || event.details?.kind !== 'command') continue;
    printed.unshift({ actionId: event.actionId, content: event.content.slice(-maxOutputCharacters) });
    characters += event.content.length;
  }
  const commands = commandsOf(history, new Set(printed.map(({ actionId }) => actionId)));
  const shown = printed
    .map(({ actionId, content }) => `$ ${commands.get(actionId) ?? ''}\n${content}\n`)
    .join('')
    .slice(-maxOutputCharacters - 1);
  const isCut = at >= 0 || shown.length > maxOutputCharacters;
  return isCut ? `[…]\n${shown.slice(-maxOutputCharacters)}` : shown;
}

/** Returns the commands of these actions, searching from the end of the log. */
function commandsOf(history: History, wanted: ReadonlySet<string>): Map<string, string> {
  const commands = new Map<string, string>();
  for (let index = history.length - 1; index >= 0 && commands.size < wanted.size; index--) {
    const event = history[index]!;
    if (event.type !== 'agent_response') continue;
    for (const { id, input } of event.actions)
      if (wanted.has(id) && !commands.has(id))
        commands.set(id, String((input as { command?: unknown } | null)?.command ?? ''));
  }
  return commands;
}

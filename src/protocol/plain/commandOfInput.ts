/** Returns the shell command in the input of a call, or undefined if there is none. */
export function commandOfInput(input: unknown): string | undefined {
  const command = (input as { command?: unknown } | null | undefined)?.command;
  return typeof command === 'string' ? command : undefined;
}

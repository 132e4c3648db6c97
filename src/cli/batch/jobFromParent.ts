import readline from 'node:readline';

/** What a process that works for another one does with its stdin after its job. */
interface Parent {
  /** Who starts such a process, for people who start it themselves: "waymark batch". */
  readonly command: string;
  /** Called with each further line. */
  onLine?(line: string): void;
  /** Called when the stream ends: the parent process is dead, and nobody waits any more. */
  onEnd(): void;
}

/**
 * Reads the job of a process that works for another one: a line of JSON, the first on its stdin. Rejects with an `Error`
 * with a message for people if there is none. Listening keeps no process alive.
 */
export async function jobFromParent<Job>({ command, onLine, onEnd }: Parent): Promise<Job> {
  const lines = readline.createInterface({ input: process.stdin });
  const first = await new Promise<string | undefined>((resolve) => {
    lines.once('line', resolve);
    lines.once('close', () => resolve(undefined));
  });
  if (first === undefined) throw new Error(`"${command}" starts this command, which reads a task from standard input.`);
  if (onLine) lines.on('line', onLine);
  lines.once('close', onEnd);
  process.stdin.unref?.();
  return JSON.parse(first) as Job;
}

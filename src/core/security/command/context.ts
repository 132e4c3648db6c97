/** What the caller knows about the place a command will run in. All of it is optional; the safe answer is assumed. */
export interface CommandContext {
  /** bash, sh and zsh are read; other shells have no parser yet and are always high. */
  readonly shell?: string;
  /** The workspace folder, absolute, so that full paths into it count as inside. */
  readonly workspace?: string;
  /** Where the shell is, relative to the workspace. */
  readonly folder?: string;
  /** The session's own temporary folder, absolute. */
  readonly temporary?: string;
  /** The repository's configuration, attributes or hooks changed since a person last agreed: reading Git may run code. */
  readonly gitConfigurationChanged?: boolean;
  /** The text of a script, as shell commands: `npm` script, `make` target, or shell `file`. `undefined`: not known. */
  readonly lookUp?: (kind: 'npm' | 'make' | 'file', name: string) => string | undefined;
}

import type { Elicitation, Elicited } from '../../core/mcp/elicitation';
import type { ServerInput } from '../../core/mcp/server';

/** What the servers of one process need of the program around them. */
export interface McpHost {
  /** Absolute paths of the workspace folders; undefined while they are not trusted: then there are no servers. */
  folders(): readonly string[] | undefined;
  /** The value of the person's own setting. */
  setting(): unknown;
  /** Where is kept what people agreed to; absolute, outside every workspace. */
  readonly stateFolder: string;
  /** A value that a server is started with. Undefined where nobody gives one. */
  ask(input: ServerInput, server: string): Promise<string | undefined>;
  /**
   * Asks a person a question of a server. Absent if there is no person: the server gets a no. Aborted when the answer
   * is no longer needed.
   */
  elicit?(question: Elicitation, server: string, signal: AbortSignal): Promise<Elicited>;
  /** Shows a person the sign-in page. False if nobody is there to see it. */
  signIn(address: URL, server: string): Promise<boolean>;
  /** Where what was signed in with is kept, by a name of ours. */
  readonly keys: {
    get(name: string): Promise<string | undefined>;
    set(name: string, value: string | undefined): Promise<void>;
  };
}

import type { Elicitation, Elicited } from '../../core/mcp/elicitation';
import type { ServerInput } from '../../core/mcp/server';
import type { ProxyFor } from '../net/proxies';

/** What the servers of one process need from the program around them. */
export interface McpHost {
  /** Absolute paths of the workspace folders. Undefined while they are not trusted: then there are no servers. */
  folders(): readonly string[] | undefined;
  /** The value of the user setting. */
  setting(): unknown;
  /** Returns the proxy for an address; if absent, requests go through that of VS Code or directly. */
  readonly proxyFor?: ProxyFor;
  /** Where approvals are stored; absolute, outside every workspace. */
  readonly stateFolder: string;
  /** Asks for an input of a server. Resolves to undefined if nobody provides one. */
  ask(input: ServerInput, server: string): Promise<string | undefined>;
  /**
   * Asks the user a question of a server. Absent if there is no user: the server gets a refusal. Aborted when the
   * answer is no longer needed.
   */
  elicit?(question: Elicitation, server: string, signal: AbortSignal): Promise<Elicited>;
  /**
   * Shows the sign-in page to the user. Resolves to false if the user declines, and rejects with a message if nobody is
   * there. Aborted when the sign-in is no longer needed.
   */
  signIn(address: URL, server: string, signal: AbortSignal): Promise<boolean>;
  /** Where tokens are stored, by a name that Waymark assigns. */
  readonly keys: {
    get(name: string): Promise<string | undefined>;
    set(name: string, value: string | undefined): Promise<void>;
  };
}

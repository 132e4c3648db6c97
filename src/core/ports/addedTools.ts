import type { Environment } from './environment';
import type { Tool } from './tool';

/** Tools from others than Waymark. They can change at any time. */
export interface AddedTools {
  /** Currently available tools. Names are unique. */
  tools(): readonly Tool[];
  /** Starts what has to run before the tools are known. Never rejects, and has a time limit. */
  prepare(signal: AbortSignal): Promise<void>;
  /** Tools left out because there is no room or no free name for them. */
  readonly leftOut?: readonly Tool[];
  /** Messages for people about tools that cannot be offered. */
  readonly unusable?: readonly string[];
}

/** What an agent works with: what its tools act on, and tools from others. */
export interface AgentEnvironment extends Environment {
  /** Tools from MCP servers and other extensions. */
  readonly added?: AddedTools;
}

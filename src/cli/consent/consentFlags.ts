/**
 * What a folder brings that needs approval: skills, which instruct the agent; hooks, which run at certain moments; MCP
 * servers, which add tools.
 */
export type Agreeable = 'skills' | 'hooks' | 'mcp';

/** What a run approves without asking. `hooks` and `allowMcp` are older names for two of them. */
export interface ConsentFlags {
  readonly agree?: readonly (Agreeable | 'all')[];
  readonly hooks?: boolean;
  readonly allowMcp?: boolean;
}

export const agreesTo = ({ agree = [], hooks, allowMcp }: ConsentFlags, what: Agreeable): boolean =>
  agree.includes('all') ||
  agree.includes(what) ||
  (what === 'hooks' && hooks === true) ||
  (what === 'mcp' && allowMcp === true);

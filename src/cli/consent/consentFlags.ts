/**
 * What a folder brings that a person agrees to: files that teach the agent, programs that run at
 * its moments, servers that give it tools.
 */
export type Agreeable = 'skills' | 'hooks' | 'mcp';

/** What a run agrees to without a question. `hooks` and `allowMcp` are the older words for two of them. */
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

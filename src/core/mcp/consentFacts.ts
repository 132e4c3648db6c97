import { decides, shown } from './approval';
import { launchLine, variablesIn, type McpServer } from './server';

/** What a person has to see before a server is started. Every character is there to be seen, and nothing is cut. */
export interface ConsentFacts {
  readonly name: string;
  /** Where it is named: "mcp.json:3", or "settings". */
  readonly place: string;
  /** The whole command line, or the address. */
  readonly launch: string;
  readonly folder?: string;
  /** Names of the variables or headers that are set for it, with the value where that decides what runs. */
  readonly set: readonly string[];
  /** Variables of this machine whose values it is given. */
  readonly given: readonly string[];
  /** Files of the workspace that the command names: who changes them changes what runs. */
  readonly files: readonly string[];
}

export function consentFacts(server: McpServer, files: Readonly<Record<string, string>>): ConsentFacts {
  const set = server.kind === 'http' ? Object.keys(server.headers) : Object.entries(server.env).map(([name, value]) => (decides(name) ? `${name}=${value}` : name));
  return {
    name: shown(server.name), place: server.own ? 'settings' : `${server.file}:${server.from.line}`, launch: shown(launchLine(server)),
    ...(server.kind === 'stdio' && server.cwd !== undefined && { folder: shown(server.cwd) }),
    set: set.map(shown), given: variablesIn(server), files: Object.keys(files).map(shown),
  };
}

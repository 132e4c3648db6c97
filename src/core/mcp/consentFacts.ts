import { decides, shownInLine, type Bound } from './approval';
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
  /** What the command and the variables name of the workspace: who changes it changes what runs. */
  readonly files: readonly string[];
  /** Which program of the workspace runs cannot be told. */
  readonly untold: boolean;
}

export function consentFacts(server: McpServer, { files, untold }: Pick<Bound, 'files' | 'untold'>): ConsentFacts {
  const set =
    server.kind === 'http'
      ? Object.keys(server.headers)
      : Object.entries(server.env).map(([name, value]) => (decides(name) ? `${name}=${value}` : name));
  return {
    name: shownInLine(server.name),
    place: server.own ? 'settings' : `${shownInLine(server.file)}:${server.from.line}`,
    launch: shownInLine(launchLine(server)),
    ...(server.kind === 'stdio' && server.cwd !== undefined && { folder: shownInLine(server.cwd) }),
    set: set.map(shownInLine),
    given: variablesIn(server),
    files: Object.keys(files).map(shownInLine),
    untold,
  };
}

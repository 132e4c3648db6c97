import { showInvisibleInLine } from '../../protocol/plain/invisible';
import { decidesWhatRuns, type Bound } from './approval';
import { inputsOf } from './interpolation';
import { launchLine, variablesIn, type McpServer } from './server';

/** What a person must see before a server is started. All characters are visible, and nothing is truncated. */
export interface ConsentFacts {
  readonly name: string;
  /** Where it is declared: "mcp.json:3" or "settings". */
  readonly place: string;
  /** The whole command line, or the URL. */
  readonly launch: string;
  readonly folder?: string;
  /** Names of the variables or headers it sets, with the value if that decides what runs. */
  readonly set: readonly string[];
  /** Variables of this machine whose values it receives. */
  readonly given: readonly string[];
  /** Inputs that are asked for when it starts and have a default: `${input:level} = "info"`. */
  readonly defaults: readonly string[];
  /** Workspace files named by its command and variables. Changing them changes what runs. */
  readonly files: readonly string[];
  /** True if it is unknown which program of the workspace runs. */
  readonly untold: boolean;
}

export function consentFacts(server: McpServer, { files, untold }: Pick<Bound, 'files' | 'untold'>): ConsentFacts {
  const set =
    server.kind === 'http'
      ? [
          ...Object.keys(server.headers),
          ...(server.oauth ? [`oauth.clientId=${server.oauth.clientId}`] : []),
          ...(server.oauth?.clientSecret === undefined ? [] : ['oauth.clientSecret']),
          ...(server.oauth?.callbackPort === undefined ? [] : [`oauth.callbackPort=${server.oauth.callbackPort}`]),
        ]
      : Object.entries(server.env).map(([name, value]) => (decidesWhatRuns(name) ? `${name}=${value}` : name));
  return {
    name: showInvisibleInLine(server.name),
    place: server.own ? 'settings' : `${showInvisibleInLine(server.file)}:${server.from.line}`,
    launch: showInvisibleInLine(launchLine(server)),
    ...(server.kind === 'stdio' && server.cwd !== undefined && { folder: showInvisibleInLine(server.cwd) }),
    set: set.map(showInvisibleInLine),
    given: variablesIn(server).map(showInvisibleInLine),
    defaults: inputsOf(server)
      .filter(({ fallback }) => fallback !== undefined)
      .map(({ id, fallback }) => showInvisibleInLine(`\${input:${id}} = ${JSON.stringify(fallback)}`)),
    files: Object.keys(files).map(showInvisibleInLine),
    untold,
  };
}

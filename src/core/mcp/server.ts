/** A place in a file, both counted from 1; columns in UTF-16 units. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** What is wrong with a file of servers. `error`: the server, or the file, is not used. */
export interface ServerProblem {
  readonly severity: 'error' | 'warning';
  readonly message: string;
  /** As people are shown it; "settings" for the setting. */
  readonly file: string;
  readonly from: Position;
  readonly to: Position;
  readonly server?: string;
}

/** A value that a person is asked for when a server starts. */
export interface ServerInput {
  readonly id: string;
  readonly description: string;
  readonly secret: boolean;
  readonly fallback?: string;
  readonly options?: readonly string[];
}

interface Common {
  readonly name: string;
  /** Where it is named, as people are shown it; "settings" for the person's own setting. */
  readonly file: string;
  readonly from: Position;
  /** The workspace folder of that file; absolute. For the setting the first one, or "" where there is none. */
  readonly folder: string;
  /** Whether a person wrote it into settings of their own, where no repository reaches. */
  readonly own: boolean;
  /** Set where whoever wrote it wants it off. */
  readonly disabled: boolean;
  /** How long a call may take, in milliseconds. */
  readonly timeoutMs: number;
  /** Whether it is told the workspace folders. Absent: told, unless its arguments name folders. */
  readonly roots?: boolean;
  readonly inputs: readonly ServerInput[];
}

/**
 * A program that is started and spoken with over its standard input and output. All texts are as they were written:
 * `${env:X}` and its kin are filled in when it starts.
 */
export interface StdioServer extends Common {
  readonly kind: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** A server that is spoken with over streamable HTTP. */
export interface HttpServer extends Common {
  readonly kind: 'http';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** An MCP server as it was named. Data only: nothing starts because it is there. */
export type McpServer = StdioServer | HttpServer;

/** What it starts or where it goes, in one line and uncut. */
export const launchLine = (server: McpServer): string =>
  server.kind === 'http' ? server.url : [server.command, ...server.args].map(quoted).join(' ');

const quoted = (word: string): string => (/^[\w@%+=:,./${}-]+$/.test(word) ? word : JSON.stringify(word));

/** The variables of this machine that it is given, wherever they stand. */
export function variablesIn(server: McpServer): string[] {
  const texts =
    server.kind === 'http'
      ? [server.url, ...Object.values(server.headers)]
      : [server.command, ...server.args, ...Object.values(server.env), server.cwd ?? ''];
  return [
    ...new Set(
      texts
        .flatMap((text) => [...text.matchAll(/\$\{(?:env:)?([A-Za-z_]\w*)(?::-[^{}]*)?\}/g)].map(([, name]) => name!))
        .filter((name) => !known.has(name)),
    ),
  ];
}

/** Names in `${…}` that are no variables of the machine. */
export const known: ReadonlySet<string> = new Set([
  'workspaceFolder',
  'workspaceFolderBasename',
  'userHome',
  'pathSeparator',
]);

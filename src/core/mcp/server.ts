import type { Position } from '../ports/skill';

/** A problem with a file of servers. `error`: the server, or the file, is not used. */
export interface ServerProblem {
  readonly severity: 'error' | 'warning';
  readonly message: string;
  /** The file, as displayed; "settings" for the setting. */
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
  /** File that declares it, as displayed; "settings" for the person's own setting. */
  readonly file: string;
  readonly from: Position;
  /** Absolute path of the file's workspace folder. For the setting the first one, or "" if there is none. */
  readonly folder: string;
  /** True if it is from the person's own settings, which a repository cannot change. */
  readonly own: boolean;
  /** True if its author disabled it. */
  readonly disabled: boolean;
  /** Timeout of a call, in milliseconds. */
  readonly timeoutMs: number;
  /** True if it gets the workspace folders. By default it does, unless its arguments name folders. */
  readonly roots?: boolean;
  readonly inputs: readonly ServerInput[];
}

/**
 * A server that runs as a program and communicates over stdin and stdout. All texts are as written; `${env:X}` and
 * similar references are resolved when it starts.
 */
export interface StdioServer extends Common {
  readonly kind: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** A server that communicates over streamable HTTP. */
export interface HttpServer extends Common {
  readonly kind: 'http';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly oauth?: OAuthClient;
}

/** A client that is registered at the sign-in server of an MCP server. */
export interface OAuthClient {
  readonly clientId: string;
  readonly clientSecret?: string | undefined;
  /** Port of the redirect address on this machine; any free one if absent. */
  readonly callbackPort?: number | undefined;
}

/** A declared MCP server. It is only data and starts nothing by itself. */
export type McpServer = StdioServer | HttpServer;

/** Its command line or URL on one line, not truncated. */
export const launchLine = (server: McpServer): string =>
  server.kind === 'http' ? server.url : [server.command, ...server.args].map(quoteWord).join(' ');

const quoteWord = (word: string): string => (/^[\w@%+=:,./${}-]+$/.test(word) ? word : JSON.stringify(word));

/** All variables of this machine that it receives. */
export function variablesIn(server: McpServer): string[] {
  const texts =
    server.kind === 'http'
      ? [server.url, ...Object.values(server.headers), server.oauth?.clientId ?? '', server.oauth?.clientSecret ?? '']
      : [server.command, ...server.args, ...Object.values(server.env), server.cwd ?? ''];
  return [...new Set(texts.flatMap((text) => [...text.matchAll(reference)].flatMap(variableIn)))];
}

/** A `${…}` in a text: its kind, its name, and the value to use if there is none. */
export const reference = /\$\{(?:(env|input):)?((?:(?!:-)[^{}])*)(?::-([^{}]*))?\}/g;

/** Returns the name of the variable of this machine that a reference means. With "env:", it may have any characters. */
function variableIn([, kind, name = '']: RegExpMatchArray): string[] {
  const isVariable = kind === undefined ? isPlainName(name) && !reservedNames.has(name) : kind === 'env';
  return isVariable ? [name] : [];
}

export const isPlainName = (name: string): boolean => /^[A-Za-z_]\w*$/.test(name);

/** Names in `${…}` that are not environment variables. */
export const reservedNames: ReadonlySet<string> = new Set([
  'workspaceFolder',
  'workspaceFolderBasename',
  'userHome',
  'pathSeparator',
]);

import { showInvisible, showInvisibleInLine } from '../../protocol/plain/invisible';
import { inputsOf } from './interpolation';
import { type McpServer, type OAuthClient, launchLine, variablesIn } from './server';
import { byName, compareTexts } from '../text/order';

/** A tool as described by its server. */
export interface DescribedTool {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly inputSchema: Record<string, unknown>;
  /** Hints from the server about the tool. No decision depends on them. */
  readonly annotations?: Readonly<Record<string, unknown>> | undefined;
}

/** What a person approved: how the server is started, and its tools at that time. Stored outside the workspace. */
export interface Approval {
  readonly launch: string;
  readonly tools: Readonly<Record<string, DescribedTool>>;
  /** Absent until the server has listed its tools for the first time. Those then count as approved. */
  readonly seen?: boolean;
}

/** Files and values of this machine that a server would use. */
export interface LaunchFingerprint {
  /** Hashes of workspace files and folders named by its command and variables, by path. */
  readonly files: Readonly<Record<string, string>>;
  /** Values of variables from this machine that decide what runs. */
  readonly decided: Readonly<Record<string, string>>;
  /**
   * True if its command does not tell which program of the workspace runs, so that a change of the program is not
   * detected.
   */
  readonly hasUnknownPrograms: boolean;
}

const nothing: LaunchFingerprint = { files: {}, decided: {}, hasUnknownPrograms: false };

/**
 * Returns the SHA-256 to which the approval to start a server is bound, in hexadecimal. It covers the file that
 * declares the server, its command with arguments and folder, its variables with values as written, its URL, the names
 * of its headers, the client it signs in as, the inputs it asks for with their defaults, and the content of the
 * workspace files it names. Variables from this machine are included by name, and by value only if they decide what
 * runs.
 */
export async function launchHash(
  server: McpServer,
  { files, decided, hasUnknownPrograms }: LaunchFingerprint = nothing,
): Promise<string> {
  const { name, file, own, folder } = server;
  const what =
    server.kind === 'http'
      ? [
          'http',
          server.url,
          Object.keys(server.headers)
            .map((header) => header.toLowerCase())
            .sort(),
          Object.values(server.headers).flatMap(variables).sort(),
          ...(server.oauth ? [clientOf(server.oauth)] : []),
        ]
      : [
          'stdio',
          server.command,
          server.args,
          server.cwd ?? '',
          inOrder(server.env),
          inOrder(decided),
          inOrder(files),
          hasUnknownPrograms,
        ];
  const inputs = inputsOf(server).map(({ id, description, secret, fallback = null, options = [] }) => [
    id,
    description,
    secret,
    fallback,
    options,
  ]);
  return sha256(JSON.stringify([name, own ? '' : folder, file, what, ...(inputs.length > 0 ? [inputs] : [])]));
}

/**
 * True if the value of a variable decides what runs. Such values are shown, and are part of the approval even if they
 * come from this machine.
 */
export const decidesWhatRuns = (name: string): boolean => deciding.test(name);

const deciding = new RegExp(
  `^(?:${[
    'PATH|PATHEXT|COMSPEC|LD_.*|DYLD_.*|BASH_ENV|ENV|ZDOTDIR|PROMPT_COMMAND|PS4|IFS|SHELLOPTS|BASHOPTS|SHELL|EDITOR|VISUAL|PAGER|BROWSER|LESSOPEN|HOME|USERPROFILE|APPDATA|XDG_.*',
    'NODE_(?:OPTIONS|PATH|EXTRA_CA_CERTS|TLS_REJECT_UNAUTHORIZED|REPL_EXTERNAL_MODULE)|npm_config_.*|PNPM_HOME|YARN_(?:RC_FILENAME|IGNORE_PATH|CACHE_FOLDER)|TS_NODE_.*|TSX_.*|ELECTRON_RUN_AS_NODE|DENO_.*|BUN_.*',
    'PYTHON.*|PIP_.*|UV_.*|VIRTUAL_ENV|CONDA_PREFIX|PERL5?(?:OPT|LIB|DB|_.*)|RUBY(?:OPT|LIB|SHELL)|GEM_(?:HOME|PATH)|BUNDLE_(?:GEMFILE|PATH|BIN|APP_CONFIG)|LUA_(?:PATH|CPATH|INIT).*|PHPRC|PHP_INI_SCAN_DIR',
    'JAVA_(?:TOOL_OPTIONS|HOME)|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|CLASSPATH|MAVEN_(?:OPTS|ARGS)|GRADLE_(?:OPTS|USER_HOME)|DOTNET_.*|CORECLR_.*|GO(?:FLAGS|PATH|ROOT|ENV|TOOLCHAIN)|RUST(?:C|FLAGS|C_WRAPPER|UP_TOOLCHAIN)|CARGO_(?:HOME|BUILD_.*|TARGET_.*)',
    'GIT_.*|DOCKER_(?:HOST|CONFIG|CONTEXT)|https?_proxy|ALL_PROXY|SSL_CERT_(?:FILE|DIR)',
  ].join('|')})$`,
  'i',
);

const inOrder = (values: Readonly<Record<string, string>>): [string, string][] =>
  Object.entries(values).sort(([a], [b]) => compareTexts(a, b));

const clientOf = ({ clientId, clientSecret, callbackPort }: OAuthClient): unknown[] => [
  clientId,
  clientSecret === undefined ? null : variables(clientSecret),
  callbackPort ?? null,
];

/** Machine variables used in a value. Another variable would reveal another secret. */
const variables = (value: string): string[] => [...value.matchAll(/\$\{(?!input:)[^{}]*\}/g)].map(([whole]) => whole);

/** Hash of everything a tool says about itself. */
export const toolHash = ({ name, title, description, inputSchema, annotations }: DescribedTool): Promise<string> =>
  sha256(JSON.stringify(withSortedKeys([name, title ?? null, description ?? null, inputSchema, annotations ?? null])));

/** Differences between a server's tools and the approved ones. */
export interface ToolChanges {
  readonly same: readonly DescribedTool[];
  readonly added: readonly DescribedTool[];
  readonly changed: readonly DescribedTool[];
  readonly gone: readonly string[];
}

/** Compares the tools that a server offers now with the approved ones, by their hashes. */
export async function toolChanges(agreed: Approval['tools'], now: readonly DescribedTool[]): Promise<ToolChanges> {
  const state = await Promise.all(
    now.map(async (tool) => {
      const before = Object.hasOwn(agreed, tool.name) ? agreed[tool.name]! : undefined;
      if (before === undefined) return 'added';
      return (await toolHash(before)) === (await toolHash(tool)) ? 'same' : 'changed';
    }),
  );
  const toolsIn = (wanted: string): DescribedTool[] => now.filter((_tool, index) => state[index] === wanted);
  return {
    same: toolsIn('same'),
    added: toolsIn('added'),
    changed: toolsIn('changed'),
    gone: Object.keys(agreed).filter((name) => !now.some((tool) => tool.name === name)),
  };
}

/** Formats tools as text for a line-by-line diff. */
export const toolsInWords = (tools: readonly DescribedTool[]): string =>
  [...tools]
    .sort(byName)
    .map(({ name, title, description, inputSchema, annotations }) =>
      [
        `# ${name}${title === undefined ? '' : ` (${title})`}`,
        description ?? '',
        JSON.stringify(withSortedKeys(inputSchema), null, 2),
        ...(annotations ? [`hints: ${JSON.stringify(withSortedKeys(annotations))}`] : []),
      ]
        .filter(Boolean)
        .join('\n\n'),
    )
    .map(showInvisible)
    .join('\n\n\n') + '\n';

/** Returns the value with the keys of every object sorted. */
function withSortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSortedKeys);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => compareTexts(a, b))
      .map(([key, each]) => [key, withSortedKeys(each)]),
  );
}

async function sha256(text: string): Promise<string> {
  return Array.from(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}

/** What a person must see before a server is started. All characters are visible, and nothing is truncated. */
export interface ConsentFacts {
  readonly name: string;
  /** Where it is declared: "mcp.json:3" or "settings". */
  readonly place: string;
  /** The whole command line, or the URL. */
  readonly launch: string;
  readonly folder?: string;
  /** Names of the variables or headers it sets, with the value if that decides what runs. */
  readonly variablesSet: readonly string[];
  /** Variables of this machine whose values it receives. */
  readonly variablesReceived: readonly string[];
  /** Inputs that are asked for when it starts and have a default: `${input:level} = "info"`. */
  readonly defaults: readonly string[];
  /** Workspace files named by its command and variables. Changing them changes what runs. */
  readonly files: readonly string[];
  /** True if it is unknown which program of the workspace runs. */
  readonly hasUnknownPrograms: boolean;
}

export function consentFacts(
  server: McpServer,
  { files, hasUnknownPrograms }: Pick<LaunchFingerprint, 'files' | 'hasUnknownPrograms'>,
): ConsentFacts {
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
    variablesSet: set.map(showInvisibleInLine),
    variablesReceived: variablesIn(server).map(showInvisibleInLine),
    defaults: inputsOf(server)
      .filter(({ fallback }) => fallback !== undefined)
      .map(({ id, fallback }) => showInvisibleInLine(`\${input:${id}} = ${JSON.stringify(fallback)}`)),
    files: Object.keys(files).map(showInvisibleInLine),
    hasUnknownPrograms,
  };
}

import type { McpServer } from './server';

/** A tool as its server tells of it. */
export interface ToldTool {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly inputSchema: Record<string, unknown>;
  /** What the server says of the tool's nature. Hints: no decision rests on them. */
  readonly annotations?: Readonly<Record<string, unknown>> | undefined;
}

/** What a person agreed to: how the server is started, and each tool as it was then. Kept outside the workspace. */
export interface Approval {
  readonly launch: string;
  readonly tools: Readonly<Record<string, ToldTool>>;
  /** Absent until it told of its tools for the first time: those that it tells then are what was agreed to. */
  readonly seen?: boolean;
}

/**
 * What a consent to start a server is bound to, as 64 hexadecimal digits: where it is named, its command with arguments and folder, the names
 * of its variables or headers, the values of those variables that make programs run other code, its address, and the content of files of the
 * workspace that the command names (`files`: path to hash).
 */
export async function launchHash(server: McpServer, files: Readonly<Record<string, string>> = {}): Promise<string> {
  const { name, file, own, folder } = server;
  const what = server.kind === 'http'
    ? ['http', server.url, Object.keys(server.headers).map(header => header.toLowerCase()).sort(), Object.values(server.headers).flatMap(variables).sort()]
    : ['stdio', server.command, server.args, server.cwd ?? '', Object.keys(server.env).sort(), telling(server.env), Object.values(server.env).flatMap(variables).sort(), Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1))];
  return sha256(JSON.stringify([name, own ? '' : folder, file, what]));
}

/** Variables whose value decides what runs: it is shown and bound, where of all others the name is. */
export const decides = (name: string): boolean => /^(PATH|NODE_OPTIONS|NODE_PATH|LD_.*|DYLD_.*|BASH_ENV|ENV|PYTHON(PATH|STARTUP|HOME)|PERL5(OPT|LIB)|RUBY(OPT|LIB)|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|GIT_.*|EDITOR|VISUAL|PAGER|SHELL|npm_config_.*|NPM_CONFIG_.*|PIP_.*|UV_.*|DENO_.*|BUN_.*|https?_proxy|ALL_PROXY|NODE_EXTRA_CA_CERTS|NODE_TLS_REJECT_UNAUTHORIZED|SSL_CERT_(FILE|DIR)|HOME|XDG_CONFIG_HOME)$/i.test(name);

const telling = (env: Readonly<Record<string, string>>): [string, string][] => Object.entries(env).filter(([name]) => decides(name)).sort(([a], [b]) => (a < b ? -1 : 1));

/** The variables of the machine that a value takes: another one is another secret that is handed over. */
const variables = (value: string): string[] => [...value.matchAll(/\$\{(?!input:)[^}]*\}/g)].map(([whole]) => whole);

/** What one tool says of itself; whatever of it changes gives another hash. */
export const toolHash = ({ name, title, description, inputSchema, annotations }: ToldTool): Promise<string> => sha256(JSON.stringify(sorted([name, title ?? null, description ?? null, inputSchema, annotations ?? null])));

/** The list of a server's tools as one hash, whatever their order. */
export const toolsHash = async (tools: readonly ToldTool[]): Promise<string> => sha256((await Promise.all(tools.map(toolHash))).sort().join('\n'));

/** How the tools of a server differ from those that were agreed to. */
export interface ToolChanges { readonly same: readonly ToldTool[]; readonly added: readonly ToldTool[]; readonly changed: readonly ToldTool[]; readonly gone: readonly string[] }

export async function toolChanges(agreed: Approval['tools'], now: readonly ToldTool[]): Promise<ToolChanges> {
  const state = await Promise.all(now.map(async tool => {
    const before = Object.hasOwn(agreed, tool.name) ? agreed[tool.name]! : undefined;
    return before === undefined ? 'added' : await toolHash(before) === await toolHash(tool) ? 'same' : 'changed';
  }));
  const of = (wanted: string): ToldTool[] => now.filter((_tool, at) => state[at] === wanted);
  return { same: of('same'), added: of('added'), changed: of('changed'), gone: Object.keys(agreed).filter(name => !now.some(tool => tool.name === name)) };
}

/** Tools as a text that can be compared line by line. */
export const toolsInWords = (tools: readonly ToldTool[]): string =>
  [...tools].sort((a, b) => (a.name < b.name ? -1 : 1)).map(({ name, title, description, inputSchema, annotations }) =>
    [`# ${name}${title === undefined ? '' : ` (${title})`}`, description ?? '', JSON.stringify(sorted(inputSchema), null, 2), ...(annotations ? [`hints: ${JSON.stringify(sorted(annotations))}`] : [])].filter(Boolean).join('\n\n')).map(shown).join('\n\n\n') + '\n';

/** What a person would not see is named. */
export const shown = (text: string): string => text.replace(/[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e0fff}\u0000-\u0008\u000b-\u001f\u007f-\u009f]/gu, sign => `⟨U+${sign.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}⟩`);

/** The same value with the keys of every object in one order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, each]) => [key, sorted(each)]));
}

async function sha256(text: string): Promise<string> {
  return Array.from(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))), byte => byte.toString(16).padStart(2, '0')).join('');
}

import type { LiveServer } from '../../adapters/mcp/liveServer';
import type { McpServers } from '../../adapters/mcp/mcpServers';
import { mentionsIn } from '../../core/context/mentions';
import { parsePromptCall, promptCommand } from '../../core/mcp/offers';
import { commandName } from '../../core/skills/commandName';
import type { UserSettings } from '../../core/settings/table';
import type { ConsentMeans } from '../consent/ask';
import { disabledWords, mayStartServer, serversIn, settleTools } from '../consent/mcpConsent';
import { stderr } from '../output/output';
import { escapeForTerminal } from '../output/escapeForTerminal';
import type { ToolSources } from '../../core/tools/toolSources';

interface McpOfRun {
  readonly root: string;
  /** The requested servers; "all" for every one. */
  readonly names: readonly string[];
  readonly task: string;
  readonly asking: ConsentMeans;
  /** Aborted when the run is no longer wanted; ends all waiting. */
  readonly signal: AbortSignal;
  /** The servers from the settings. */
  readonly setting?: UserSettings['mcp.servers'];
  /** Provides their tools while they run. */
  readonly added: ToolSources;
}

/**
 * Starts the MCP servers that a run may use, each with consent. Prints to stderr which ones do not start; the run
 * continues without slow, refused and unnamed ones. Throws an `Error` with a message for people if a named server cannot
 * start or is not configured anywhere, or nobody can be asked.
 */
export async function mcpForRun(run: McpOfRun): Promise<Pick<McpServers, 'stop'>> {
  const { root, names, task, asking, signal, setting, added } = run;
  const isWanted = (name: string): boolean => names.includes('all') || names.includes(name);
  const servers = serversIn(root, asking, isWanted, setting);
  const all = await servers.refresh();
  for (const { file, from, message } of servers.problems)
    stderr.write(`${escapeForTerminal(file)}:${from.line}:${from.column} ${escapeForTerminal(message)}\n`);
  refuseUnknown(names, all);
  const wanted = all.filter(({ named }) => isWanted(named.name));
  for (const server of wanted) if (!signal.aborted) await allowStart(server, asking);
  try {
    if (!signal.aborted) await servers.prepare(signal);
  } catch (error) {
    stderr.write(`Not all MCP servers could be started. ${escapeForTerminal((error as Error).message)}\n`);
  }
  for (const server of wanted) if (!signal.aborted) await reportStart(server, asking);
  const missing = wanted.filter(({ named, state }) => names.includes(named.name) && ['failed', 'off'].includes(state));
  if (missing.length > 0 && !signal.aborted) {
    await servers.stop();
    throw new Error(
      `Nothing was begun, because --mcp names ${missing.length > 1 ? 'servers' : 'a server'} that did not start: ${missing.map(({ named }) => named.name).join(', ')}. Correct this, or leave ${missing.length > 1 ? 'them' : 'it'} out of --mcp.`,
    );
  }
  for (const words of unresolvedMentions(task, wanted))
    stderr.write(
      `${escapeForTerminal(words)} is sent to the model as text: prompts and resources of MCP servers work in the window only.\n`,
    );
  const remove = added.add(servers);
  return {
    stop() {
      remove();
      return servers.stop();
    },
  };
}

function refuseUnknown(names: readonly string[], all: readonly LiveServer[]): void {
  const configured = all.map(({ named }) => named.name);
  const unknown = names.find((name) => name !== 'all' && !configured.includes(name));
  if (unknown === undefined) return;
  const none = 'None is defined in .agent/mcp.json, .mcp.json or .vscode/mcp.json.';
  throw new Error(
    `There is no MCP server "${unknown}" here. ${all.length === 0 ? none : `Available: ${configured.join(', ')}.`}`,
  );
}

/** Asks whether a server may start. Rejects if nobody can be asked. */
async function allowStart(server: LiveServer, asking: ConsentMeans): Promise<void> {
  const name = escapeForTerminal(server.named.name);
  try {
    if (!(await mayStartServer(server, asking)))
      stderr.write(`${name} was not started.${server.state === 'off' ? ` ${disabledWords(server)}` : ''}\n`);
  } catch (error) {
    if (!asking.agree && !asking.attended) throw error;
    stderr.write(`${name} was not started. ${escapeForTerminal((error as Error).message)}\n`);
  }
}

/** Prints why a server does not run, or settles which tools of a running one are used. */
async function reportStart(server: LiveServer, asking: ConsentMeans): Promise<void> {
  const name = escapeForTerminal(server.named.name);
  if (server.state === 'starting')
    stderr.write(
      `The MCP server ${name} ${server.awaitsSignIn ? 'waits for your sign-in' : 'is still starting'}. The run starts without it; later steps can use its tools.\n`,
    );
  if (server.state === 'failed')
    stderr.write(`The MCP server ${name} did not start. ${escapeForTerminal(server.reason ?? '')}\n`);
  if (server.state !== 'running') return;
  try {
    await settleTools(server, asking);
  } catch (error) {
    stderr.write(`The new tools of ${name} are not used. ${escapeForTerminal((error as Error).message)}\n`);
  }
}

/**
 * Returns prompts and resources of servers that the task mentions, as written. Only messages in the window are resolved
 * by servers.
 */
function unresolvedMentions(task: string, servers: readonly LiveServer[]): string[] {
  const prompt = parsePromptCall(
    task,
    servers.flatMap(({ named, prompts }) => prompts.map((each) => promptCommand(named.name, each))),
  );
  const resources = mentionsIn(task).filter(
    ({ kind, argument }) => kind === 'resource' && servers.some(({ named }) => argument.startsWith(`${named.name}:`)),
  );
  return [...(prompt ? [`/${commandName(prompt.command.command)}`] : []), ...resources.map(({ written }) => written)];
}

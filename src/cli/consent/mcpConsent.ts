import path from 'node:path';
import type { McpHost } from '../../adapters/mcp/host';
import type { LiveServer } from '../../adapters/mcp/liveServer';
import { McpServers } from '../../adapters/mcp/mcpServers';
import { proxiesOf } from '../../adapters/net/proxies';
import { stateFolder } from '../../adapters/storage/stateFolder';
import { toolsInWords, consentFacts, type ConsentFacts } from '../../core/mcp/approval';
import type { UserSettings } from '../../core/settings/table';
import { quoteForShell } from '../../core/text/shellText';
import { ConsentNeeded, type ConsentMeans, isYes } from './ask';
import { stderr } from '../output/output';
import { escapeForTerminal, printToStderr, sendConsole } from '../output/escapeForTerminal';
import { printMaskedToStderr } from '../output/masked';
import {
  elicitedValue,
  type Elicitation,
  type Elicited,
  type ElicitedField,
  type ElicitedValue,
} from '../../core/mcp/elicitation';
import { commaSeparated } from '../output/newCommand';

/** The servers of a folder. Tokens are kept only until the process ends. */
export function serversIn(
  root: string,
  { attended, questions }: Pick<ConsentMeans, 'attended' | 'questions'>,
  wanted: (name: string) => boolean = () => true,
  setting?: UserSettings['mcp.servers'],
): McpServers {
  const keys = new Map<string, string>();
  const host: McpHost = {
    folders: () => [root],
    setting: () => setting,
    stateFolder: path.join(stateFolder(), 'mcp'),
    proxyFor: proxiesOf(process.env),
    async ask({ description, secret, options, fallback }, server) {
      if (!attended) return undefined;
      const choices = options ? ` (${options.map(escapeForTerminal).join(' / ')})` : '';
      const usual = fallback === undefined ? '' : ` [${escapeForTerminal(fallback)}]`;
      const question = `${escapeForTerminal(server)} needs a value. ${escapeForTerminal(description)}${choices}${usual}: `;
      return (await questions.ask(question, { isHidden: secret && !options })) || undefined;
    },
    elicit: (question, server, signal) =>
      elicitAtTerminal(question, server, attended ? (words) => questions.ask(words, { unwanted: signal }) : undefined),
    async signIn(address, server) {
      if (!attended)
        throw new Error(
          `${server} requires a sign-in with a browser, and there is no terminal to ask at. Give its entry a token instead: "headers": { "Authorization": "Bearer \${env:TOKEN}" }.`,
        );
      stderr.write(
        `Sign in to ${escapeForTerminal(server)} in a browser of this machine:\n  ${escapeForTerminal(address.href)}\n`,
      );
      return true;
    },
    keys: {
      get: async (name) => keys.get(name),
      set: async (name, value) => void (value === undefined ? keys.delete(name) : keys.set(name, value)),
    },
  };
  // The MCP package prints errors in the words of a server.
  sendConsole(printMaskedToStderr);
  return new McpServers(host, undefined, wanted);
}

/** Says how to be asked about a server. "waymark mcp" does not know servers from the settings of a run. */
function howToAsk({ named: { name, folder, own } }: LiveServer): string {
  if (own) return 'run this command again at a terminal, which asks';
  const place = folder === process.cwd() ? '' : ` --cwd ${quoteForShell(folder)}`;
  // The name comes from a repository, and people paste this command into their shell.
  const typed = /^[\w.@-]+$/.test(name) ? name : quoteForShell(name);
  return `run "waymark mcp --start ${escapeForTerminal(typed)}${escapeForTerminal(place)}" at a terminal`;
}

/**
 * Returns true if the server may start. Only a typed "y" counts as consent. Throws `ConsentNeeded` if nobody can be
 * asked. `flag`: what approves the server in the current command.
 */
export async function mayStartServer(
  server: LiveServer,
  { agree, attended, questions }: ConsentMeans,
  flag = '--agree mcp',
): Promise<boolean> {
  if ((await server.refreshState()) !== 'asks') return server.state !== 'off';
  const { hash, bound } = await server.launch();
  const facts = consentFacts(server.named, bound);
  if (!agree && !attended)
    throw new ConsentNeeded(
      `The MCP server ${facts.name} was not started: nobody approved it, and there is no terminal to ask at. It would start\n${formatConsentFacts(facts)}\nReview it, then give ${flag}, or ${howToAsk(server)}.`,
    );
  if (!agree)
    stderr.write(
      `\n${facts.place} names the MCP server ${facts.name}. It runs outside the sandbox, with your rights:\n${formatConsentFacts(facts)}\n`,
    );
  if (!agree && !(await questions.agrees('Start it, now and whenever none of this has changed?'))) return false;
  return server.agreeToStart(hash);
}

/** Says how to use a server that its file turns off. */
export const disabledWords = ({ named }: LiveServer): string =>
  `${escapeForTerminal(named.file)}:${named.from.line} disables it. Remove "disabled" there to use it.`;

/** Asks about changed tools, which are not offered until somebody approves them. */
export async function settleTools(server: LiveServer, { agree, attended, questions }: ConsentMeans): Promise<void> {
  const { added, changed } = server.changes;
  const waiting = [...changed, ...added];
  if (waiting.length === 0) return;
  const name = escapeForTerminal(server.named.name);
  stderr.write(
    `\n${name} has new tools, or tools with a changed description: ${waiting.map((tool) => escapeForTerminal(tool.name)).join(', ')}.\n`,
  );
  if (!agree && !attended) return stderr.write(`They are not used. To review them, ${howToAsk(server)}.\n`);
  if (!agree) stderr.write(`${toolsInWords(waiting)}\n`);
  if (agree || (await questions.agrees('Use them?'))) await server.agreeToTools(waiting);
}

export const formatConsentFacts = ({
  launch,
  defaults,
  folder,
  variablesSet,
  variablesReceived,
  files,
  hasUnknownPrograms,
}: ConsentFacts): string =>
  [
    `  ${launch}`,
    defaults.length > 0 && `  if you enter nothing: ${defaults.join(', ')}`,
    folder !== undefined && `  in the folder ${folder}`,
    variablesSet.length > 0 && `  it gets: ${variablesSet.join(', ')}`,
    variablesReceived.length > 0 && `  it gets from this machine: ${variablesReceived.join(', ')}`,
    files.length > 0 && `  programs of the workspace: ${files.join(', ')}`,
    hasUnknownPrograms &&
      '  Waymark cannot tell which files of the workspace it runs, and does not notice when they change',
  ]
    .filter(Boolean)
    .join('\n');

type Answered = (question: string) => Promise<string>;

/** Asks a question of a server at the terminal. If nobody is there, prints that and declines. */
export async function elicitAtTerminal(
  { message, fields }: Elicitation,
  server: string,
  answered: Answered | undefined,
): Promise<Elicited> {
  stderr.write(`\nThe MCP server ${escapeForTerminal(server)} asks: ${escapeForTerminal(message)}\n`);
  for (const field of fields) stderr.write(`  ${describeField(field)}\n`);
  if (!answered) {
    stderr.write('There is no terminal to ask at, so Waymark declines.\n');
    return { action: 'decline' };
  }
  if (fields.some(({ secret }) => secret))
    stderr.write(
      'It probably asks for a secret. Your answer is sent to the server, and your typing is visible here.\n',
    );
  if (!isYes(await answered(`${fields.length > 0 ? 'Answer it?' : 'Agree?'} y = yes, anything else = decline: `)))
    return { action: 'decline' };
  const content: Record<string, ElicitedValue> = {};
  for (const field of fields) {
    const value = await valueFor(field, answered);
    if (value === 'gave up') return { action: 'cancel' };
    if (value.value !== undefined) content[field.name] = value.value;
  }
  return { action: 'accept', content };
}

const attempts = 3;

async function valueFor(
  field: ElicitedField,
  answered: Answered,
): Promise<{ readonly value: ElicitedValue | undefined } | 'gave up'> {
  const usual = field.fallback === undefined ? '' : ` [${escapeForTerminal(String(field.fallback))}]`;
  for (let attempt = 0; attempt < attempts; attempt++) {
    const words = await answered(`${escapeForTerminal(field.title)}${usual}: `);
    const isDefault = words.trim() === '' && field.fallback !== undefined;
    const typed = field.kind === 'several' ? commaSeparated(words) : words;
    try {
      return { value: elicitedValue(field, isDefault ? field.fallback : typed) };
    } catch (error) {
      printToStderr((error as Error).message);
    }
  }
  return 'gave up';
}

function describeField({ title, description, required, kind, options }: ElicitedField): string {
  const choices =
    kind === 'yes_no'
      ? 'yes / no'
      : options.map(({ value }) => escapeForTerminal(value)).join(kind === 'several' ? ', ' : ' / ');
  return [
    escapeForTerminal(title),
    escapeForTerminal(description),
    choices === '' ? '' : `(${choices})`,
    required ? '' : '(optional)',
  ]
    .filter(Boolean)
    .join(' ');
}

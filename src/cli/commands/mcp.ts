import { consentFacts } from '../../core/mcp/approval';
import { serverFingerprint } from '../../adapters/mcp/serverFingerprint';
import type { LiveServer } from '../../adapters/mcp/liveServer';
import type { ServerProblem } from '../../core/mcp/server';
import { promptCommand } from '../../core/mcp/offers';
import { commandName } from '../../core/skills/commandName';
import { shownToPeople } from '../../core/text/shownName';
import { isAttended, Questions } from '../consent/ask';
import { folderAt } from '../run/folderAt';
import { disabledWords, formatConsentFacts, mayStartServer, serversIn, settleTools } from '../consent/mcpConsent';
import { stdout } from '../output/output';
import { escapeForTerminal } from '../output/escapeForTerminal';
import type { ExitCode } from '../output/exitCodes';

/** Flags of `waymark mcp`. `start` and `revoke` are names of servers; `allowMcp` is an older name of `agree`. */
export interface McpOptions {
  readonly cwd?: string;
  readonly start?: string;
  readonly agree?: boolean;
  readonly allowMcp?: boolean;
  readonly revoke?: string;
  readonly json?: boolean;
}

/** Prints the servers that a folder names; starts one only if `start` names it. Resolves to the exit code. */
export async function mcp({
  cwd = '.',
  start,
  agree = false,
  allowMcp = false,
  revoke,
  json = false,
}: McpOptions): Promise<ExitCode<'mcp'>> {
  const present = { attended: isAttended(), questions: new Questions() };
  const servers = serversIn(folderAt(cwd), present);
  const all = await servers.refresh();
  const wanted = start ?? revoke;
  const one = wanted === undefined ? undefined : servers.serverNamed(wanted);
  if (wanted !== undefined && !one) {
    const names = all.map(({ named }) => named.name).join(', ');
    // An entry with an error is no server.
    const problems = servers.problems.filter(({ severity }) => severity === 'error');
    const errors = problems.map((problem) => escapeForTerminal(problemLine(problem)));
    const unknown = `There is no MCP server "${wanted}" here.${names && ` Available: ${names}.`}`;
    throw new Error([unknown, ...errors].join('\n'));
  }
  if (revoke !== undefined) await one!.revoke();
  if (start === undefined) {
    const rows = await Promise.all(all.map(serverAsJson));
    stdout.write(
      json
        ? `${JSON.stringify({ servers: rows, problems: servers.problems.map(problemAsJson) }, null, 2)}\n`
        : formatServers(rows, servers.problems),
    );
    return 0;
  }
  try {
    const asking = { agree: agree || allowMcp, ...present };
    if (!(await mayStartServer(one!, asking, '--agree'))) {
      const why = one!.state === 'off' ? ` ${disabledWords(one!)}` : '';
      throw new Error(`${one!.named.name} was not started.${why}`);
    }
    await one!.start();
    await settleTools(one!, asking);
    stdout.write(
      json ? `${JSON.stringify({ ...(await serverAsJson(one!)), ...offers(one!) }, null, 2)}\n` : offerLines(one!),
    );
    return 0;
  } finally {
    await servers.stop();
  }
}

async function serverAsJson({ named, state, reason }: LiveServer) {
  const { launch, defaults, folder, variablesSet, variablesReceived, files, hasUnknownPrograms } = consentFacts(
    named,
    await serverFingerprint(named),
  );
  return {
    name: named.name,
    transport: named.kind,
    file: named.file,
    line: named.from.line,
    column: named.from.column,
    launch,
    defaults,
    ...(folder !== undefined && { folder }),
    set: variablesSet,
    given: variablesReceived,
    files,
    untold: hasUnknownPrograms,
    state,
    ...(reason !== undefined && { reason }),
  };
}

const problemAsJson = ({ severity, message, file, from: { line, column }, server }: ServerProblem): object => ({
  severity,
  message,
  file,
  line,
  column,
  ...(server !== undefined && { server }),
});

const offers = ({ tools, changes, prompts, resources, templates }: LiveServer): object => ({
  tools: tools.map(({ name, description, parameters, from }) => ({
    name,
    tool: from!.tool,
    description,
    parameters,
    hash: from!.hash,
  })),
  waiting: [...changes.changed, ...changes.added].map(({ name }) => name),
  prompts,
  resources,
  templates,
});

const states: Readonly<Record<LiveServer['state'], string>> = {
  off: 'off',
  asks: 'asks before starting',
  stopped: 'approved',
  starting: 'starting',
  running: 'running',
  failed: 'failed',
};

function formatServers(
  rows: readonly Awaited<ReturnType<typeof serverAsJson>>[],
  problems: readonly ServerProblem[],
): string {
  if (rows.length + problems.length === 0) return 'No MCP servers found. .agent/mcp.json can define some.\n';
  const servers = rows.map(
    ({ state, set: variablesSet, given: variablesReceived, untold: hasUnknownPrograms, ...row }) => {
      const facts = { ...row, variablesSet, variablesReceived, hasUnknownPrograms, place: '' };
      return `${shownToPeople(row.name)}  (${states[state]}, ${row.file}:${row.line})\n${formatConsentFacts(facts)}`;
    },
  );
  return [...servers, ...problems.map(problemLine)].map(escapeForTerminal).join('\n\n') + '\n';
}

const problemLine = ({ severity, file, from, message }: ServerProblem): string =>
  `${severity} ${shownToPeople(file)}:${from.line}:${from.column} ${message}`;

const offerLines = ({ named, tools, prompts, resources, templates }: LiveServer): string =>
  [
    ...tools.map(({ name, description }) => `${shownToPeople(name)}\n  ${description.replace(/\s+/g, ' ')}`),
    ...prompts.map(
      (prompt) => `/${commandName(promptCommand(named.name, prompt).command)}  (prompt)\n  ${prompt.description}`,
    ),
    ...resources.map(({ uri, name }) => `${uri}  (resource)\n  ${name}`),
    ...templates.map(({ template, name }) => `${template}  (resource template)\n  ${name}`),
  ]
    .map(escapeForTerminal)
    .join('\n') + '\n';

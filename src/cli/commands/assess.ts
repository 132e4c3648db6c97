import readline from 'node:readline';
import * as z from 'zod';
import { isPowerShell, type CommandContext } from '../../core/shell/effects/context';
import type { Explanation } from '../../core/security/explainCommand';
import { folderAt } from '../run/folderAt';
import { stdout } from '../output/output';
import { escapeForTerminal } from '../output/escapeForTerminal';
import type { ExitCode } from '../output/exitCodes';

/** Flags of `waymark assess`. `jsonl` reads commands from stdin, `json` prints one explanation as JSON. */
export interface AssessOptions {
  readonly cwd?: string;
  readonly shell?: string;
  readonly jsonl?: boolean;
  readonly json?: boolean;
}

/** Prints how a command is judged and why, or judges every line of stdin. Runs nothing. Resolves to the exit code. */
export async function assess(
  command: string | undefined,
  { cwd = '.', shell, jsonl = false, json = false }: AssessOptions,
): Promise<ExitCode<'assess'>> {
  const workspace = folderAt(cwd);
  const context: CommandContext = { workspace, ...(shell !== undefined && { shell }) };
  if (jsonl) {
    if (command !== undefined)
      throw new Error('With --jsonl, the commands come from standard input. Remove the command or --jsonl.');
    await assessLines(process.stdin, context, workspace);
    return 0;
  }
  if (command === undefined)
    throw new Error('There is no command to judge. Put it in quotation marks: waymark assess "rm -rf dist".');
  const [{ explainWithScripts }, { diskScripts }] = await Promise.all([
    import('../../core/security/scripts/explainWithScripts'),
    import('../../adapters/scripts/diskScripts'),
  ]);
  const explanation = await explainWithScripts(command, await contextFor(shell, context), diskScripts(workspace));
  stdout.write(json ? `${JSON.stringify(explanation)}\n` : formatExplanation(explanation));
  return 0;
}

const Line = z.object({ id: z.union([z.string(), z.number()]), command: z.string(), shell: z.string().optional() });

async function assessLines(input: NodeJS.ReadableStream, context: CommandContext, workspace: string): Promise<void> {
  const [{ assessWithScripts }, { historyAtStart }, { diskScripts }] = await Promise.all([
    import('../../core/security/scripts/assessWithScripts'),
    import('../../core/security/scripts/explainWithScripts'),
    import('../../adapters/scripts/diskScripts'),
  ]);
  const scripts = diskScripts(workspace);
  const history = await historyAtStart(scripts);
  const assessLine = async (text: string): Promise<object> => {
    const line = parseLine(text);
    if ('error' in line) return { ...line, level: 'high', reasons: [line.error] };
    const { id, command, shell = context.shell } = line;
    const { level, reasons } = await assessWithScripts(command, await contextFor(shell, context), scripts, history);
    return { id, level, reasons };
  };
  for await (const text of readline.createInterface({ input, crlfDelay: Infinity })) {
    if (text.trim() === '') continue;
    stdout.write(`${JSON.stringify(await assessLine(text))}\n`);
    await stdout.drained();
  }
}

/** Adds the parser of that shell. If it is missing, the analyzer reports that itself. */
async function contextFor(shell: string | undefined, context: CommandContext): Promise<CommandContext> {
  if (shell === undefined) return context;
  const powershell = isPowerShell(shell)
    ? await import('../../adapters/scripts/powerShellParser')
        .then(({ loadPowerShell }) => loadPowerShell())
        .catch(() => undefined)
    : undefined;
  return { ...context, shell, ...(powershell && { powershell }) };
}

/** Parses a line. An invalid line is answered with an error, and with its id if that is readable. */
function parseLine(text: string): z.output<typeof Line> | { id: string | number | null; error: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { id: null, error: 'The line is not JSON. Each line must be {"id","command","shell"}.' };
  }
  const line = Line.safeParse(value);
  if (line.success) return line.data;
  const id = z.object({ id: z.union([z.string(), z.number()]) }).safeParse(value);
  return {
    id: id.success ? id.data.id : null,
    error: `The line is invalid: ${z.prettifyError(line.error).replace(/\s+/g, ' ')}`,
  };
}

/** Maximum number of reasons to show: a headline and three more. */
const maxShown = 4;
const titles = { low: 'Low risk', medium: 'Medium risk', high: 'High risk', unknown: 'Risk unknown' } as const;

function formatExplanation({ assessment: { level, reasons, culprit }, consequence, effects }: Explanation): string {
  const lines = [`${titles[level]}. ${consequence}`];
  const [why, more] = [reasons.slice(0, maxShown), reasons.slice(maxShown)];
  if (why.length > 0) lines.push('', 'Reasons', ...why.map((reason) => `  ${escapeForTerminal(reason)}`));
  if (culprit) lines.push('', 'The deciding part', `  ${escapeForTerminal(culprit)}`);
  if (effects.length > 0)
    lines.push(
      '',
      'Effects',
      ...effects.map(
        ({ words, level: own, decides, rule }) =>
          `  ${decides ? '→' : ' '} ${own.padEnd(6)}  ${escapeForTerminal(words)}  (rule: ${rule})`,
      ),
    );
  if (more.length > 0) lines.push('', 'More reasons', ...more.map((reason) => `  ${escapeForTerminal(reason)}`));
  return `${lines.join('\n')}\n`;
}

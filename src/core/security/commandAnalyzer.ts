import { shellFolderIn } from '../log/shellState';
import type { History } from '../log/projection';
import type { Environment } from '../ports/environment';
import { isPowerShell, type CommandContext } from '../shell/effects/context';
import type { RiskAnalyzer } from '../ports/analyzer';
import type { WorkspaceFolders } from '../shell/syntax/place';
import { isVitalFolder } from '../shell/verdict/vitalPlaces';
import { relativeTo } from '../text/relativeTo';

/**
 * Judges the exact text that a shell will run, in the shell's current folder. The parser is loaded with the first
 * command.
 */
export const commandAnalyzer: RiskAnalyzer = {
  name: 'command',
  async assess({
    call: {
      touches: { command, sameAs, types = false },
    },
    environment,
    history,
  }) {
    const text = command ?? sameAs;
    if (text === undefined) return undefined;
    const { scripts } = environment;
    const context =
      command === undefined ? placeOfTools(environment) : await placeWithSandbox(environment, history, types);
    if (!scripts) return (await import('../shell/assessCommand')).assessCommand(text, context);
    return (await import('./scripts/assessWithScripts')).assessWithScripts(text, context, scripts, history);
  },
};

/** Context for tools that act without starting a command: the workspace folder, outside the sandbox. */
const placeOfTools = (environment: Environment): CommandContext => ({
  ...workspaceFolders(environment),
  folder: '.',
  shell: 'bash',
  ...(environment.cutOff && { cutOff: environment.cutOff }),
});

const placeWithSandbox = async (
  environment: Environment,
  history: History,
  types: boolean,
): Promise<CommandContext> => ({
  ...(await placeOfCommand(environment, history)),
  ...(await sandboxFacts(environment, { types })),
});

/**
 * Returns the folders in which everything counts as inside the workspace. A system or home folder does not: in the first
 * folder, `homeAnalyzer` guards what belongs to the account.
 */
export function workspaceFolders({
  root,
  otherFolders = [],
}: Pick<Environment, 'root' | 'otherFolders'>): WorkspaceFolders {
  const others = otherFolders.filter((folder) => !isVitalFolder(folder));
  return { workspace: root, ...(others.length > 0 && { otherFolders: others }) };
}

/** Returns the shell that commands are written for and its current folder. */
export async function placeOfCommand(environment: Environment, history: History): Promise<CommandContext> {
  const { root, scripts, terminal, cutOff } = environment;
  const shell = (terminal as typeof terminal | null)?.shellName;
  const readsPowerShell = shell !== undefined && isPowerShell(shell) && scripts !== undefined;
  return {
    ...workspaceFolders(environment),
    folder: relativeTo(root, shellFolderIn(root, history)),
    ...(shell !== undefined && { shell }),
    ...(cutOff && { cutOff }),
    ...(readsPowerShell && { powershell: await scripts.powershell() }),
  };
}

/**
 * Returns what the terminal reports about its sandbox. `types`: the text is typed into a program that waits, which may
 * have been started outside it.
 */
export async function sandboxFacts(
  { terminal }: Pick<Environment, 'terminal'>,
  { types }: { readonly types: boolean },
): Promise<CommandContext> {
  const given = terminal as typeof terminal | null;
  if (types && (await given?.place?.(true))?.runs !== 'inside') return {};
  const isConfined = (await given?.isConfined?.()) === true;
  const hasOwnTemporary = (await given?.hasOwnTemporary?.()) === true;
  const fileSystem = await given?.fileSystem?.();
  return {
    ...(fileSystem !== undefined && { fileSystem }),
    ...(isConfined && { confined: true }),
    ...(hasOwnTemporary && { temporaryFile: () => 'ours' as const, ownProcesses: true }),
  };
}

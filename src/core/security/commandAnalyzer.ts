import { shellFolder } from '../agent/history';
import type { Environment } from '../tools/environment';
import { isPowerShell, type CommandContext } from './command/context';
import type { RiskAnalyzer } from './analyzers';

/** Judges the exact text that a shell will run, in the folder where the shell is. The parser is loaded with the first command. */
export const commandAnalyzer: RiskAnalyzer = {
  name: 'command',
  async assess({ call: { touches: { command } }, environment, history }) {
    if (command === undefined) return undefined;
    const { root, scripts } = environment;
    const place = { workspace: root, folder: seenFrom(root, shellFolder(history) ?? root), ...await shellFacts(environment) };
    if (!scripts) return (await import('./command/assessCommand')).assessCommand(command, place);
    const context = isPowerShell(place.shell ?? '') ? { ...place, powershell: await scripts.powershell() } : place;
    return (await import('./scripts/assessWithScripts')).assessWithScripts(command, context, scripts, history);
  },
};

/** What the shell says of itself and of the sandbox it runs in. */
async function shellFacts({ terminal }: Pick<Environment, 'terminal'>): Promise<CommandContext> {
  const given = terminal as typeof terminal | null;
  const isConfined = await given?.confined?.() === true;
  const hasOwnTemporary = await given?.hasOwnTemporary?.() === true;
  return {
    ...(given?.shellName !== undefined && { shell: given.shellName }),
    ...(isConfined && { confined: true }),
    ...(hasOwnTemporary && { temporaryFile: () => 'ours' as const }),
  };
}

/** Relative to the workspace folder when inside, else absolute. */
export function seenFrom(root: string, folder: string): string {
  if (folder === root) return '.';
  return folder.startsWith(`${root}/`) ? folder.slice(root.length + 1) : folder;
}

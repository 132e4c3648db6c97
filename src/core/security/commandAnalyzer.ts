import { shellFolder } from '../agent/history';
import { isPowerShell } from './command/context';
import type { RiskAnalyzer } from './analyzers';

/** Judges the exact text that a shell will run, in the folder where the shell is. The parser is loaded with the first command. */
export const commandAnalyzer: RiskAnalyzer = {
  name: 'command',
  async assess({ call: { touches: { command } }, environment: { root, scripts, terminal }, history }) {
    if (command === undefined) return undefined;
    const shell = (terminal as typeof terminal | null)?.shellName;
    const confined = await (terminal as typeof terminal | null)?.confined?.() === true;
    const context = { workspace: root, ...(confined && { confined }), folder: seenFrom(root, shellFolder(history) ?? root), ...(shell !== undefined && { shell }), ...(shell !== undefined && isPowerShell(shell) && scripts && { powershell: await scripts.powershell() }) };
    if (!scripts) return (await import('./command/assessCommand')).assessCommand(command, context);
    return (await import('./scripts/assessWithScripts')).assessWithScripts(command, context, scripts, history);
  },
};

/** Relative to the workspace folder when inside, else absolute. */
export function seenFrom(root: string, folder: string): string {
  if (folder === root) return '.';
  return folder.startsWith(`${root}/`) ? folder.slice(root.length + 1) : folder;
}

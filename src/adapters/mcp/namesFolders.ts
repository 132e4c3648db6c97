import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { StdioServer } from '../../core/mcp/server';

/** Options of launchers whose value says where the server's own code is, not which folders it works in. */
const launcherOptions = new Set([
  '--directory',
  '--project',
  '--prefix',
  '--cwd',
  '--dir',
  '--with-editable',
  '--from',
  '-C',
]);

/**
 * Returns whether the arguments of a server name local folders, in which it then works. The reference file server
 * replaces them with the roots of its client as soon as the client offers roots.
 */
export function namesFolders({ args, cwd, folder }: StdioServer): boolean {
  const start = path.resolve(folder, cwd ?? '.');
  return args.some((argument, index) => {
    const [option = '', value] = optionAndValue(argument);
    const before = args[index - 1] ?? '';
    if (launcherOptions.has(option) || (value === argument && launcherOptions.has(before))) return false;
    return value !== undefined && looksLikePath(value) && isFolder(path.resolve(start, withHome(value)));
  });
}

/** "--root=/data" has the option and the value; "/data" is only a value; "--root" is only an option. */
function optionAndValue(argument: string): [option: string, value: string | undefined] {
  if (!argument.startsWith('-')) return ['', argument];
  const equals = argument.indexOf('=');
  return equals === -1 ? [argument, undefined] : [argument.slice(0, equals), argument.slice(equals + 1)];
}

/** A bare word is more likely a subcommand or a package than a folder. */
const looksLikePath = (text: string): boolean => path.isAbsolute(text) || /^(?:\.{1,2}|~)(?:[/\\]|$)/.test(text);

const withHome = (text: string): string => (text.startsWith('~') ? path.join(os.homedir(), text.slice(1)) : text);

function isFolder(absolute: string): boolean {
  try {
    return fs.statSync(absolute).isDirectory();
  } catch {
    return false;
  }
}

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { StdioServer } from '../../core/mcp/server';

/**
 * Options of programs that start servers, whose value says where the server's own code is, not which folders it works
 * in.
 */
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
 * Whether the arguments of a server name folders of this machine. Such a server works in those folders. The reference
 * server for files replaces them by the roots of its client as soon as the client says that it has roots.
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

/** "--root=/data" has the option and the value; "/data" is a value alone; "--root" is an option alone. */
function optionAndValue(argument: string): [option: string, value: string | undefined] {
  if (!argument.startsWith('-')) return ['', argument];
  const equals = argument.indexOf('=');
  return equals === -1 ? [argument, undefined] : [argument.slice(0, equals), argument.slice(equals + 1)];
}

/** A bare word is more often a subcommand or a package than a folder. */
const looksLikePath = (text: string): boolean => path.isAbsolute(text) || /^(?:\.{1,2}|~)(?:[/\\]|$)/.test(text);

const withHome = (text: string): string => (text.startsWith('~') ? path.join(os.homedir(), text.slice(1)) : text);

function isFolder(absolute: string): boolean {
  try {
    return fs.statSync(absolute).isDirectory();
  } catch {
    return false;
  }
}

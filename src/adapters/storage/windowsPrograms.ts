import path from 'node:path';

/**
 * Returns the absolute path of a program of Windows, by its path below System32. Windows looks for a bare name in the
 * current folder first, which may be the workspace.
 */
export const programOfWindows = (below: string, environment: NodeJS.ProcessEnv = process.env): string =>
  path.win32.join(environment['SystemRoot'] ?? environment['SYSTEMROOT'] ?? 'C:\\Windows', 'System32', below);

/** Variables that keep cmd.exe on Windows from running programs of the current folder by their bare name. */
export const noProgramsOfFolder: Readonly<Record<string, string>> =
  process.platform === 'win32' ? { NoDefaultCurrentDirectoryInExePath: '1' } : {};

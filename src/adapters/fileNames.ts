import { execFile } from 'node:child_process';
import { agentIgnoring } from './agentIgnore';
import type { WorkspacePaths } from './workspacePaths';
import { findRipgrep, type RipgrepPlaces } from './ripgrepBinary';

const mostNames = 100_000;

/** The files of the workspace folders as people are shown them, ignored ones left out. Empty where ripgrep is not there. */
export async function fileNames(paths: WorkspacePaths, places: RipgrepPlaces): Promise<string[]> {
  const binary = findRipgrep(places);
  if (binary === undefined) return [];
  const leftOut = agentIgnoring();
  const listed = await Promise.all(
    paths.folders.map(
      (folder) =>
        new Promise<string[]>((resolve) => {
          const args = [
            '--files',
            '--no-config',
            '--no-messages',
            '--hidden',
            '--no-require-git',
            '--null',
            '--glob=!.git',
            '--',
            folder,
          ];
          execFile(
            binary,
            args,
            { cwd: folder, maxBuffer: 64 << 20, encoding: 'utf8', timeout: 10_000 },
            (_error, stdout) =>
              resolve(stdout.split('\0').filter((file) => file !== '' && !leftOut({ folder, absolute: file }))),
          );
        }),
    ),
  );
  return listed
    .flat()
    .slice(0, mostNames)
    .map((file) => paths.display(file));
}

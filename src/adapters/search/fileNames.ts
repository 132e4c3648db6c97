import { agentIgnoring } from '../files/agentIgnore';
import type { WorkspacePaths } from '../files/workspacePaths';
import { findRipgrep, type RipgrepPlaces } from './ripgrepBinary';
import { listsFiles, listWith } from './ripgrepThreads';

const mostNames = 100_000;

/**
 * The files of the workspace folders as people are shown them, ignored ones left out. Empty where ripgrep is not there.
 */
export async function fileNames(paths: WorkspacePaths, places: RipgrepPlaces): Promise<string[]> {
  const binary = findRipgrep(places);
  if (binary === undefined) return [];
  const leftOut = agentIgnoring();
  const listed = await Promise.all(
    paths.folders.map(async (folder) => {
      const args = [...listsFiles, '--glob=!.git', '--', folder];
      const { stdout } = await listWith(binary, args, { cwd: folder, timeout: 10_000 });
      return stdout.split('\0').filter((file) => file !== '' && !leftOut({ folder, absolute: file }));
    }),
  );
  return listed
    .flat()
    .slice(0, mostNames)
    .map((file) => paths.display(file));
}

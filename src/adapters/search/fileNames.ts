import { agentIgnoring } from '../files/agentIgnore';
import { inSlices } from '../../core/text/slices';
import type { WorkspacePaths } from '../files/workspacePaths';
import { findRipgrep, type RipgrepPlaces, listsFiles, listWith } from './ripgrepProgram';

const maxNames = 100_000;

/** Lists the files of the workspace folders for display, without ignored ones. Empty if ripgrep is not available. */
export async function fileNames(paths: WorkspacePaths, places: RipgrepPlaces): Promise<string[]> {
  const binary = findRipgrep(places);
  if (binary === undefined) return [];
  const leftOut = agentIgnoring();
  const listed = await Promise.all(
    paths.outermost.map(async (folder) => {
      const args = [...listsFiles, '--glob=!.git', '--', folder];
      const { stdout } = await listWith(binary, args, { cwd: folder, timeout: 10_000 });
      return { folder, files: stdout.split('\0') };
    }),
  );
  const names: string[] = [];
  for (const { folder, files } of listed)
    await inSlices(files, (file) => {
      if (names.length < maxNames && file !== '' && !leftOut({ folder, absolute: file }))
        names.push(paths.display(file));
    });
  return names;
}

import { folderAfterCd, resolvePlace, type Place, type WorkspaceFolders } from '../../shell/syntax/place';
import { literal } from '../../shell/syntax/value';

/** Resolves a path from a folder. A path that leaves the workspace and comes back counts as inside. */
export function placeFrom(text: string, folder: string, folders: WorkspaceFolders): Place {
  const { workspace } = folders;
  const goesUp = /^(?:\/|\.\.(?:\/|$))/.test(folder) || /(?:^|\/)\.\.(?:\/|$)/.test(text);
  return resolvePlace(
    literal(
      goesUp && workspace !== undefined
        ? folderAfterCd(folder.startsWith('/') ? folder : `${workspace}/${folder}`, text)
        : text,
    ),
    folder,
    folders,
  );
}

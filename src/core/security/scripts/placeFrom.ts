import { joined, placeOf, type Place } from '../../shell/syntax/place';
import { literal } from '../../shell/syntax/value';

/** Where a path leads from a folder. One that goes up and comes back into the workspace is inside. */
export function placeFrom(text: string, folder: string, workspace: string | undefined): Place {
  const goesUp = /^(?:\/|\.\.(?:\/|$))/.test(folder) || /(?:^|\/)\.\.(?:\/|$)/.test(text);
  return placeOf(
    literal(
      goesUp && workspace !== undefined
        ? joined(folder.startsWith('/') ? folder : `${workspace}/${folder}`, text)
        : text,
    ),
    folder,
    workspace,
  );
}

import { neverCutOff } from '../../ports/cutOff';
import type { Scripts } from '../../ports/scripts';
import type { CommandContext, FoundScript } from '../../shell/effects/context';
import { folderAfterCd } from '../../shell/syntax/place';
import { foldersUpwards, folderOfScript } from './pins';

/** File names that Docker looks for; the first one found wins. An override file in the same folder is added. */
const composeFileNames = ['compose.yaml', 'compose.yml', 'docker-compose.yaml', 'docker-compose.yml'];
const composeOverrideNames = [
  'compose.override.yaml',
  'compose.override.yml',
  'docker-compose.override.yaml',
  'docker-compose.override.yml',
];

const MAX_FILES = 30;

/**
 * Returns a reader that finds out what the containers of a compose file and its includes could do to this machine.
 * `note` is called with the path and text of each file read.
 */
export function composeReader(
  { workspace, otherFolders, cutOff = neverCutOff }: CommandContext,
  scripts: Scripts,
  note: (path: string, text: string) => void,
) {
  return async (name: string, folder: string): Promise<FoundScript | undefined> => {
    const wanted = name === '' ? await filesFound(folder, scripts) : [withinWorkspace(name, folder, workspace)];
    const alarms: string[] = [];
    const done = new Set<string>();
    let read = 0;
    while (wanted.length > 0 && done.size < MAX_FILES) {
      const path = wanted.shift()!;
      if (done.has(path)) continue;
      done.add(path);
      const text = await scripts.read(path);
      if (text === undefined) {
        if (read > 0 || name !== '') alarms.push(`Starts containers from ${path}, which could not be read.`);
        continue;
      }
      read++;
      note(path, text);
      const variables = variablesIn((await scripts.read(folderAfterCd(folderOfScript(path), '.env'))) ?? '');
      const { composeFindings } = await import('./composeFindings');
      const file = { path, workspace, otherFolders, variables };
      const { alarms: here, includes } = cutOff(text, () => composeFindings(text, file));
      alarms.push(...here);
      wanted.push(...includes);
    }
    if (wanted.length > 0) alarms.push('Starts containers from more compose files than can be judged.');
    return read > 0 ? { standing: 'same', alarms: [...new Set(alarms)].slice(0, 10) } : undefined;
  };
}

const withinWorkspace = (name: string, folder: string, workspace: string | undefined): string => {
  const path = folderAfterCd(folder, name);
  return workspace !== undefined && path.startsWith(`${workspace}/`) ? path.slice(workspace.length + 1) : path;
};

/**
 * Returns the files that Docker uses by default: those named in `.env`, else the first one found by name in the nearest
 * folder upwards, with its override.
 */
async function filesFound(folder: string, scripts: Scripts): Promise<string[]> {
  const named = variablesIn((await scripts.read(folderAfterCd(folder, '.env'))) ?? '')['COMPOSE_FILE'];
  if (named !== undefined)
    return named
      .split(/[:;]/)
      .filter(Boolean)
      .map((path) => folderAfterCd(folder, path));
  for (const ancestor of foldersUpwards(folder)) {
    const first = await firstThere(ancestor, composeFileNames, scripts);
    if (first !== undefined) {
      const override = await firstThere(ancestor, composeOverrideNames, scripts);
      return [first, ...(override === undefined ? [] : [override])];
    }
  }
  return [];
}

async function firstThere(folder: string, names: readonly string[], scripts: Scripts): Promise<string | undefined> {
  for (const name of names) {
    const path = folderAfterCd(folder, name);
    if ((await scripts.read(path)) !== undefined) return path;
  }
  return undefined;
}

function variablesIn(text: string): Record<string, string> {
  const lines = text.matchAll(/^[ \t]*(?:export[ \t]+)?(\w+)[ \t]*=[ \t]*(?:"([^"\n]*)"|'([^'\n]*)'|([^\n#]*))/gm);
  return Object.fromEntries(
    [...lines].map(([, name, double, single, bare]) => [name!, (double ?? single ?? bare ?? '').trim()]),
  );
}

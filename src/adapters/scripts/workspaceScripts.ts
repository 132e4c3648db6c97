import path from 'node:path';
import type { DeletedPath, LossIfDeleted, Scripts } from '../../core/ports/scripts';
import { createWorkspacePaths } from '../files/workspacePaths';
import { isWithin } from '../storage/diskPaths';
import { diskScripts, type DiskScriptsOptions } from './diskScripts';

/**
 * The scripts of a workspace of one or more folders on the local disk. Paths in the other folders are absolute, with
 * links resolved.
 */
export function workspaceScripts(folders: readonly string[], options: DiskScriptsOptions = {}): Scripts {
  const paths = createWorkspacePaths(folders);
  const [root, ...others] = paths.folders.map((folder) => {
    const around = paths.outermost.find((outer) => isWithin(folder, outer));
    return { folder, scripts: diskScripts(folder, { ...options, ...(around !== undefined && { around }) }) };
  });
  const first = root!.scripts;
  if (others.length === 0) return first;

  /** Returns the other folder that contains a path, and the path relative to it. Undefined for any other path. */
  const inOther = (spelled: string): FolderScripts | undefined => {
    if (!/^(?:\/|\.\.(?:\/|$))/.test(spelled)) return undefined;
    const absolute = path.resolve(root!.folder, spelled);
    const isIn = (folder: string): boolean => absolute === folder || absolute.startsWith(folder + path.sep);
    const other = isIn(root!.folder) ? undefined : others.find(({ folder }) => isIn(folder));
    return other && { ...other, relative: path.relative(other.folder, absolute) || '.' };
  };
  const named = ({ folder }: { readonly folder: string }, relative: string): string =>
    path.posix.isAbsolute(relative) ? relative : path.posix.join(folder, relative);

  /** Returns what would be lost in another folder. `made` names the files by the paths that the model sees. */
  const lossesIn = (
    { folder, scripts }: Omit<FolderScripts, 'relative'>,
    deleted: readonly DeletedPath[],
    made: ReadonlyMap<string, string>,
  ): Promise<readonly LossIfDeleted[]> => {
    const madeHere = new Map<string, string>();
    for (const { path: relative } of deleted) {
      const version = made.get(paths.display(path.join(folder, relative)));
      if (version !== undefined) madeHere.set(relative, version);
    }
    return scripts.inGit(deleted, madeHere);
  };

  return {
    ...first,
    read(spelled) {
      const other = inOther(spelled);
      return other ? other.scripts.read(other.relative) : first.read(spelled);
    },
    async usualPlaces() {
      const ofOthers = others.map(async (other) =>
        (await other.scripts.usualPlaces()).map((relative) => named(other, relative)),
      );
      return [...(await first.usualPlaces()), ...(await Promise.all(ofOthers)).flat()];
    },
    async protectedBelow(spelled, pattern, fileSystem) {
      const other = inOther(spelled);
      if (!other) return first.protectedBelow(spelled, pattern, fileSystem);
      const { found, isComplete } = await other.scripts.protectedBelow(other.relative, pattern);
      return { found: found.map((relative) => named(other, relative)), isComplete };
    },
    async excludedPath(spelled, how) {
      const other = inOther(spelled);
      if (!other) return first.excludedPath(spelled, how);
      const found = await other.scripts.excludedPath(other.relative, how);
      return found === undefined ? undefined : named(other, found);
    },
    async inGit(deleted, made) {
      const losses = new Map<DeletedPath, LossIfDeleted>();
      const note = (some: readonly DeletedPath[], found: readonly LossIfDeleted[]): void =>
        some.forEach((one, index) => losses.set(one, found[index] ?? 'unknown'));
      const ofFirst = deleted.filter((one) => !inOther(one.path));
      if (ofFirst.length > 0) note(ofFirst, await first.inGit(ofFirst, made));
      for (const other of others) {
        const here = deleted.filter((one) => inOther(one.path)?.folder === other.folder);
        const relative = here.map((one) => ({ ...one, path: inOther(one.path)!.relative }));
        if (here.length > 0) note(here, await lossesIn(other, relative, made));
      }
      return deleted.map((one) => losses.get(one) ?? 'unknown');
    },
    async gitSettings() {
      const all = await Promise.all([root!, ...others].map(({ scripts }) => scripts.gitSettings()));
      return togetherAsOne(all.filter((settings) => settings !== ''));
    },
    async gitSettingsBelow(folder) {
      const other = inOther(folder);
      const searched = other ? [other] : others.map((each) => ({ ...each, relative: folder }));
      const isElsewhere = other !== undefined || folder === '**';
      const found = isElsewhere
        ? await Promise.all(
            searched.map(async (each) =>
              (await each.scripts.gitSettingsBelow(each.relative)).map((one) => ({
                ...one,
                folder: named(each, one.folder),
              })),
            ),
          )
        : [];
      return [...(other ? [] : await first.gitSettingsBelow(folder)), ...found.flat()];
    },
  };
}

/** The scripts of one folder, and a path relative to it. */
interface FolderScripts {
  readonly folder: string;
  readonly scripts: Scripts;
  readonly relative: string;
}

/** Returns the settings of several repositories as those of one, in the form of `gitSettingsOf`. */
function togetherAsOne(all: readonly string[]): string {
  if (all.length < 2) return all[0] ?? '';
  const each = all.map((settings) => JSON.parse(settings) as [string, unknown, unknown[], ...unknown[]]);
  return JSON.stringify([
    each.map(([own]) => own).join('\n'),
    each.map(([, hooks]) => hooks),
    each.flatMap(([, , included]) => included),
    ...each.map(([, , , ...attributes]) => attributes),
  ]);
}

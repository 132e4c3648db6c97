import fs from 'node:fs/promises';
import path from 'node:path';
import { readPlain } from '../storage/lenientReads';
import { AttributeFiles } from './attributeFiles';

const maxFileBytes = 1024 * 1024;
const maxHooksPerFolder = 50;
/** Stands for the content of a file that cannot be read. */
const unreadable = '?';

/**
 * Returns everything in the repository of `folder` that can make Git run a program, as one text: settings except those
 * that only name branches and plain addresses, hooks, attributes of all levels, included settings and folders of hooks.
 * Pass the same `attributes` again to read only what changed of them.
 */
export async function gitSettingsOf(folder: string, attributes?: AttributeFiles): Promise<string> {
  const own = await gitFolder(folder);
  return own === undefined ? '' : settingsIn(own, folder, attributes);
}

export const commonFolder = async (own: string): Promise<string> =>
  path.resolve(own, (await readPlain(path.join(own, 'commondir')))?.trim() ?? '.');

/** Everything in the Git folder `own` of the repository in `folder` that can make Git run a program, as one text. */
export async function settingsIn(
  own: string,
  folder: string,
  attributes = new AttributeFiles(folder),
): Promise<string> {
  const common = await commonFolder(own);
  const configs = await Promise.all(
    [path.join(common, 'config'), path.join(own, 'config.worktree')].map((file) => readPlain(file, maxFileBytes)),
  );
  const settings = configs.map((text) => plainSettings(text ?? '')).join('\n');
  const namedPaths = pathsNamedIn(settings);
  const hookFolders = [
    path.join(common, 'hooks'),
    ...namedPaths.flatMap((value) => [path.resolve(folder, value), path.resolve(common, value)]),
  ];
  const hooks = await Promise.all([...new Set(hookFolders)].map(hooksIn));
  // Reads each file once, even if it is included a thousand times.
  const includedFiles = new Set(namedPaths.map((value) => path.resolve(common, value)));
  const included = await Promise.all([...includedFiles].map((file) => readPlain(file, maxFileBytes)));
  const info = await readPlain(path.join(common, 'info', 'attributes'), maxFileBytes);
  return JSON.stringify([settings, hooks, included, info ?? '', await attributes.read()]);
}

/** The Git folder of a repository: `.git`, the target of a `.git` file, or the folder itself if it looks like one. */
export async function gitFolder(folder: string): Promise<string | undefined> {
  const dotGit = path.join(folder, '.git');
  const stat = await fs.stat(dotGit).catch(() => undefined);
  if (stat?.isDirectory()) return dotGit;
  if (stat === undefined && (await looksLikeGitFolder(folder))) return folder;
  const content = stat && (await readPlain(dotGit));
  const target = /^gitdir:[ \t]*(\S.*)$/m.exec(content ?? '')?.[1]?.trimEnd();
  return target === undefined ? undefined : path.resolve(folder, target);
}

/** A repository: its folder and its Git folder. */
export interface Repository {
  readonly folder: string;
  readonly own: string;
}

/** Returns the repository that Git finds from a folder. */
export async function repositoryFrom(start: string): Promise<Repository | undefined> {
  for (let folder = start; ; folder = path.dirname(folder)) {
    const own = await gitFolder(folder);
    if (own !== undefined) return { folder, own };
    if (folder === path.dirname(folder)) return undefined;
  }
}

/** Git takes a folder with these for a repository, whatever its name. */
async function looksLikeGitFolder(folder: string): Promise<boolean> {
  const has = async (name: string): Promise<boolean> =>
    (await fs.lstat(path.join(folder, name)).catch(() => undefined)) !== undefined;
  if (!(await has('HEAD'))) return false;
  return (await has('commondir')) || ((await has('objects')) && (await has('refs')));
}

/** Returns the paths of included settings and of folders of hooks, as written in a text of settings. */
export const pathsNamedIn = (settings: string): string[] =>
  [...settings.matchAll(/^[ \t]*(?:path|hookspath)[ \t]*=[ \t]*"?([^"\n]+)/gim)].map(([, value]) => value!.trim());

const plainBranchHeading = /^\s*\[branch "[^"\\]*"\]\s*$/i;
const plainBranchField =
  /^\s*(remote|merge|rebase|vscode-merge-base|github-pr-owner-number|gk-[\w-]+|description)\s*=/i;

/** Removes the lines that Git itself writes when branches are created and deleted, if they are plain. */
export function plainSettings(text: string): string {
  let section = '';
  return text
    .split('\n')
    .filter((line) => {
      const heading = /^\s*\[([^\]"]+)/.exec(line)?.[1];
      if (heading !== undefined) section = heading.trim().toLowerCase();
      if (line.trim() === '') return false;
      if (section !== 'branch') return true;
      return !(heading === undefined ? plainBranchField : plainBranchHeading).test(line);
    })
    .join('\n');
}

async function hooksIn(folder: string): Promise<[string, string][]> {
  const names = (await fs.readdir(folder).catch(() => []))
    .filter((name) => !name.endsWith('.sample'))
    .sort()
    .slice(0, maxHooksPerFolder);
  return Promise.all(
    names.map(async (name): Promise<[string, string]> => [
      name,
      (await readPlain(path.join(folder, name), maxFileBytes)) ?? unreadable,
    ]),
  );
}

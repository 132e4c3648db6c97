import fs from 'node:fs/promises';
import path from 'node:path';
import { readPlain, readPlainBytes } from '../storage/lenientReads';
import { AttributeFiles, maxSettingsBytes, textOrMark } from './attributeFiles';

const maxHooksPerFolder = 50;

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
  path.resolve(own, (await pathIn(path.join(own, 'commondir'))) ?? '.');

/** Returns what Git takes for the path in a file that contains one: a line break may be part of it, except at the end. */
async function pathIn(file: string): Promise<string | undefined> {
  const text = (await readPlainBytes(file))?.toString('utf8');
  if (text === undefined) return undefined;
  let end = text.length;
  while (end > 0 && '\r\n'.includes(text[end - 1]!)) end--;
  return text.slice(0, end).split('\0', 1)[0];
}

/** Everything in the Git folder `own` of the repository in `folder` that can make Git run a program, as one text. */
export async function settingsIn(
  own: string,
  folder: string,
  attributes = new AttributeFiles(folder),
): Promise<string> {
  const common = await commonFolder(own);
  const configs = await Promise.all(
    [path.join(common, 'config'), path.join(own, 'config.worktree')].map((file) => readPlain(file, maxSettingsBytes)),
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
  const included = await Promise.all([...includedFiles].map((file) => readPlain(file, maxSettingsBytes)));
  const info = await readPlain(path.join(common, 'info', 'attributes'), maxSettingsBytes);
  return JSON.stringify([settings, hooks, included, info ?? '', await attributes.read()]);
}

/**
 * The Git folder of a repository: `.git`, the target of a `.git` file, or the folder itself if it looks like one and
 * `.git` does not.
 */
export async function gitFolder(folder: string): Promise<string | undefined> {
  const dotGit = path.join(folder, '.git');
  const stat = await fs.stat(dotGit).catch(() => undefined);
  if (stat?.isFile()) {
    const content = await pathIn(dotGit);
    return content?.startsWith(gitFileStart) ? path.resolve(folder, content.slice(gitFileStart.length)) : undefined;
  }
  if (stat?.isDirectory() && (await looksLikeGitFolder(dotGit))) return dotGit;
  if (await looksLikeGitFolder(folder)) return folder;
  return stat?.isDirectory() ? dotGit : undefined;
}

const gitFileStart = 'gitdir: ';

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
  if (!(await isHead(path.join(folder, 'HEAD')))) return false;
  const common = await commonFolder(folder);
  const stats = await Promise.all(
    ['objects', 'refs'].map((name) => fs.stat(path.join(common, name)).catch(() => null)),
  );
  return stats.every((stat) => stat !== null);
}

async function isHead(file: string): Promise<boolean> {
  const target = await fs.readlink(file).catch(() => undefined);
  if (target !== undefined) return target.startsWith('refs/');
  const content = await readPlainBytes(file);
  return content !== undefined && /^(?:ref:\s*refs\/|[\da-f]{40})/i.test(content.toString('latin1', 0, 255));
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
    names.map(async (name): Promise<[string, string]> => [name, await textOrMark(path.join(folder, name))]),
  );
}

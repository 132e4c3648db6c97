import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { gitSettingsIn, maxIncludeLevels, namesIncluded } from '../../core/security/gitSettings';
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
  const configs = await settingsFiles([path.join(common, 'config'), path.join(own, 'config.worktree')]);
  const included = await includedBy(configs);
  const hooksPaths = [...configs, ...included].flatMap(({ text }) => valuesIn(text, (name) => name === hooksPath));
  const hookFolders = [
    path.join(common, 'hooks'),
    ...hooksPaths.flatMap((value) => [resolvePath(folder, value), resolvePath(common, value)]),
  ];
  const hooks = await Promise.all([...new Set(hookFolders)].map(hooksIn));
  const info = await readPlain(path.join(common, 'info', 'attributes'), maxSettingsBytes);
  return JSON.stringify([
    configs.map(({ text }) => plainSettings(text)).join('\n'),
    hooks,
    included.map(({ text }) => text),
    info ?? '',
    await attributes.read(),
  ]);
}

interface SettingsFile {
  readonly path: string;
  /** Empty if there is none, "?" if it cannot be read. */
  readonly text: string;
}

const settingsFiles = (paths: readonly string[]): Promise<SettingsFile[]> =>
  Promise.all(paths.map(async (file) => ({ path: file, text: await settingsText(file) })));

async function settingsText(file: string): Promise<string> {
  if (unknownPlace.test(file)) return '?';
  // Not as text only: Git reads past zero bytes.
  const bytes = await readPlainBytes(file, maxSettingsBytes);
  if (bytes) return bytes.toString('utf8');
  return (await fs.lstat(file).catch(() => undefined)) ? '?' : '';
}

/** Returns the files whose settings these files include, each once. */
async function includedBy(files: readonly SettingsFile[]): Promise<SettingsFile[]> {
  const found = new Map<string, SettingsFile>();
  let latest = files;
  for (let level = 0; level < maxIncludeLevels && latest.length > 0; level++) {
    const named = new Set(
      latest.flatMap(({ path: file, text }) =>
        valuesIn(text, namesIncluded).map((value) => resolvePath(path.dirname(file), value)),
      ),
    );
    latest = await settingsFiles([...named].filter((file) => !found.has(file)));
    for (const file of latest) found.set(file.path, file);
  }
  return [...found.values()];
}

const hooksPath = 'core.hookspath';

function valuesIn(text: string, isMeant: (name: string) => boolean): string[] {
  return gitSettingsIn(text).flatMap(({ name, value }) => (isMeant(name) ? [value] : []));
}

/** Resolves a path in settings, where "~" stands for the home folder. Returns one that starts with an `unknownPlace` as it is. */
function resolvePath(from: string, value: string): string {
  if (unknownPlace.test(value)) return value;
  return /^~(?:\/|$)/.test(value) ? path.join(os.homedir(), value.slice(1)) : path.resolve(from, value);
}

/** The home folder of another user, or the folder where Git is installed. */
const unknownPlace = /^(?:~[^/]|%\(prefix\))/;

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

/** Git takes a folder with these for a repository, whatever its name. It accepts files that are executable, too. */
async function looksLikeGitFolder(folder: string): Promise<boolean> {
  if (!(await isHead(path.join(folder, 'HEAD')))) return false;
  const common = await commonFolder(folder);
  const accesses = ['objects', 'refs'].map((name) => fs.access(path.join(common, name), fs.constants.X_OK));
  return (await Promise.allSettled(accesses)).every(({ status }) => status === 'fulfilled');
}

/** As Git reads it: it accepts no other case and no other white space. */
const headStart = /^(?:ref:[ \t\n\r]*refs\/|[\da-fA-F]{40})/;
/** Number of bytes that Git reads of it. */
const maxHeadBytes = 255;

async function isHead(file: string): Promise<boolean> {
  const target = await fs.readlink(file).catch(() => undefined);
  if (target !== undefined) return target.startsWith('refs/');
  const content = await readPlainBytes(file);
  return content !== undefined && headStart.test(content.toString('latin1', 0, maxHeadBytes));
}

const plainBranchHeading = /^\s*\[branch "[^"\\]*"\]\s*$/i;
const plainBranchField =
  /^\s*(remote|merge|rebase|vscode-merge-base|github-pr-owner-number|gk-[\w-]+|description)\s*=/i;

/** Removes the lines that Git itself writes when branches are created and deleted, if they and all lines are plain. */
export function plainSettings(text: string): string {
  // A heading may be the rest of a value.
  if (/\\\r?\n/.test(text)) return text;
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

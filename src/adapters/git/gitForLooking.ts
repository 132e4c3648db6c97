import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { programSettingNamed } from '../../core/shell/programs/git/programSettings';
import { git } from './safeGit';
import { isWithin } from '../storage/diskPaths';

/** Settings of a repository without which Git fails if a program next to them is replaced. */
const besidePrograms: readonly (readonly [name: RegExp, value: string])[] = [
  [/^filter\..*\.required$/i, 'false'],
  [/^diff\..*\.cachetextconv$/i, 'false'],
];

const alwaysSet: readonly (readonly [name: string, value: string])[] = [
  ['core.fsmonitor', 'false'],
  ['core.hooksPath', os.devNull],
  ['core.pager', 'cat'],
  ['log.showSignature', 'false'],
  ['safe.bareRepository', 'explicit'],
];

const maxRepositories = 200;

/**
 * Returns environment variables with which Git starts no program that the repositories in `folders` or their submodules
 * name. `root`: the folder from which no programs are taken. Throws an `Error` with a message for people if that is
 * impossible.
 */
export async function gitForLooking(folders: readonly string[], root: string): Promise<Map<string, string>> {
  const settings = new Map(alwaysSet);
  if (folders.length > 0) await refuseOldGit(root);
  const waiting = [...folders];
  const visited = new Set<string>();
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    if (visited.has(folder)) continue;
    if (visited.size === maxRepositories)
      throw new Error(
        `Git was not run: more than ${maxRepositories} repositories would have to be checked for programs that they start.`,
      );
    visited.add(folder);
    if (!fs.existsSync(folder) || (await isOutsideRepositories(folder, root))) continue;
    for (const name of await ownSettings(folder, root)) {
      const value = programSettingNamed(name)?.neutral ?? besidePrograms.find(([names]) => names.test(name))?.[1];
      if (value !== undefined) settings.set(name, value);
    }
    waiting.push(...(await submodules(folder, root)));
  }
  const variables = new Map([['GIT_CONFIG_COUNT', String(settings.size)]]);
  for (const [index, [name, value]] of [...settings].entries())
    variables.set(`GIT_CONFIG_KEY_${index}`, name).set(`GIT_CONFIG_VALUE_${index}`, value);
  return variables;
}

/** Older versions of Git do not read settings from environment variables. */
async function refuseOldGit(root: string): Promise<void> {
  const output = (await git(root, ['--version']))?.toString('utf8') ?? '';
  const [, major = '0', minor = '0'] = /(?<!\d)(\d+)\.(\d+)/.exec(output) ?? [];
  if (Number(major) * 1000 + Number(minor) < 2031)
    throw new Error('Git was not run: plan mode requires version 2.31 or newer. Read the files instead.');
}

async function isOutsideRepositories(folder: string, root: string): Promise<boolean> {
  const found = (await git(root, ['-C', folder, 'rev-parse', '--absolute-git-dir']))
    ?.toString('utf8')
    .replace(/\n$/, '');
  if (!found) return true;
  const isInStore = isWithin(fs.realpathSync(folder), fs.realpathSync(found));
  if (isInStore)
    throw new Error(
      `Git was not run: ${folder} is inside a Git directory, whose settings may start programs. Run it in the working tree.`,
    );
  return false;
}

/** The names of the settings that are not from the system or the user's account. */
async function ownSettings(folder: string, root: string): Promise<string[]> {
  const output = await git(root, ['-C', folder, 'config', '--list', '-z', '--show-scope', '--name-only']);
  if (!output)
    throw new Error(`Git was not run: the settings of ${folder} could not be read, and they may start programs.`);
  const parts = output.toString('utf8').split('\0');
  return parts.filter((_, index) => index % 2 === 1 && !/^(system|global)$/.test(parts[index - 1]!));
}

/** The folders of submodules below a folder. Git visits them by itself. */
export async function submodules(folder: string, root: string): Promise<string[]> {
  const top = (await git(root, ['-C', folder, 'rev-parse', '--show-toplevel']))?.toString('utf8').replace(/\n$/, '');
  if (!top) return [];
  const listed = await git(root, ['-C', top, 'ls-files', '--stage', '-z'], { timeoutMs: 30_000 });
  if (!listed) throw new Error(`Git was not run: the index of ${top} could not be read.`);
  const commits = listed
    .toString('utf8')
    .split('\0')
    .filter((entry) => entry.startsWith('160000 '));
  return commits
    .map((entry) => path.join(top, entry.slice(entry.indexOf('\t') + 1)))
    .filter((place) => fs.existsSync(path.join(place, '.git')));
}

import fs from 'node:fs';
import path from 'node:path';
import type { BatchTask } from '../../core/batch/batchTask';
import { copyWorkspace } from '../sessions/copyWorkspace';
import { git } from '../git/safeGit';
import { makeTemporary, removeTemporary } from '../sandbox/madePlaces';
import { shadowOf, type Shadow } from './shadow';

/** Where tasks come from. */
export interface TaskSources {
  /** The folder that paths of the dataset are relative to. */
  readonly base: string;
  /** Copied for tasks that name no folder of their own; an empty folder when absent. */
  readonly cwd?: string | undefined;
  /** Holds repositories that tasks name as "owner/name". */
  readonly repositories?: string | undefined;
  /** No folder outside of it is copied; any when absent. */
  readonly within?: string | undefined;
  /** Absolute places that no copy holds, such as the results of the batch. */
  readonly leftOut: readonly string[];
}

/** A copy for one task, which nobody else sees. */
export interface TaskPlace {
  /** Absolute, without links. */
  readonly root: string;
  /** A folder around it, which goes with it. */
  readonly beside: string;
  /** What the person should know, in words. */
  readonly notes: readonly string[];
  /** What was changed in it since it was made, as a patch for Git. */
  patch(): Promise<string>;
  remove(): Promise<void>;
}

/** Copies take long on slow disks, and clones of large repositories as well. */
const patienceMs = 600_000;

/**
 * Makes the folder in which a task is worked on: a clone, a copy or an empty folder, with the files
 * of the task. Throws an `Error` in words.
 */
export async function taskPlace(task: BatchTask, sources: TaskSources): Promise<TaskPlace> {
  const copy = await cleanCopy(task, sources);
  try {
    const shadow: Shadow = await shadowOf(copy.root, path.join(copy.beside, 'shadow.git'));
    return { ...copy, patch: () => shadow.patch() };
  } catch (error) {
    await copy.remove();
    throw error;
  }
}

/** The same folder for somebody who does not need to know what is changed in it. Throws an `Error` in words. */
export async function cleanCopy(task: BatchTask, sources: TaskSources): Promise<Omit<TaskPlace, 'patch'>> {
  const { root, beside, notes } = await copied(task, sources);
  const remove = async (): Promise<void> => {
    await fs.promises.rm(beside, { recursive: true, force: true });
    removeTemporary(beside);
  };
  try {
    for (const [name, text] of Object.entries(task.files ?? {})) writeInside(root, name, text);
    return { root, beside, notes, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

interface Copied {
  readonly root: string;
  /** A folder around it, which goes with it. */
  readonly beside: string;
  readonly notes: readonly string[];
}

async function copied(task: BatchTask, sources: TaskSources): Promise<Copied> {
  if (task.repo !== undefined) return cloned(task, repositoryOf(task.repo, sources));
  const folder = task.cwd === undefined ? sources.cwd : allowed(path.resolve(sources.base, task.cwd), sources);
  if (folder !== undefined) {
    if (!fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory())
      throw new Error(`${folder} is not a folder. Correct the cwd of the task ${task.id}.`);
    return copyWorkspace(folder, sources.leftOut);
  }
  const beside = makeTemporary('waymark-task-');
  const root = path.join(beside, 'workspace');
  fs.mkdirSync(root);
  return { root, beside, notes: [] };
}

/**
 * Objects are read from the original; branches and settings are the clone's own, so that
 * nothing done in it changes the original.
 */
async function cloned(task: BatchTask, repository: string): Promise<Copied> {
  const beside = makeTemporary('waymark-task-');
  const root = path.join(beside, path.basename(repository).replace(/\.git$/, '') || 'workspace');
  const local = ['-c', 'protocol.file.allow=always'];
  const options = { timeoutMs: patienceMs };
  const clone = [...local, 'clone', '--quiet', '--shared', '--no-checkout', '--no-tags', '--', repository, root];
  if ((await git(beside, clone, options)) === undefined) {
    removeTemporary(beside);
    throw new Error(`${repository} could not be cloned. Name a Git repository on this machine in the field repo.`);
  }
  const wanted = task.commit ?? 'HEAD';
  const checkout = ['checkout', '--quiet', '--detach', wanted, '--'];
  if (/^-/.test(wanted) || (await git(root, checkout, options)) === undefined) {
    removeTemporary(beside);
    throw new Error(`${repository} has no commit ${wanted}. Correct the commit of the task ${task.id}.`);
  }
  return { root, beside, notes: [] };
}

/** A path, or "owner/name" below the folder of repositories, where it may also be "owner__name" or "name". */
function repositoryOf(named: string, sources: TaskSources): string {
  const { base, repositories } = sources;
  const below = repositories === undefined ? [] : [named, named.replace('/', '__'), path.basename(named)];
  const places = [...below.map((name) => path.join(repositories!, name)), path.resolve(base, named)];
  const found = places.find((place) => fs.statSync(place, { throwIfNoEntry: false })?.isDirectory());
  if (found === undefined)
    throw new Error(
      `There is no repository ${named} on this machine. Clone it into a folder and name that folder with --repos.`,
    );
  return allowed(found, sources);
}

/** The place itself, without links. Throws where it lies outside of what may be copied. */
function allowed(place: string, { within }: TaskSources): string {
  if (within === undefined) return place;
  const real = fs.existsSync(place) ? fs.realpathSync(place) : place;
  const root = fs.realpathSync(within);
  if (real !== root && !real.startsWith(root + path.sep))
    throw new Error(`${place} is outside of ${within}. This worker copies only folders below that.`);
  return real;
}

function writeInside(root: string, name: string, text: string): void {
  const file = path.resolve(root, name);
  const folder = path.dirname(file);
  if (!file.startsWith(root + path.sep)) throw new Error(`The file ${name} of the task is outside of its folder.`);
  fs.mkdirSync(folder, { recursive: true });
  const real = fs.realpathSync(folder);
  if (real !== root && !real.startsWith(root + path.sep))
    throw new Error(`The file ${name} of the task is outside of its folder, through a link.`);
  fs.rmSync(file, { force: true });
  fs.writeFileSync(file, text);
}

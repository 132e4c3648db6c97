import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { isGuarded } from '../../core/risk/pathRules';
import type { ContainerSettings } from '../../core/ports/containerSettings';
import type { BatchTask } from '../../core/batch/batchTask';
import { copyFromImage } from '../terminal/container';
import { copyWorkspace } from '../sessions/copyWorkspace';
import { git } from '../git/safeGit';
import { makeTemporary, removeTemporary } from '../sandbox/madePlaces';
import { secretPlaces } from '../sandbox/hiddenPlaces';
import { isWithin, withSlashes } from '../storage/diskPaths';
import { createShadowRepository } from './shadowRepository';

/** Where the folders and files of tasks come from. */
export interface TaskSources {
  /** Base folder of relative paths in the dataset. */
  readonly base: string;
  /** Copied for tasks that name no folder of their own. If absent, they get an empty folder. */
  readonly cwd?: string | undefined;
  /** Folder with the repositories that tasks name as "owner/name". */
  readonly repositories?: string | undefined;
  /** Absolute folders. Nothing outside of them is copied or read for a task. */
  readonly within: readonly string[];
  /** Absolute paths that are left out of every copy, such as the results of the batch. */
  readonly leftOut: readonly string[];
  /** Absolute paths that commands in the sandbox cannot read, such as the dataset. */
  readonly hidden: readonly string[];
}

/** A private copy for one task. */
export interface TaskCopy {
  /** Absolute, with links resolved. */
  readonly root: string;
  /** The parent folder, which is deleted together with it. */
  readonly parent: string;
  /** Notes for the user. */
  readonly notes: readonly string[];
  /** Files of the task that agents, editors or hooks obey. The user has not approved them. */
  readonly obeyed: readonly string[];
  /** Returns the changes since the copy was created, as a Git patch. */
  patch(): Promise<string>;
  remove(): Promise<void>;
}

/** Time limit in ms. Copies take long on slow disks, and so do clones of large repositories. */
const copyTimeoutMs = 600_000;

/**
 * Creates the folder in which a task runs: a clone, a copy or an empty folder, with the files of the task. `container`:
 * where its commands run, which may contain the folder. Throws an `Error` with a message for people.
 */
export async function taskPlace(
  task: BatchTask,
  sources: TaskSources,
  container?: ContainerSettings,
): Promise<TaskCopy> {
  const copy = await cleanCopy(task, sources, container);
  try {
    const shadow = await createShadowRepository(copy.root, path.join(copy.parent, 'shadow.git'));
    return { ...copy, patch: () => shadow.patch() };
  } catch (error) {
    await copy.remove();
    throw error;
  }
}

/** Creates the same folder for callers that do not need its changes. Throws an `Error` with a message for people. */
export async function cleanCopy(
  task: BatchTask,
  sources: TaskSources,
  container?: ContainerSettings,
): Promise<Omit<TaskCopy, 'patch'>> {
  const { root, parent, notes } =
    container?.cwd === undefined ? await copyForTask(task, sources) : await copiedFromImage(container, container.cwd);
  const remove = async (): Promise<void> => {
    try {
      await fs.promises.rm(parent, { recursive: true, force: true });
      removeTemporary(parent);
    } catch {
      // A command created files that this account cannot remove. The result still counts; a later start retries.
    }
  };
  try {
    const written = Object.entries(task.files ?? {}).map(([name, text]) => writeInside(root, name, text));
    return { root, parent, notes, remove, obeyed: written.filter((file) => isGuarded(withSlashes(file))) };
  } catch (error) {
    await remove();
    throw error;
  }
}

interface Copied {
  readonly root: string;
  /** The parent folder, which is deleted together with it. */
  readonly parent: string;
  readonly notes: readonly string[];
}

/** Copies the folder from the image instead of from this machine. */
async function copiedFromImage(container: ContainerSettings, folder: string): Promise<Copied> {
  const parent = makeTemporary('waymark-task-');
  const root = path.join(parent, path.basename(folder) || 'workspace');
  try {
    fs.mkdirSync(root);
    await copyFromImage(container, folder, root);
  } catch (error) {
    removeTemporary(parent);
    throw error;
  }
  return { root, parent, notes: [] };
}

async function copyForTask(task: BatchTask, sources: TaskSources): Promise<Copied> {
  if (task.repo !== undefined) return cloneForTask(task, repositoryOf(task.repo, sources), sources);
  const folder = task.cwd === undefined ? sources.cwd : allowedPlace(path.resolve(sources.base, task.cwd), sources);
  if (folder !== undefined) {
    if (!fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory())
      throw new Error(`${folder} is not a folder. Correct the cwd of the task ${task.id}.`);
    return copyWorkspace(folder, sources.leftOut);
  }
  const parent = makeTemporary('waymark-task-');
  const root = path.join(parent, 'workspace');
  fs.mkdirSync(root);
  return { root, parent, notes: [] };
}

/**
 * Clones a repository with the wanted commit and its ancestors only. No branch, tag or object of the original shows
 * later work, and nothing done in the clone changes the original.
 */
async function cloneForTask(task: BatchTask, repository: string, sources: TaskSources): Promise<Copied> {
  const parent = makeTemporary('waymark-task-');
  const root = path.join(parent, path.basename(repository).replace(/\.git$/, '') || 'workspace');
  const options = { timeoutMs: copyTimeoutMs };
  const wanted = task.commit ?? 'HEAD';
  try {
    const store = await git(repository, ['rev-parse', '--path-format=absolute', '--git-common-dir'], options);
    if (store === undefined)
      throw new Error(`${repository} could not be cloned. Name a Git repository on this machine in the field repo.`);
    allowedPlace(store.toString('utf8').trim(), sources);
    const named = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${wanted}^{commit}`];
    const commit = (await git(repository, named, options))?.toString('utf8').trim();
    if (commit === undefined)
      throw new Error(`${repository} has no commit ${wanted}. Correct the commit of the task ${task.id}.`);
    const uploadPack = '--upload-pack=git -c uploadpack.allowAnySHA1InWant=true upload-pack';
    const local = ['-c', 'protocol.file.allow=always', 'fetch', '--quiet', '--no-tags', '--no-write-fetch-head'];
    const steps = [
      ['init', '--quiet', root],
      ['-C', root, ...local, uploadPack, '--', repository, commit],
      ['-C', root, 'checkout', '--quiet', '--detach', commit, '--'],
    ];
    for (const step of steps)
      if ((await git(parent, step, options)) === undefined)
        throw new Error(`The commit ${wanted} of ${repository} could not be copied for the task ${task.id}.`);
  } catch (error) {
    removeTemporary(parent);
    throw error;
  }
  return { root, parent, notes: [] };
}

/**
 * Resolves a path, or "owner/name" below the folder of repositories, where the folder may also be called "owner__name"
 * or "name".
 */
function repositoryOf(named: string, sources: TaskSources): string {
  const { base, repositories } = sources;
  const below = repositories === undefined ? [] : [named, named.replace('/', '__'), path.basename(named)];
  const places = [...below.map((name) => path.join(repositories!, name)), path.resolve(base, named)];
  const found = places.find((place) => fs.statSync(place, { throwIfNoEntry: false })?.isDirectory());
  if (found === undefined)
    throw new Error(
      `There is no repository ${named} on this machine. Clone it into a folder and pass that folder with --repos.`,
    );
  return allowedPlace(found, sources);
}

/**
 * Returns the path with links resolved. Datasets may come from untrusted sources, so this throws if the path is outside
 * the allowed folders or contains secrets.
 */
export function allowedPlace(place: string, { within }: Pick<TaskSources, 'within'>): string {
  const real = fs.existsSync(place) ? fs.realpathSync(place) : place;
  const roots = within.filter((folder) => fs.existsSync(folder)).map((folder) => fs.realpathSync(folder));
  if (!roots.some((root) => isWithin(real, root)))
    throw new Error(
      `${place} is outside ${within.join(', ')}. Tasks can use only what is inside. Name another folder with --root.`,
    );
  const secret = secretPlaces(os.homedir(), []).find((each) => isWithin(real, each));
  if (secret !== undefined)
    throw new Error(`${place} is in ${secret}, which contains secrets. Waymark does not copy it for tasks.`);
  return real;
}

/**
 * Writes a file of a task. Returns its path relative to the folder, with links resolved. Nothing is created outside of
 * the folder.
 */
function writeInside(root: string, name: string, text: string): string {
  const file = path.resolve(root, name);
  if (!file.startsWith(root + path.sep)) throw new Error(`The file ${name} of the task is outside its folder.`);
  let parent = path.dirname(file);
  while (!fs.existsSync(parent)) parent = path.dirname(parent);
  if (!isWithin(fs.realpathSync(parent), root))
    throw new Error(`The file ${name} of the task is outside its folder, through a link.`);
  // Files that a dataset writes into a `.git` folder could name programs that Git starts.
  const written = path.join(path.relative(root, fs.realpathSync(parent)), path.relative(parent, file));
  if (written.split(path.sep).some((part) => /^\.?git(?:~\d+)?[. ]*$/i.test(part) && part !== 'git'))
    throw new Error(`The file ${name} of the task is in a Git folder, which tasks cannot write.`);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.rmSync(file, { force: true });
  fs.writeFileSync(file, text);
  return path.relative(root, fs.realpathSync(file));
}

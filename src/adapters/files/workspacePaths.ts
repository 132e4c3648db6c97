import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { FileProblem } from '../../core/ports/files';
import { protectedWrites, matchingRules, secretReads } from '../../core/risk/pathRules';
import { hasShortName } from '../../core/risk/windowsNames';
import { secrets } from '../../core/secrets/secrets';
import { MASK } from '../../core/secrets/secretShapes';
import { agentIgnoreName, agentIgnoring } from './agentIgnore';
import { errorCode, fileProblemOf } from './fileProblems';
import { isWithin, outermostFolders, withSlashes } from '../storage/diskPaths';

const maxPathLength = 4000;

/** An allowed path with its links resolved: two spellings of one file give equal paths. */
export interface WorkspacePath {
  readonly absolute: string;
  /**
   * The path shown to the model and the user: relative to the first folder, prefixed with the folder name for other
   * workspace folders, absolute elsewhere. Uses "/".
   */
  readonly display: string;
  /** The outermost workspace or readable folder that contains it, with links resolved. */
  readonly folder: string;
}

/** Resolves the paths that tools get, and refuses those that a session may not reach. */
export interface WorkspacePaths {
  /** The first workspace folder, with links resolved. */
  readonly root: string;
  readonly folders: readonly string[];
  /** The workspace folders that are not inside another one. */
  readonly outermost: readonly string[];
  /**
   * Throws `FileProblem`: outside, missing (a dangling link), left_out (by .agentignore). The last parts of the path
   * need not exist.
   */
  resolve(spelled: string, use: 'read' | 'write'): WorkspacePath;
  /** Returns the display form of a real absolute path. */
  display(absolute: string): string;
}

/**
 * Creates the only resolver of paths. `folders` may be read and written, `readableFolders` may only be read, by
 * absolute path.
 */
export function createWorkspacePaths(
  folders: readonly string[],
  readableFolders: readonly string[] = [],
): WorkspacePaths {
  const real = folders.map(realFolder);
  const readable = readableFolders.map(realFolder);
  const root = real[0];
  const outermost = outermostFolders(real);
  if (root === undefined) throw new Error('A workspace needs at least one folder.');

  /** Returns the other folder of this name, unless the first folder has an entry with that name. */
  const folderNamed = (name: string): string | undefined =>
    real.length > 1 && name && !exists(path.join(root, name))
      ? real.slice(1).find((folder) => path.basename(folder) === name)
      : undefined;

  const spelledOut = (spelled: string): string => {
    const plain = plainSpelling(spelled);
    if (plain === '~' || /^~[\\/]/.test(plain)) return path.join(os.homedir(), plain.slice(1));
    if (path.isAbsolute(plain)) return path.resolve(plain);
    const [first = '', ...rest] = path.normalize(plain).split(path.sep);
    const other = folderNamed(first);
    // With several folders, VS Code shows files of the first one with its name, too.
    const isNamed = real.length > 1 && !other && first === path.basename(root) && rest.length > 0;
    const inRoot = path.resolve(root, ...rest);
    if (isNamed && !exists(path.join(root, first)) && exists(inRoot)) return inRoot;
    return other ? path.resolve(other, ...rest) : path.resolve(root, plain);
  };

  const display = (absolute: string): string => {
    if (isWithin(absolute, root)) return withSlashes(path.relative(root, absolute)) || '.';
    const folder = real.find((candidate) => isWithin(absolute, candidate));
    if (folder === undefined || folderNamed(path.basename(folder)) !== folder) return withSlashes(absolute);
    return withSlashes(path.join(path.basename(folder), path.relative(folder, absolute)));
  };

  return {
    root,
    folders: real,
    outermost,
    display,
    resolve(spelled, use) {
      checkSpelling(spelled);
      const lexical = withRealNames(spelledOut(spelled), use);
      const absolute = realPath(lexical, spelled);
      const allowed = use === 'read' ? [...outermost, ...readable] : outermost;
      const folder = allowed.find((candidate) => isWithin(absolute, candidate));
      if (folder === undefined)
        throw readable.some((candidate) => isWithin(absolute, candidate))
          ? new FileProblem('outside', `${spelled} can be read but not changed. Write below the workspace folder.`)
          : outsideProblem(spelled, { root, isLinked: lexical !== absolute });
      const shown = display(absolute);
      refuseDisguise(spelled, shown, use);
      refuseIgnored({ folder, absolute }, spelled, shown);
      return { absolute, display: shown, folder };
    },
  };
}

function checkSpelling(spelled: string): void {
  if (spelled === '')
    throw new FileProblem('missing', 'The path is empty. Name a file or folder; the workspace folder is ".".');
  if (spelled.includes('\0'))
    throw new FileProblem('outside', 'The path contains a NUL character, which file names must not contain.');
  if (spelled.length > maxPathLength)
    throw new FileProblem(
      'not_permitted',
      `The path has ${spelled.length} characters, more than the file system allows. Use shorter names.`,
    );
}

/**
 * Returns a path as the system accepts it. Throws `FileProblem` if the system would resolve it to another path than it
 * appears to be.
 */
export function plainSpelling(spelled: string, windows = process.platform === 'win32'): string {
  const plain = /^file:/i.test(spelled) ? fromUrl(spelled, windows) : spelled;
  const problem = windows ? windowsNameProblem(plain) : undefined;
  if (problem)
    throw new FileProblem(
      'outside',
      `The path ${spelled} is refused: ${problem}. Use a plain path below the workspace folder.`,
    );
  return plain;
}

const deviceName = /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9\u00b9\u00b2\u00b3]) *(\.|$)/i;

/**
 * Returns why Windows would resolve this path to another one than it appears to be, or undefined. Checks only the text,
 * so it works on every platform.
 */
export function windowsNameProblem(path: string): string | undefined {
  if (/^[\\/]{2}[?.][\\/]/.test(path)) return 'it names a device or bypasses Windows\u2019 path rules';
  if (/^[\\/]{2}/.test(path)) return 'it is on another machine (a network path)';
  if (/^[a-z]:(?![\\/])/i.test(path)) return 'it depends on the current folder of the drive';
  for (const name of path.replace(/^[a-z]:/i, '').split(/[\\/]/)) {
    if (name === '' || name === '.' || name === '..') continue;
    if (name.includes(':')) return `"${name}" names a hidden stream of a file`;
    if (/[. ]$/.test(name)) return `"${name}" ends with a dot or a space, which Windows removes`;
    if (hasShortName(name)) return `"${name}" may be the short name of another file`;
    if (deviceName.test(name)) return `"${name}" is the name of a device`;
  }
  return undefined;
}

function fromUrl(spelled: string, windows: boolean): string {
  try {
    return fileURLToPath(spelled, { windows });
  } catch {
    throw new FileProblem(
      'outside',
      `The address ${spelled} does not name a file on this machine. Use a path below the workspace folder.`,
    );
  }
}

/** Returns `target` with the links of its longest existing prefix resolved. */
function realPath(target: string, spelled: string): string {
  try {
    return fs.realpathSync.native(target);
  } catch (thrown) {
    if (errorCode(thrown) !== 'ENOENT') throw fileProblemOf(thrown, spelled);
  }
  if (exists(target)) throw new FileProblem('missing', `${spelled} is a broken link, or leads through one.`);
  const parent = path.dirname(target);
  if (parent === target) return target;
  const realParent = realPath(parent, spelled);
  const name = nameOnDisk(realParent, path.basename(target));
  return name === path.basename(target) ? path.join(realParent, name) : realPath(path.join(realParent, name), spelled);
}

/**
 * Models write composed characters (NFC), but the name on disk may be decomposed. Names that look the same are treated
 * as equal.
 */
function nameOnDisk(folder: string, name: string): string {
  if (!/[^\0-\x7f]/.test(name)) return name;
  try {
    return fs.readdirSync(folder).find((entry) => entry.normalize('NFC') === name.normalize('NFC')) ?? name;
  } catch {
    return name;
  }
}

/** The risk was judged by the spelled name: a link must not give a secret or protected file a harmless name. */
function refuseDisguise(spelled: string, shown: string, use: 'read' | 'write'): void {
  const rules = use === 'read' ? secretReads : [...secretReads, ...protectedWrites];
  const spelledRules = new Set(matchingRules(spelled, rules));
  if (matchingRules(shown, rules).every((rule) => spelledRules.has(rule))) return;
  throw new FileProblem(
    'outside',
    `${spelled} leads to ${shown}, which needs its own approval. Name that path itself.`,
  );
}

/**
 * Returns a path with the real names of files whose names contain a known secret: tools and the model only see the mask
 * in its place. Throws `FileProblem` if several names look the same, or if a new file would get the mask as its name.
 */
function withRealNames(lexical: string, use: 'read' | 'write'): string {
  if (!lexical.includes(MASK)) return lexical;
  const { root } = path.parse(lexical);
  let at = root;
  for (const part of lexical.slice(root.length).split(path.sep)) {
    const names = part.includes(MASK) && !exists(path.join(at, part)) ? namesMaskedAs(part, at) : [part];
    if (names.length > 1)
      throw new FileProblem(
        'not_permitted',
        `${names.length} names look like ${part}, because “${MASK}” stands for different secrets in them. Ask the user to rename one of them.`,
      );
    if (names.length === 0 && use === 'write')
      throw new FileProblem(
        'not_permitted',
        `${part} contains “${MASK}”, which stands for a secret that is hidden from you, and no file has this name. Choose another name.`,
      );
    at = path.join(at, names[0] ?? part);
  }
  return at;
}

function namesMaskedAs(part: string, folder: string): string[] {
  try {
    return fs.readdirSync(folder).filter((name) => secrets.mask(name) === part);
  } catch {
    return [];
  }
}

/** A rule such as "build/" matches only folders. */
function refuseIgnored(
  place: { readonly folder: string; readonly absolute: string },
  spelled: string,
  shown: string,
): void {
  const isFolder = fs.lstatSync(place.absolute, { throwIfNoEntry: false })?.isDirectory() === true;
  if (!agentIgnoring()(place, isFolder)) return;
  const named = shown === spelled ? spelled : `${spelled} (${shown})`;
  throw new FileProblem(
    'left_out',
    `${named} is excluded by ${agentIgnoreName}, so it is neither read nor changed. Continue without it; only the user can change this.`,
  );
}

function outsideProblem(
  spelled: string,
  { root, isLinked }: { readonly root: string; readonly isLinked: boolean },
): FileProblem {
  const why = isLinked ? 'leads, through a link, outside the workspace' : 'is outside the workspace';
  const inside =
    path.isAbsolute(spelled) && exists(path.join(root, spelled))
      ? ` Did you mean "${withSlashes(spelled).replace(/^\/+/, '')}"?`
      : '';
  return new FileProblem('outside', `${spelled} ${why}. Paths are relative to the workspace folder.${inside}`);
}

/** The folder may be created later: the links above it are resolved now. */
function realFolder(folder: string): string {
  try {
    return realPath(path.resolve(folder), folder);
  } catch {
    return path.resolve(folder);
  }
}

function exists(target: string): boolean {
  try {
    return fs.lstatSync(target, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

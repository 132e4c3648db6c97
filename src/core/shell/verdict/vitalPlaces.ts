import { anyOf, exactlyOneOf, sequence } from '../../text/alternatives';
import { matchesGlob } from '../syntax/globs';
import { folderAfterCd, type Place } from '../syntax/place';
import type { Value } from '../syntax/value';

// Places that nobody can lose without losing the machine, or everything on it.

const systemNames =
  'bin boot dev etc home lib lib32 lib64 media mnt nix opt proc root run sbin srv sys usr var System Library Users Applications private Volumes';

/** Files without which the machine does not start, or nobody can sign in. */
export const vitalFiles = sequence([
  /^\//,
  anyOf([
    'etc/passwd etc/shadow etc/group etc/gshadow etc/fstab etc/sudoers',
    /(?:usr\/)?bin\/(?:ba)?sh/,
    /(?:usr\/)?lib(?:64)?\/ld-[\w.-]+/,
  ]),
  /$/,
]);

/** The root, system folders, and home folders. */
const vitalFolders = exactlyOneOf(
  [
    '/',
    sequence([/\//, anyOf([systemNames])]),
    '/var/lib /boot/efi /etc/ssh /etc/systemd /etc/pam.d',
    /\/usr\/(?:s?bin|lib(?:32|64|exec)?|share)/,
    /(?:\/usr)?\/lib\/(?:modules|systemd|[\w-]+-linux-gnu\w*)/,
    /(?:\/|[a-z]:\/|\/mnt\/[a-z]\/)(?:home|users)\/[^/]+/,
    /~[^/]*(?:\/\.\.(?:\/[^/]+)?)*/,
    // What contains the workspace.
    /\.\.(?:\/\.\.)*/,
    // Drives, and their names in the Subsystem for Linux.
    /(?:[a-z]:|\/mnt\/[a-z])(?:\/(?:windows(?:\/system32)?|program[ _]files(?:[ _]\(x86\))?|programdata|users)?)?/,
  ],
  'i',
);

/** Private keys of an account for SSH and GPG, and the folders that contain them. */
const keys = sequence(
  [
    /^(?:~[^/]*|\/(?:home|users)\/[^/]+|\/root)\//,
    anyOf([/\.ssh(?:\/(?:\*|id_[\w*-]+)?)?/, /\.gnupg(?:\/(?:\*|private-keys-v1\.d(?:\/[^/]*)?)?)?/]),
    /$/,
  ],
  'i',
);

/** Returns whether a path names private keys of an account, or everything in the folder with them. */
export const holdsKeys = (path: string): boolean => keys.test(path);

const rawDisks = anyOf(
  [
    sequence([
      /^\/dev\//,
      anyOf([/(?:s|h|v|xv)d[a-z?*[]/, /(?:nvme|mmcblk|r?disk|loop|dm-|md)[\d?*[]/, 'disk/by- mapper/']),
    ]),
    /^\/+(?:[.?]\/)?(?:physicaldrive\d|device\/harddisk)/,
  ],
  'i',
);

/** Resolves other spellings of a path: `/etc/../`, `//`, `/proc/self/root`. */
const plainPath = (path: string): string => {
  const resolved = /^\/(?![/?.])|^\/.*\/\.\.?(?:\/|$)|^\/{2,}dev\//.test(path) ? folderAfterCd('', path) : path;
  return resolved.replace(/^(?:\/proc\/(?:self|thread-self|\d+)(?:\/task\/\d+)?\/root(?=\/|$))+/, '') || '/';
};

/** Returns whether a path, or a pattern, names a whole disk or a part of one. */
export const isRawDisk = (path: string): boolean => rawDisks.test(path) || rawDisks.test(plainPath(path));

/** Returns whether a place is a vital file, a vital folder, one that contains the workspace, or everything in one. */
export const isVital = ({ where, path, glob, holdsWorkspace }: Place): boolean =>
  where === 'outside' && (holdsWorkspace === true || isVitalFolder(path, { glob }) || vitalFiles.test(path));

/** Returns whether a path is a vital folder or everything in one. `glob`: the shell expands it. */
export function isVitalFolder(path: string, { glob = false }: { readonly glob?: boolean } = {}): boolean {
  const plain =
    plainPath(path)
      .replace(/\/{2,}/g, '/')
      .replace(/^\/[?.]\/(?=[a-z]:)/i, '')
      .replace(/\/(?:\*\*\/)?(?:[.?]?\*+(?:\.\*)?)?$/, '') || '/';
  if (vitalFolders.test(plain)) return true;
  // `/[a-z]*` and `/???` match system folders.
  const pattern = glob ? /^\/([^/]+)$/.exec(plain)?.[1] : undefined;
  return pattern !== undefined && systemNames.split(' ').some((name) => matchesGlob(pattern, name));
}

/** Returns whether a word names a vital folder or everything in one. */
export const isVitalWord = ({ kind, text }: Value): boolean =>
  kind !== 'unknown' && isVitalFolder(text, { glob: kind === 'glob' });

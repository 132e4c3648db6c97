import fs from 'node:fs';
import path from 'node:path';
import { stateFolder } from '../stateFolder';

/** Below the home folder: keys, tokens, passwords and what was typed. */
export const inHome = [
  '.ssh', '.gnupg', '.aws', '.azure', '.kube', '.docker', '.netrc', '.npmrc', '.yarnrc.yml', '.pypirc', '.git-credentials', '.pgpass', '.my.cnf', '.vault-token', '.password-store',
  '.config/gcloud', '.config/gh', '.config/glab-cli', '.config/hub', '.config/git/credentials', '.config/op', '.config/rclone', '.config/containers/auth.json', '.config/github-copilot',
  '.config/google-chrome', '.config/chromium', '.config/BraveSoftware', '.config/microsoft-edge', '.mozilla', '.local/share/keyrings', '.terraform.d/credentials.tfrc.json',
  '.cargo/credentials', '.cargo/credentials.toml', '.gem/credentials', '.m2/settings.xml', '.gradle/gradle.properties', '.composer/auth.json',
  '.config/Code/User/globalStorage/state.vscdb', '.config/Code/User/globalStorage/state.vscdb.backup',
  '.bash_history', '.zsh_history', '.python_history', '.node_repl_history', '.psql_history', '.mysql_history', '.lesshst',
];
export const ofMachine = ['/etc/shadow', '/etc/shadow-', '/etc/gshadow', '/etc/gshadow-', '/etc/sudoers', '/etc/sudoers.d', '/etc/ssh', '/etc/ssl/private', '/var/lib/docker', '/var/lib/containerd'];

/** Below /run lie sockets, through which others would do what the sandbox forbids. These parts of it hold programs and are needed. */
export const neededOfRun = ['/run/current-system', '/run/wrappers', '/run/opengl-driver'];

/** Arguments that put empty folders of the sandbox's own over temporary files and sockets. */
export function ownPlaces(): string[] {
  const own = ['/tmp', '/var/tmp', '/run'].filter(isFolder).flatMap(place => ['--tmpfs', fs.realpathSync(place)]);
  return [...own, ...neededOfRun.filter(place => fs.existsSync(place)).flatMap(place => ['--ro-bind', place, place])];
}

/**
 * Arguments that put empty places over secrets. `empty`: an empty file. A link is hidden where it leads. What is missing cannot be made
 * inside, because all around it is read-only. What holds a folder of the workspace, or is one, is left. `writable` stays as it is, wherever it lies.
 */
export function hiddenSecrets(home: string, empty: string, folders: readonly string[], writable: string): string[] {
  const hidden = [...inHome.map(name => path.join(home, name)), stateFolder(), ...ofMachine].flatMap(place => {
    const real = realPath(place);
    if (real === undefined || folders.some(folder => folder === real || folder.startsWith(`${real}/`))) return [];
    return isFolder(real) ? [['--tmpfs', real], ['--remount-ro', real]] : [['--ro-bind', empty, real]];
  });
  // A place for `writable` may have to be made in what is hidden, before nothing can be made there any more.
  const isLast = ([option]: readonly string[]): boolean => option === '--remount-ro';
  return [...hidden.filter(each => !isLast(each)), ['--bind', writable, writable], ...hidden.filter(isLast)].flat();
}

function realPath(place: string): string | undefined {
  try { return fs.realpathSync(place); } catch { return undefined; }
}

const isFolder = (place: string): boolean => { try { return fs.statSync(place).isDirectory(); } catch { return false; } };

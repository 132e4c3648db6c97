import fs from 'node:fs';
import path from 'node:path';
import { existingRealPath } from '../storage/lenientReads';
import { stateFolder } from '../storage/stateFolder';
import { memoryFolders, memoryFolderBytes, type SandboxLimits } from './limits';

/**
 * Below the home folder: keys, tokens, passwords and typed history. An explicit list: data of programs not named here
 * stays readable.
 */
export const secretsInHome = [
  '.ssh',
  '.gnupg',
  '.aws',
  '.azure',
  '.kube',
  '.docker',
  '.netrc',
  '.npmrc',
  '.yarnrc.yml',
  '.pypirc',
  '.git-credentials',
  '.pgpass',
  '.my.cnf',
  '.vault-token',
  '.password-store',
  '.config/gcloud',
  '.config/gh',
  '.config/glab-cli',
  '.config/hub',
  '.config/git/credentials',
  '.config/op',
  '.config/rclone',
  '.config/containers/auth.json',
  '.config/github-copilot',
  '.config/google-chrome',
  '.config/chromium',
  '.config/BraveSoftware',
  '.config/microsoft-edge',
  '.mozilla',
  '.thunderbird',
  '.local/share/keyrings',
  '.local/share/kwalletd',
  '.pki',
  '.terraform.d/credentials.tfrc.json',
  '.terraformrc',
  '.cargo/credentials',
  '.cargo/credentials.toml',
  '.gem/credentials',
  '.m2/settings.xml',
  '.m2/settings-security.xml',
  '.gradle/gradle.properties',
  '.composer/auth.json',
  '.config/composer/auth.json',
  '.nuget/NuGet',
  '.config/NuGet',
  '.config/pypoetry/auth.toml',
  '.config/pip',
  '.pip',
  '.bundle/config',
  '.hex/hex.config',
  '.config/doctl',
  '.config/hcloud',
  '.config/scaleway',
  '.config/heroku',
  '.fly',
  '.railway',
  '.netlify',
  '.config/netlify',
  '.vercel',
  '.local/share/com.vercel.cli',
  '.wrangler',
  '.config/.wrangler',
  '.pulumi',
  '.oci',
  '.bluemix',
  '.aliyun',
  '.databrickscfg',
  '.snowflake',
  '.snowsql',
  '.kaggle',
  '.huggingface',
  '.cache/huggingface/token',
  '.cache/huggingface/stored_tokens',
  '.s3cfg',
  '.boto',
  '.passwd-s3fs',
  '.mc',
  '.config/sops',
  '.config/age',
  '.config/keepassxc',
  '.config/Bitwarden',
  '.config/Bitwarden CLI',
  '.config/1Password',
  '.config/filezilla',
  '.msmtprc',
  '.mbsyncrc',
  '.config/himalaya',
  '.config/gspread',
  '.config/ngrok',
  '.ngrok2',
  '.config/stripe',
  '.sentryclirc',
  '.config/configstore',
  '.config/Slack',
  '.config/discord',
  '.claude',
  '.claude.json',
  '.config/claude',
  '.config/Claude',
  '.codex',
  '.gemini',
  '.qwen',
  '.continue',
  '.cursor',
  '.config/Cursor',
  '.codeium',
  '.aider.conf.yml',
  '.config/goose',
  '.config/opencode',
  '.local/share/opencode',
  '.config/crush',
  '.local/share/crush',
  '.config/openai',
  '.config/anthropic',
  '.config/io.datasette.llm',
  '.openhands',
  '.config/aichat',
  '.copilot',
  '.kiro',
  '.kilocode',
  '.cline',
  // Sockets of virtual machines and agents that could do outside what the sandbox forbids.
  '.colima',
  '.lima',
  '.rd',
  '.orbstack',
  '.minikube',
  '.1password',
  '.local/share/containers/podman',
  ...['Code', 'Code - Insiders', 'VSCodium', 'Windsurf'].flatMap((editor) =>
    ['state.vscdb', 'state.vscdb.backup'].map((file) => `.config/${editor}/User/globalStorage/${file}`),
  ),
  '.bash_history',
  '.zsh_history',
  '.python_history',
  '.node_repl_history',
  '.psql_history',
  '.mysql_history',
  '.sqlite_history',
  '.rediscli_history',
  '.local/share/fish/fish_history',
  '.viminfo',
  '.lesshst',
];
/** The same on macOS. */
const secretsInLibrary = [
  'Keychains',
  'Cookies',
  'Safari',
  'Messages',
  'Mail',
  'Containers/com.apple.Safari',
  'Group Containers/2BUA8C4S2C.com.1password',
  ...[
    'Google/Chrome',
    'Chromium',
    'BraveSoftware',
    'Microsoft Edge',
    'Arc',
    'Firefox',
    'Slack',
    'discord',
    '1Password',
    'Bitwarden',
    'Claude',
    'com.apple.TCC',
    'gh',
    'sops',
    'ngrok',
  ].map((name) => `Application Support/${name}`),
  ...['Code', 'Code - Insiders', 'VSCodium', 'Cursor', 'Windsurf'].flatMap((editor) =>
    ['state.vscdb', 'state.vscdb.backup'].map((file) => `Application Support/${editor}/User/globalStorage/${file}`),
  ),
].map((name) => `Library/${name}`);
export const secretsOfMachine = [
  '/etc/shadow',
  '/etc/shadow-',
  '/etc/gshadow',
  '/etc/gshadow-',
  '/etc/sudoers',
  '/etc/sudoers.d',
  '/etc/ssh',
  '/etc/ssl/private',
  '/var/lib/docker',
  '/var/lib/containerd',
  '/var/lib/lxd',
  '/var/snap/lxd/common/lxd',
  '/var/lib/incus',
  '/var/lib/libvirt',
  '/var/lib/kubelet',
];

/**
 * /run contains sockets through which other programs would do what the sandbox forbids. These parts of it contain
 * programs and are needed.
 */
export const neededInRun = ['/run/current-system', '/run/wrappers', '/run/opengl-driver'];

/**
 * Returns arguments that mount the sandbox's own empty folders over temporary files and sockets; put them after those
 * for /dev. The folders are in memory; `limits` sets the size of each.
 */
export function ownPlaces(limits?: SandboxLimits): string[] {
  const own = Object.keys(memoryFolders)
    .filter(isFolder)
    .flatMap((place) => [
      ...(limits ? ['--size', String(memoryFolderBytes(place, limits))] : []),
      '--tmpfs',
      fs.realpathSync(place),
    ]);
  // Nothing can be created next to the devices, which are in memory too.
  return [
    ...own,
    '--remount-ro',
    '/dev',
    ...neededInRun.filter((place) => fs.existsSync(place)).flatMap((place) => ['--ro-bind', place, place]),
  ];
}

/**
 * Returns arguments that mount empty places over `secrets`. `empty`: an empty file. `writable` stays unchanged, even
 * inside a hidden folder.
 */
export function hiddenSecrets(secrets: readonly string[], empty: string, writable: string): string[] {
  const folders = new Set(secrets.filter(isFolder));
  const hidden = secrets.map((place) => (folders.has(place) ? ['--tmpfs', place] : ['--ro-bind', empty, place]));
  // The mount point of `writable` may have to be created inside a hidden folder before that becomes read-only.
  const madeReadOnly = secrets.filter((place) => folders.has(place)).map((place) => ['--remount-ro', place]);
  return [...hidden, ['--bind', writable, writable], ...madeReadOnly].flat();
}

/**
 * Returns existing paths that contain secrets, with links resolved; without those that contain or are a workspace
 * folder. A missing one outside the workspace cannot be created inside, because everything around it is read-only.
 * `more`: additional absolute paths.
 */
export function secretPlaces(home: string, folders: readonly string[], more: readonly string[] = []): string[] {
  return [
    ...[...secretsInHome, ...secretsInLibrary].map((name) => path.join(home, name)),
    stateFolder(),
    ...secretsOfMachine,
    ...more,
  ]
    .flatMap((place) => existingRealPath(place) ?? [])
    .filter((real) => !folders.some((folder) => folder === real || folder.startsWith(`${real}/`)));
}

const isFolder = (place: string): boolean => {
  try {
    return fs.statSync(place).isDirectory();
  } catch {
    return false;
  }
};

import { exactlyOneOf } from '../../core/text/alternatives';

/** Variables that every program needs: user, host, paths and language. None of these makes a program load code. */
export const plainNames: readonly string[] = [
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'LANG',
  'LANGUAGE',
  'COLORTERM',
  'TMPDIR',
  'TZ',
  'XDG_CONFIG_HOME',
  'SYSTEMROOT',
  'SYSTEMDRIVE',
  'WINDIR',
  'COMSPEC',
  'PATHEXT',
  'TEMP',
  'TMP',
  'USERPROFILE',
  'USERNAME',
  'HOMEDRIVE',
  'HOMEPATH',
  'OS',
];

/** Variables that every program may see: the plain ones and tool locations. No credentials. */
export const allowed: ReadonlySet<string> = new Set([
  ...plainNames,
  'XDG_CACHE_HOME',
  'XDG_DATA_HOME',
  'XDG_STATE_HOME',
  'XDG_RUNTIME_DIR',
  'JAVA_HOME',
  'GOPATH',
  'GOROOT',
  'CARGO_HOME',
  'RUSTUP_HOME',
  'NVM_DIR',
  'PYENV_ROOT',
  'VIRTUAL_ENV',
  'CONDA_PREFIX',
  'ANDROID_HOME',
  'DOTNET_ROOT',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'NODE_EXTRA_CA_CERTS',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'ALL_PROXY',
  'APPDATA',
  'LOCALAPPDATA',
  'PROGRAMDATA',
  'PROGRAMFILES',
  'PROGRAMFILES(X86)',
  'NUMBER_OF_PROCESSORS',
  'PROCESSOR_ARCHITECTURE',
  'PSMODULEPATH',
]);

/**
 * Never passed on, even if a caller names them: keys, handles that control the editor, and variables that load code
 * into programs.
 */
export const never = exactlyOneOf(
  [
    /ELECTRON_.*/,
    /VSCODE_.*/,
    'NODE_OPTIONS',
    /LD_.*/,
    /DYLD_.*/,
    'BASH_ENV ENV',
    /BASH_FUNC_.*/,
    'PROMPT_COMMAND PS4 SHELLOPTS BASHOPTS IFS PYTHONSTARTUP PERL5OPT RUBYOPT SSH_AUTH_SOCK',
    /.*_TOKEN/,
    'TOKEN',
    /.*_KEY/,
    /.*SECRET.*/,
    /.*PASSWORD.*/,
    /.*PASSWD.*/,
    /.*CREDENTIAL.*/,
    /AWS_.*/,
    /AZURE_.*/,
    /GOOGLE_.*/,
    /OPENAI_.*/,
    /ANTHROPIC_.*/,
    /WAYMARK_.*/,
  ],
  'i',
);

/** Keeps programs from paging and prompting, and tells them that they run unattended. */
export const fixed: Readonly<Record<string, string>> = {
  TERM: 'xterm-256color',
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  MANPAGER: 'cat',
  GIT_TERMINAL_PROMPT: '0',
  CI: '1',
  npm_config_yes: 'false',
  DEBIAN_FRONTEND: 'noninteractive',
};

/**
 * Git's editor for commands of the agent. Without a terminal, the message that Git prepared stays as it is, so that
 * `git rebase --continue` needs nobody, and a list of commits is refused. On a terminal, the user's editor opens.
 */
export const gitEditor = [
  'if [ -t 0 ]; then eval "exec $(git config core.editor || echo ${VISUAL:-${EDITOR:-vi}}) \\"\\$1\\""; fi',
  'case $1 in *git-rebase-todo) echo "A terminal is required to edit the list of commits, or a command in GIT_SEQUENCE_EDITOR." >&2; exit 1;; esac',
  'true',
].join('; ');

const carriesPassword = /^[a-z][a-z0-9+.-]*:\/\/[^/\s@]*@/i;

/**
 * Returns the environment of the agent's shell: an allow list, the names in `pass`, and settings that keep programs
 * from waiting for input. Omits URLs that contain user information, such as a proxy with its password.
 */
export function childEnvironment(from: NodeJS.ProcessEnv, pass: readonly string[] = []): Record<string, string> {
  const wanted = new Set(pass);
  const result: Record<string, string> = {};
  for (const [name, value] of Object.entries(from)) {
    if (value === undefined || never.test(name) || carriesPassword.test(value)) continue;
    if (allowed.has(name.toUpperCase()) || /^LC_[A-Z]+$/.test(name) || wanted.has(name)) result[name] = value;
  }
  return { ...result, ...fixed };
}

import type { RiskLevel } from '../../../protocol/event';

/**
 * Commands whose effect is known, as data. `operands` tells what plain words are: paths that are read, paths that are written, or neither.
 * `unless` are arguments that make the command something else; then it is judged high. Whatever is not here is high.
 */
export interface KnownCommand {
  readonly level: Extract<RiskLevel, 'low' | 'medium'>;
  readonly operands: 'reads' | 'writes' | 'none';
  readonly unless?: RegExp;
  /** The first words after the name that this entry is about: `git status`. Absent: any. */
  readonly first?: readonly string[];
  readonly reason?: string;
}

const reads: KnownCommand = { level: 'low', operands: 'reads' };
const plain: KnownCommand = { level: 'low', operands: 'none' };
const runsProject: KnownCommand = { level: 'medium', operands: 'none', reason: 'It runs code of this project.' };

export const knownCommands: Readonly<Record<string, readonly KnownCommand[]>> = {
  ...Object.fromEntries(['cat', 'head', 'tail', 'wc', 'ls', 'stat', 'file', 'du', 'nl', 'cut', 'tr', 'diff', 'cmp', 'basename', 'dirname', 'realpath', 'readlink', 'grep', 'egrep', 'fgrep', 'cksum', 'sha256sum', 'md5sum'].map(name => [name, [reads]])),
  ...Object.fromEntries(['echo', 'pwd', 'true', 'false', ':', 'date', 'whoami', 'id', 'uname', 'seq', 'sleep', 'which', 'type', 'test', '[', 'printf', 'nproc'].map(name => [name, [plain]])),
  cd: [{ level: 'low', operands: 'reads', unless: /^-/ }],
  printf: [{ ...plain, unless: /^-v/ }],
  date: [{ ...plain, unless: /^(-s|--s)/ }],
  test: [{ ...plain, unless: /^-v|\[/ }],
  '[': [{ ...plain, unless: /^-v|\[/ }],
  tail: [{ ...reads, unless: /^(-[a-z]*[fF]|--f|--retry|--pid)/ }],
  file: [{ ...reads, unless: /^(-[a-zA-Z]*[Cfm]|--c|--f|--m)/ }],
  sort: [{ ...reads, unless: /^(-[a-zA-Z]*[oTS]|--o|--co|--t|--b|--files)/ }],
  rg: [{ ...reads, unless: /^(--pre|--hostname-bin|-z|--search-zip|--config|--ignore-file|-[a-zA-Z]*z|--hidden|-u|-[a-z]*u)/ }],
  grep: [{ ...reads, unless: /^(-[a-zA-Z]*[rRf]|--r|--f|--d)/ }],
  egrep: [{ ...reads, unless: /^(-[a-zA-Z]*[rRf]|--r|--f|--d)/ }],
  fgrep: [{ ...reads, unless: /^(-[a-zA-Z]*[rRf]|--r|--f|--d)/ }],
  find: [{ ...reads, unless: /^-(exec|ok|delete|fls|fprint|fprintf|files0-from)/ }],
  tree: [{ ...reads, unless: /^(-o|--fromfile|--infofile)/ }],
  node: [{ level: 'low', operands: 'none', first: ['--version', '-v'] }, { ...runsProject, first: ['--test'], unless: /^(-e|-p|-r|--eval|--print|--require|--import|--loader|--experimental-loader|--env-file)/ }],
  npm: [{ level: 'low', operands: 'none', first: ['--version', '-v', 'ls', 'list', 'outdated', 'view'], unless: /^(--prefix|-C|--userconfig|--globalconfig|--script-shell)/ }, { ...runsProject, first: ['test', 't'], unless: /^(--prefix|-C|--script-shell|--node-options|--userconfig|--workspace|-w)/ }],
  tsc: [{ ...runsProject, first: ['--noEmit', '--version'] }],
  mkdir: [{ level: 'medium', operands: 'writes', unless: /^(-[a-z]*[mZ]|--m|--c)/, reason: 'It creates folders.' }],
  touch: [{ level: 'medium', operands: 'writes', unless: /^(-[a-z]*r|--r)/, reason: 'It creates or touches files.' }],
  git: [{ level: 'medium', operands: 'reads', first: ['status', 'diff', 'log', 'show', 'branch', 'rev-parse', 'ls-files', 'blame'], unless: /^(-c|-C|--config-env|--exec-path|--git-dir|--work-tree|--output|--ext-diff|--textconv|--no-index|--open-files-in-pager|-O|-[dDmMcf]$|--d|--m|--f|--c|--e|--u|--se)/, reason: 'It reads the repository; its settings may run programs.' }],
};

/** Variables that may be set before a command without changing what runs. */
export const plainVariables = /^(NODE_ENV|CI|TZ|LANG|LC_[A-Z]+|NO_COLOR|FORCE_COLOR|COLUMNS|LINES)$/;

/** What commands that are always asked about do, for the words on the card. A command in neither list is called unknown. */
export const askedBecause: Readonly<Record<string, string>> = {
  rm: 'It deletes files.', rmdir: 'It deletes folders.', unlink: 'It deletes a file.', shred: 'It destroys files.', truncate: 'It empties files.',
  mv: 'It moves or overwrites files.', cp: 'It copies over files.', ln: 'It creates a link.', dd: 'It writes raw data.', tee: 'It writes files.', install: 'It copies files.',
  chmod: 'It changes permissions.', chown: 'It changes owners.', chgrp: 'It changes owners.',
  sudo: 'It runs with the rights of another user.', su: 'It runs with the rights of another user.', doas: 'It runs with the rights of another user.',
  curl: 'It talks to the network.', wget: 'It talks to the network.', ssh: 'It logs in to another machine.', scp: 'It copies to or from another machine.', rsync: 'It copies files, also to other machines.', nc: 'It talks to the network.', ping: 'It talks to the network.', dig: 'It talks to the network.',
  eval: 'It runs text as a command.', source: 'It runs another file in this shell.', '.': 'It runs another file in this shell.', exec: 'It replaces the shell.', xargs: 'It runs a command for each word it is given.', env: 'It changes what a command sees.', bash: 'It runs another shell.', sh: 'It runs another shell.', zsh: 'It runs another shell.',
  export: 'It changes the shell for later commands.', unset: 'It changes the shell for later commands.', alias: 'It changes the shell for later commands.', trap: 'It changes the shell for later commands.', set: 'It changes the shell for later commands.',
  python: 'It runs a program.', python3: 'It runs a program.', perl: 'It runs a program.', ruby: 'It runs a program.', node: 'It runs a program.', make: 'It runs what the Makefile says.', docker: 'It starts or changes containers.',
  sed: 'It can change files and run commands.', awk: 'It can change files and run commands.',
  npm: 'It can install packages or run scripts.', npx: 'It can download and run a package.', yarn: 'It can install packages or run scripts.', pnpm: 'It can install packages or run scripts.', pip: 'It can install packages.', cargo: 'It can install packages or run code.',
  git: 'It changes the repository or talks to another one.', gh: 'It changes things on a server.', kill: 'It ends processes.', pkill: 'It ends processes.', killall: 'It ends processes.',
};

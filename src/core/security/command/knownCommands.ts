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

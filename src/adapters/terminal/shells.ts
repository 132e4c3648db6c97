import path from 'node:path';
import { quoted } from '../../core/text/subshell';
import { isProgram, onPath } from '../processes/onPath';

/** Where one command's parts lie. `input` and `output` are files or the terminal device. */
export interface CommandFiles {
  readonly command: string;
  readonly input: string;
  readonly output: string;
}

/**
 * How to drive one kind of shell. The shell reads our lines from a pipe of its own, never from the terminal, so nothing
 * that is typed into a program can become a command.
 */
export interface ShellDialect {
  readonly name: string;
  /** Names of the program, best first. */
  readonly programs: readonly string[];
  readonly arguments: readonly string[];
  /** False: the shell runs over pipes even where a terminal can be made. */
  readonly usesTerminal: boolean;
  /** What the command file's name ends with, and what its text starts with. */
  readonly extension: string;
  readonly prefix: string;
  /** Sent once, before everything else. */
  readonly setup: string;
  /** One line that runs the command file in the shell itself, so that folder, variables and functions stay. */
  run(files: CommandFiles): string;
  /**
   * One line that answers with `nonce`, the exit status, the last background process and the folder; see replies.ts.
   */
  report(nonce: string): string;
  /** One line that gives a variable to all programs that are started later. */
  exportLine(name: string, value: string): string;
  /**
   * One line that has the shell write its exported variables into a file when it ends
   * by itself. Absent where that is not known.
   */
  atEnd?(file: string): string;
  /** One line that goes to a folder. */
  folderLine(folder: string): string;
}

/** Prints the exported variables, each with a NUL behind it; for shells of POSIX. */
export const writeVariables = '\\command /usr/bin/env -0';

/** `keyword` keeps a redefined `.` or `printf` from being used, and a syntax error from ending a POSIX shell. */
function posix(
  name: string,
  keyword: string,
  background: string,
  rest: Pick<ShellDialect, 'programs' | 'arguments' | 'setup'>,
): ShellDialect {
  return {
    name,
    ...rest,
    usesTerminal: true,
    extension: '',
    prefix: '',
    run: (files) => `\\${keyword} . ${quoted(files.command)} <${quoted(files.input)} >|${quoted(files.output)} 2>&1`,
    exportLine: (name, value) => `export ${name}=${quoted(value)} 2>/dev/null`,
    atEnd: (file) => `trap -- ${quoted(`${writeVariables} >|${quoted(file)} 2>/dev/null`)} EXIT`,
    folderLine: (folder) => `\\command cd -- ${quoted(folder)}`,
    report: (nonce) =>
      `\\${keyword} printf '\\036${nonce}\\037%s\\037%s\\037%s\\036${nonce}\\n' "$?" "${background}" "$PWD" >&2`,
  };
}

// Job control is off (+m) with and without a terminal alike: no "[1]+ Done" in the output of a later command, and
// background jobs ignore the interrupt that stops a foreground one.
/** ★ The shells that Waymark can drive, in the order in which they are tried. */
export const shellDialects: readonly ShellDialect[] = [
  posix('bash', 'command', '${!-}', {
    programs: ['bash'],
    arguments: ['--noprofile', '--norc', '--noediting', '-i'],
    setup: 'PS1= PS2=; set +m +o history +H; unset HISTFILE MAILCHECK PROMPT_COMMAND',
  }),
  posix('zsh', 'builtin', '$!', {
    programs: ['zsh'],
    arguments: ['-f', '-i', '+Z'],
    setup:
      'unsetopt monitor zle prompt_sp prompt_cr bang_hist 2>/dev/null; PS1= PS2= RPS1= HISTSIZE=0 SAVEHIST=0; unset HISTFILE MAILCHECK',
  }),
  posix('sh', 'command', '${!-}', {
    programs: ['sh', 'dash', 'ash'],
    arguments: ['-i', '+m'],
    setup: 'PS1= PS2=; set +m; unset HISTFILE MAIL MAILCHECK',
  }),
  // Not tried on Windows yet: written from the documentation, and without a terminal, because FIFOs are POSIX.
  {
    name: 'powershell',
    programs: ['pwsh', 'powershell', 'pwsh.exe', 'powershell.exe'],
    usesTerminal: false,
    arguments: ['-NoLogo', '-NoProfile', '-NonInteractive', '-ExecutionPolicy', 'Bypass', '-Command', '-'],
    extension: '.ps1',
    prefix: '\ufeff',
    setup: '$ProgressPreference = "SilentlyContinue"; [Console]::OutputEncoding = [Text.UTF8Encoding]::new()',
    run: (files) =>
      `$global:LASTEXITCODE = 0; $waymarkEnd = 0; try { . ${psQuote(files.command)} *>&1 | Out-File -Encoding utf8 ${psQuote(files.output)}; $waymarkEnd = $global:LASTEXITCODE } catch { $_ | Out-File -Append -Encoding utf8 ${psQuote(files.output)}; $waymarkEnd = 1 }`,
    exportLine: (name, value) => `$env:${name} = ${psQuote(value)}`,
    folderLine: (folder) => `Set-Location -LiteralPath ${psQuote(folder)}`,
    report: (nonce) =>
      `[Console]::Error.Write("{0}${nonce}{1}{2}{1}{1}{3}{0}${nonce}\`n" -f [char]30, [char]31, [int]$waymarkEnd, (Get-Location).ProviderPath)`,
  },
];

const psQuote = (text: string): string => `'${text.replaceAll("'", "''")}'`;

export interface ChosenShell {
  readonly program: string;
  readonly dialect: ShellDialect;
  readonly notice?: string;
}

/** The shell asked for, else the person's own if known, else the first that is installed. Throws when there is none. */
export function chooseShell(
  wanted: string | undefined,
  environment: NodeJS.ProcessEnv,
  workspace: string,
): ChosenShell {
  const asked = wanted ? known(wanted, environment, workspace) : undefined;
  if (asked) return asked;
  const notice = wanted
    ? {
        notice: `The shell "${wanted}" is missing or is not one that Waymark can drive (${shellDialects.map((each) => each.name).join(', ')}), so another was taken.`,
      }
    : {};
  const own = environment['SHELL'] ? known(environment['SHELL'], environment, workspace) : undefined;
  if (own) return { ...own, ...notice };
  for (const dialect of shellDialects) {
    for (const name of dialect.programs) {
      const found = known(name, environment, workspace);
      if (found) return { ...found, ...notice };
    }
  }
  throw new Error(
    'No shell was found: neither bash, zsh, sh nor PowerShell is on the PATH. Install one, or name it in the settings.',
  );
}

/** The name of that shell's language; undefined where there is none. */
export function shellNameFor(
  wanted: string | undefined,
  environment: NodeJS.ProcessEnv,
  workspace: string,
): string | undefined {
  try {
    return chooseShell(wanted, environment, workspace).dialect.name;
  } catch {
    return undefined;
  }
}

function known(name: string, environment: NodeJS.ProcessEnv, workspace: string): ChosenShell | undefined {
  const base = path.basename(name).toLowerCase();
  const dialect = shellDialects.find((each) => each.programs.includes(base));
  if (!dialect) return undefined;
  // The shell starts in the workspace: a program that lies there must not be taken for it.
  const program = path.isAbsolute(name) ? [name].find(isProgram) : onPath(name, [workspace], environment)[0];
  return program ? { program, dialect } : undefined;
}

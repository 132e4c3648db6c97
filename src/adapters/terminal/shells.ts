import path from 'node:path';
import { quoteForShell } from '../../core/text/shellText';
import { isProgram, onPath } from '../processes/onPath';

/** Files of one command. `input` and `output` are files or the terminal device. */
export interface CommandFiles {
  readonly command: string;
  readonly input: string;
  readonly output: string;
}

/**
 * How to control one kind of shell. The shell reads our lines from its own pipe, never from the terminal, so nothing
 * typed into a program can become a command.
 */
export interface ShellDialect {
  readonly name: string;
  /** Program names, best first. */
  readonly programs: readonly string[];
  readonly arguments: readonly string[];
  /** If false, the shell runs over pipes even if a terminal can be created. */
  readonly usesTerminal: boolean;
  /** Suffix of the command file's name, and the beginning of its text. */
  readonly extension: string;
  readonly prefix: string;
  /** Sent once, before everything else. */
  readonly setup: string;
  /**
   * Returns a line that runs the command file in the shell itself, so that folder, variables and functions are kept.
   */
  run(files: CommandFiles): string;
  /**
   * Returns a line that answers with `nonce`, the exit status, the last background process and the folder; see
   * `Replies`.
   */
  report(nonce: string): string;
  /** Returns a line that exports a variable to all programs started later. */
  exportLine(name: string, value: string): string;
  /**
   * Returns a line that makes the shell write its exported variables into a file when it exits by itself. Absent if not
   * supported.
   */
  atEnd?(file: string): string;
  /** Returns a line that changes to a folder. */
  folderLine(folder: string): string;
}

/** Prints the exported variables, each followed by a NUL; for POSIX shells. */
export const writeVariables = '\\command /usr/bin/env -0';

/** `keyword` prevents that a redefined `.` or `printf` is used, and that a syntax error ends a POSIX shell. */
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
    run: (files) =>
      `\\${keyword} . ${quoteForShell(files.command)} <${quoteForShell(files.input)} >|${quoteForShell(files.output)} 2>&1`,
    exportLine: (name, value) => `export ${name}=${quoteForShell(value)} 2>/dev/null`,
    atEnd: (file) => `trap -- ${quoteForShell(`${writeVariables} >|${quoteForShell(file)} 2>/dev/null`)} EXIT`,
    folderLine: (folder) => `\\${keyword} cd -- ${quoteForShell(folder)}`,
    // "pwd" and not $PWD, to which a command can assign anything. A shell that traces does so on standard error.
    report: (nonce) =>
      `{ \\${keyword} printf '\\036${nonce}\\037%s\\037%s\\037' "$?" "${background}"; ` +
      `\\${keyword} pwd; \\${keyword} printf '\\036${nonce}\\n'; } >&2 2>/dev/null`,
  };
}

// Job control is off (+m) both with and without a terminal: no "[1]+ Done" in the output of a later command, and
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
  // Not tested on Windows yet: written from the documentation, and without a terminal, because FIFOs are POSIX.
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

interface ChosenShell {
  readonly program: string;
  readonly dialect: ShellDialect;
  readonly notice?: string;
}

/**
 * Returns the requested shell, else the user's own if supported, else the first one installed. Bash replaces an own `sh`,
 * which is the default of accounts rather than a choice: models write for Bash. Throws an `Error` with a message for
 * people if there is no shell. `unfiltered`: the environment before folders of the workspace were removed from it.
 */
export function chooseShell(
  wanted: string | undefined,
  environment: NodeJS.ProcessEnv,
  workspace: string,
  unfiltered = environment,
): ChosenShell {
  const asked = wanted ? knownShell(wanted, environment, workspace) : undefined;
  if (asked) return asked;
  const notice = wanted
    ? {
        notice: `The shell "${wanted}" was not found or is not one that Waymark supports (${shellDialects.map((each) => each.name).join(', ')}), so another one is used.`,
      }
    : {};
  const own = environment['SHELL'] ? knownShell(environment['SHELL'], environment, workspace) : undefined;
  const better = own?.dialect.name === 'sh' ? knownShell('bash', environment, workspace) : undefined;
  if (own) return { ...own, ...better, ...notice };
  for (const dialect of shellDialects) {
    for (const name of dialect.programs) {
      const found = knownShell(name, environment, workspace);
      if (found) return { ...found, ...notice };
    }
  }
  const [inside] = shellDialects.flatMap(({ programs }) => programs.flatMap((name) => onPath(name, [], unfiltered)));
  if (inside !== undefined)
    throw new Error(
      `No shell can be used: ${inside} is inside the folder that the agent works in, and Waymark starts no shell from there. Work in a folder that does not contain the programs of this machine.`,
    );
  throw new Error(
    'No shell was found: neither bash, zsh, sh nor PowerShell is on the PATH. Install one, or set its path in the settings.',
  );
}

/** Returns the name of that shell's language; undefined if no shell was found. */
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

function knownShell(name: string, environment: NodeJS.ProcessEnv, workspace: string): ChosenShell | undefined {
  const base = path.basename(name).toLowerCase();
  const dialect = shellDialects.find((each) => each.programs.includes(base));
  if (!dialect) return undefined;
  // The shell starts in the workspace: a program inside it must not be chosen.
  const program = path.isAbsolute(name) ? [name].find(isProgram) : onPath(name, [workspace], environment)[0];
  return program ? { program, dialect } : undefined;
}

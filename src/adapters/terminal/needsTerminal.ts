import { anyOf } from '../../core/text/alternatives';

/** Programs that are full-screen or interactive regardless of their arguments. */
const always = new Set(
  'vi vim nvim view nano pico emacs joe mc top htop btop atop iotop watch tmux screen mutt lynx w3m links passwd telnet ftp sftp'.split(
    ' ',
  ),
);

/** Programs that are interactive only without arguments. */
const withoutArguments = new Set(
  'python python3 ipython node deno bun irb ghci julia lua R scala sqlite3 psql mysql mariadb redis-cli mongosh gdb lldb bc su'.split(
    ' ',
  ),
);

/**
 * Returns the program that makes this command need a terminal; undefined if its output may go to a file. Only single,
 * simple commands are examined.
 */
export function programNeedingTerminal(command: string): string | undefined {
  const text = command.trim();
  if (/[\n|&;<>`$()]/.test(text)) return undefined;
  const words = text.split(/\s+/);
  const start = words.findIndex((word) => !/^(?:[A-Za-z_]\w*=.*|sudo|command)$/.test(word));
  const [first = '', ...programArguments] = start < 0 ? [] : words.slice(start);
  const program = first.split('/').pop() ?? '';
  if (programArguments.some((word) => /^(?:--?help|--?version|-h|-V|-v)$/.test(word))) return undefined;
  if (program === 'top' && programArguments.some((word) => /^-\w*b/.test(word))) return undefined;
  if (
    /^(?:vi|vim|nvim|emacs)$/.test(program) &&
    programArguments.some((word) => /^-(?:es|Es|s|-headless|-batch|batch)$/.test(word))
  )
    return undefined;
  if (program === 'ssh')
    return programArguments.filter((word) => !word.startsWith('-')).length === 1 ? program : undefined;
  return always.has(program) || (withoutArguments.has(program) && programArguments.length === 0) ? program : undefined;
}

const complaints = anyOf(
  [
    /not a (?:tty|terminal|typewriter)/,
    /isn't a (?:tty|terminal)/,
    /must be run (?:in|from) a terminal/,
    /requires? (?:a|an interactive) (?:tty|terminal)/,
    /tty (?:is )?required/,
    /failed tty get/,
    /error opening terminal/,
    /inappropriate ioctl for device/,
    /no tty present/,
    /(?:input|output) is not (?:to|from) a terminal/,
    /a terminal is required/,
  ],
  'i',
);

/** Returns whether a program's last output complains about a missing terminal. */
export const missedTerminal = (output: string): boolean => complaints.test(output.slice(-4000));

const unanswered = anyOf(
  [
    'EOFError',
    /EOF when reading a line/,
    /Host key verification failed/,
    /could not read (?:Username|Password)/,
    /terminal prompts disabled/,
    /force closed the prompt/,
    /readline was closed/,
    /prompt was (?:cancell?ed|closed)/,
    /stdin is not interactive/,
  ],
  'i',
);
const choice = anyOf([/\[y\/n\]/, /\(y\/n\)/, /\(yes\/no(?:\/\[fingerprint\])?\)/], 'i');
/** The end of a line after which people type. Stricter than for a program that is known to wait. */
const question = /[?:]$|[?:] $|[>)\]] $/;
/** The same after which the program ended the line itself. One that prints an empty value does so too, and succeeds. */
const endedQuestion = /[?:] \n$/;

/**
 * Returns whether a command with empty input probably asked for some. Reading the end of an empty input leaves no trace,
 * so that only its words and its output tell. `output`: its output as it was printed.
 */
export function missedInput(command: string, output: string, { failed }: { readonly failed: boolean }): boolean {
  const last = output.slice(-4000);
  const line = last.slice(last.trimEnd().lastIndexOf('\n') + 1);
  const isQuestion = choice.test(line) || question.test(line) || (failed && endedQuestion.test(line));
  return (
    (failed && unanswered.test(last)) ||
    (line.trim() !== '' && line.length < 300 && isQuestion && !onlyPrints(command)) ||
    readsItself(command)
  );
}

/** Programs that never ask, whatever they print. */
const printers = new Set(
  'echo printf ls find rg date pwd id env printenv hostname uname which stat file du df ps true false test [ cd export set sleep'.split(
    ' ',
  ),
);
/** The same with arguments. Without any, they read their input. */
const filters = new Set('cat head tail grep egrep fgrep sed awk cut sort uniq tr wc jq'.split(' '));

const onlyPrints = (command: string): boolean =>
  programsIn(command).every(({ program, hasArguments }) => {
    const name = program.slice(program.lastIndexOf('/') + 1);
    return printers.has(name) || (hasArguments && filters.has(name));
  });

const keywords = new Set(['then', 'do', 'else', 'if', 'elif', 'while', 'until', '!']);

/** A shell that runs a quoted text. */
const inlineScript =
  /(?<![\w./-])(?:\/(?:usr\/)?bin\/)?(?:ba|z|da|k)?sh (?:-[a-z]+ ){0,3}-[a-z]{0,5}c (?:'([^']*)'|"([^"]*)")/g;

/** Returns whether the `read` of a shell gets the input of the whole command. */
function readsItself(command: string): boolean {
  const unquoted = command.replace(/'[^']*'|"[^"]*"/g, "''");
  if (/[|<]/.test(unquoted)) return false;
  for (const [, single, double] of command.matchAll(inlineScript)) if (readsItself(single ?? double ?? '')) return true;
  return programsIn(command).some(({ program }) => program === 'read');
}

/** Returns the first word of each part of a command, without keywords and assignments. Quoted words are left empty. */
function programsIn(command: string): { readonly program: string; readonly hasArguments: boolean }[] {
  const unquoted = command.replace(/'[^']*'|"[^"]*"/g, "''");
  return unquoted.split(/[;&|\n(){}]/).flatMap((part) => {
    const words = part.trim().split(/\s+/);
    const at = words.findIndex((word) => !keywords.has(word) && !/^[A-Za-z_]\w*=/.test(word));
    const program = words[at];
    return program === undefined || program === '' ? [] : [{ program, hasArguments: at < words.length - 1 }];
  });
}

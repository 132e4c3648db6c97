import { hasShortName, hasStream } from '../../risk/windowsNames';
import { anyOf, sequence } from '../../text/alternatives';
import {
  attribute,
  drop,
  dropWithoutCd,
  note,
  refuse,
  refuseFloor,
  reportStarted,
  touch,
  type Flow,
  type Scope,
} from '../effects/scope';
import { changesPrintedByGit } from '../posix/pipelines';
import { touchBelow } from '../effects/protectedBelow';
import { codeBelowFloor } from '../verdict/codeFloor';
import { onlyBelowFloor } from '../verdict/floor';
import { programBelowFloor, textBelowFloor } from '../verdict/programFloor';
import { refuseMoved } from '../programs/files/changing';
import { judgeCd } from '../programs/shell/builtins';
import { glob, literal, type Value } from '../syntax/value';
import { eachNamed } from '../calls/manual';
import { isSameInEveryShell } from '../calls/isSameInEveryShell';

/**
 * Lines with percent signs, carets, exclamation marks, brackets, quotation marks or line breaks change how cmd.exe
 * parses them. Such lines are not analysed.
 */
const plainLine = /^[\w .,:;*?~+=@#/\\&|<>-]*$/;
/** Variables that contain neither secrets nor commands. */
const harmlessVariable =
  /%(CD|DATE|TIME|OS|USERNAME|COMPUTERNAME|ERRORLEVEL|NUMBER_OF_PROCESSORS|PROCESSOR_ARCHITECTURE|NODE_ENV|CI)%/gi;
/** A quoted word that contains only plain text. */
const quotedPlainWord = /(?<=^|[\s=]|\/c:)"([\w .,:/\\*{}()+=-]*)"(?![^\s&|>])/g;

/** What `findstr` searches for, if it is the first quoted word of the line: only text. */
const searchedText = /^([^"^%!]*\bfindstr(?: \/[a-z]+){0,9} (?:\/c:)?)"[^"%!]+"(?![^\s&|>])/i;

/** One parsed command of a line. */
interface WindowsCall {
  readonly name: string;
  /** The command as written, for the card. */
  readonly part: string;
  /** The words after the name, including switches. */
  readonly words: readonly string[];
  /** `/s`, `/q`. */
  readonly switches: readonly string[];
  /** All other words. */
  readonly paths: readonly Value[];
  /** True if it reads the output of the previous command. */
  readonly piped: boolean;
  readonly scope: Scope;
}

/** Judges a call of one command. Returns false if the command is not known in this form. */
type CommandJudge = (call: WindowsCall) => boolean;

const isHarmless: CommandJudge = () => true;

const touchesPaths =
  (kind: 'reads' | 'lists' | 'writes'): CommandJudge =>
  ({ paths, scope }) => {
    for (const path of paths) touch(scope, kind, path);
    return true;
  };

const allSwitches = ({ switches }: WindowsCall, known: RegExp): boolean => switches.every((one) => known.test(one));

const changesFolder: CommandJudge = ({ part, switches, paths, scope }) => {
  if (switches.some((one) => !/^\/d$/i.test(one)))
    refuse(scope, part, 'Changes to a folder that is only known when it runs.');
  else if (paths.length > 0)
    judgeCd({ name: 'cd', words: paths, scope, flow: {}, whole: part, manual: { level: 'low' } });
  return true;
};

/** `where` searches the folders in PATH, unless a switch or a pattern names another one. */
const findsPrograms: CommandJudge = ({ switches, paths, scope }) => {
  const searched = switches.length > 0 ? paths : paths.filter(({ text }) => /[/:*?]/.test(text));
  for (const path of searched) touch(scope, 'searches', path);
  return true;
};

const sortsLines: CommandJudge = ({ words, paths, piped, scope }) => {
  if (piped && words.length === 0) return true;
  const [file] = paths;
  if (file === undefined || words.length !== 1) return false;
  touch(scope, 'reads', file);
  return true;
};

const printsTime: CommandJudge = ({ words: [word, ...more] }) =>
  word !== undefined && more.length === 0 && /^\/t$/i.test(word);

const searchesText: CommandJudge = (call) => {
  const { part, paths, piped, scope, switches } = call;
  const patterns = switches.some((one) => /^\/c:/i.test(one)) ? 0 : 1;
  const namesFiles = paths.length >= (piped ? patterns : patterns + 1);
  if (!namesFiles || !allSwitches(call, /^\/([sinmrlvbexpc]|c:\w+)$/i)) {
    refuse(scope, part, 'Searches a place that is not known.');
    return true;
  }
  for (const path of paths.slice(patterns)) {
    refuseOddName(scope, path.source);
    touch(scope, 'searches', path);
  }
  return true;
};

const makesFolders: CommandJudge = (call) => call.paths.length > 0 && touchesPaths('writes')(call);

const deletes: CommandJudge = (call) => {
  const { name, switches, paths, scope } = call;
  if (paths.length === 0 || !allSwitches(call, /^\/[qsf]$/i)) return false;
  const takesFolders = name.startsWith('r') || switches.some((one) => /^\/s$/i.test(one));
  for (const path of paths) {
    const isFile = /\.[\w-]+$/.test(path.text);
    drop(scope, path, { recursive: takesFolders || !isFile });
    dropWithoutCd(scope, path, { recursive: takesFolders }, call.part);
    refuseMoved(path, scope, call.part);
    if (takesFolders) touchBelow(scope, path, { verb: 'Deletes', culprit: call.part });
  }
  return true;
};

const copiesOrMoves: CommandJudge = (call) => {
  const { name, part, paths, scope } = call;
  const [from, to, ...more] = paths;
  if (!from || !to || more.length > 0 || !allSwitches(call, /^\/y$/i)) return false;
  // `copy a+b c` joins files.
  const sources = name === 'copy' ? from.source.split('+').filter(Boolean).map(valueOf) : [from];
  for (const source of sources) touch(scope, name === 'copy' ? 'reads' : 'writes', source);
  if (isDevice(to.source)) refuse(scope, part, 'Writes to a device.');
  touch(scope, 'writes', to);
  if (name !== 'copy') touchBelow(scope, from, { verb: 'Moves', culprit: part });
  return true;
};

/** Switches with which a program only chooses what it copies, and how it tells about it. */
const copyingSwitches: Readonly<Record<string, RegExp>> = {
  xcopy: /^\/(?:[eisyqhkrdcflvw]|-y)$/i,
  robocopy: /^\/(?:e|s|l|v|np|ns|nc|nfl|ndl|njh|njs|xo|xx|mt|mt:\d+|r:\d+|w:\d+)$/i,
};

const copiesFolders: CommandJudge = (call) => {
  const { name, part, paths, scope } = call;
  const [from, to, ...names] = paths;
  const areNames = names.length === 0 || (name === 'robocopy' && names.every(({ text }) => /^[\w.*?-]+$/.test(text)));
  if (!from || !to || !areNames || !allSwitches(call, copyingSwitches[name]!)) return false;
  touch(scope, 'reads', from);
  touchBelow(scope, from, { verb: 'Copies', culprit: part });
  touch(scope, 'writes', to);
  return true;
};

/** ★ Known commands of cmd.exe. */
const commands: ReadonlyMap<string, CommandJudge> = new Map(
  Object.entries({
    ...eachNamed('cd chdir', changesFolder),
    ...eachNamed('dir tree', touchesPaths('lists')),
    ...eachNamed('type more fc comp', touchesPaths('reads')),
    ...eachNamed('echo ver rem cls vol title pause timeout tasklist systeminfo', isHarmless),
    where: findsPrograms,
    ipconfig: ({ words }) => words.every((word) => /^\/all$/i.test(word)),
    sort: sortsLines,
    ...eachNamed('date time', printsTime),
    ...eachNamed('find findstr', searchesText),
    ...eachNamed('md mkdir', makesFolders),
    ...eachNamed('del erase rd rmdir', deletes),
    ...eachNamed('copy move ren rename', copiesOrMoves),
    ...eachNamed('xcopy robocopy', copiesFolders),
  }),
);

/** Judges a line of cmd.exe, which has no reliable grammar: only plain words, and never below medium. */
export function judgeCmd(text: string, scope: Scope): void {
  judgeLine(
    text
      .replace(harmlessVariable, 'x')
      .replace(searchedText, '$1x')
      .replace(quotedPlainWord, (_, inside: string) => inside.replaceAll(' ', '_')),
    text,
    scope,
  );
  note(scope, 'medium', text, 'Uses cmd.exe, whose commands are never rated below medium.');
}

/** Judges a Windows program called from PowerShell. Plain words only. */
export const judgeWindows = (part: string, scope: Scope): void => {
  note(scope, 'low', part);
  judgePart(part, scope, { piped: false });
};

function judgeLine(line: string, text: string, scope: Scope): void {
  if (/["^%()@]|\b(?:if|call|start)\b/i.test(text)) judgeCmdFloor(text, scope);
  const branches = plainLine.test(line) ? undefined : branchesOf(line);
  if (plainLine.test(line)) judgeParts(line, scope);
  else if (branches) for (const branch of branches) judgeParts(branch, { ...scope });
  else refuse(scope, text, 'Uses cmd.exe syntax that is not known to be safe.');
}

/** Variables that name what must not be deleted. */
const vitalVariables: readonly (readonly [RegExp, string])[] = [
  [/%HOMEDRIVE%%HOMEPATH%|%(?:USERPROFILE|HOMEPATH)%/gi, '~'],
  [/%COMSPEC%/gi, 'cmd'],
  [/%(?:LOCAL)?APPDATA%/gi, '~/AppData/Roaming'],
  [/%(?:SYSTEMDRIVE|HOMEDRIVE)%/gi, 'C:'],
  [/%(?:SYSTEMROOT|WINDIR)%/gi, 'C:/Windows'],
  [/%(?:PROGRAMFILES(?:\(X86\))?)%/gi, 'C:/Program_Files'],
];
/** Words before a command: `if exist a`, `for %i in (a) do`, `call`, `start "" /b`, `@`. */
const leadingWords = anyOf(
  [
    /@/,
    /(?:call|else|do)\s+/,
    /start\s+(?:\/\w+\s+)*/,
    /if\s+(?:\/i\s+)?(?:not\s+)?(?:(?:exist|defined|errorlevel)\s+[^\s()]+|[^\s()=]+\s*==\s*[^\s()=]+)\s+/,
  ],
  'i',
);
const leading = new RegExp(`^(?:${leadingWords.source})+`, 'i');

/** What a line of cmd.exe tells PowerShell to run. */
const forPowerShell = /\b(?:powershell|pwsh)(?:\.exe)?(\s[^\n]*)/i;

/** Code that a line of cmd.exe contains. */
const withCode = /^(?:python\d?|py|node|deno|ruby|perl|php)(?:\.exe)?\s[^\n]*/i;

/** A command for a Unix shell. */
const forUnix = /^(?:wsl|(?:ba|z)?sh)$/;

/** Finds only what a line of cmd.exe would destroy, also in a line that is not analysed. See floor.ts. */
export function judgeCmdFloor(line: string, scope: Scope): void {
  const code = withCode.exec(line)?.[0];
  const destroys =
    textBelowFloor(forPowerShell.exec(line)?.[1] ?? '') ??
    (code === undefined ? undefined : codeBelowFloor(code, textBelowFloor));
  if (destroys !== undefined) refuseFloor(scope, line, destroys);
  let plain = line
    .replace(quotedPlainWord, (_, inside: string) => (/ \//.test(inside) ? inside : inside.replaceAll(' ', '_')))
    .replace(/["'^]/g, '');
  for (const [variable, value] of vitalVariables) plain = plain.replace(variable, value);
  const loop = /\bin\s*\(([^()]*)\)\s*do\b/i.exec(plain);
  if (loop) plain = plain.replace(/%%?\w\b/g, loop[1]!.trim());
  onlyBelowFloor(scope, (inside) => {
    for (const part of plain.split(/[()]|&&|\|\||[&|]|\bdo\b/i)) {
      const command = part.trim().replace(leading, '');
      if (plainLine.test(command)) judgePart(command, inside, { piped: false });
    }
  });
}

/** `if exist a (…) else (…)`, `if errorlevel 1 (…)` */
const ifWithBranches = sequence(
  [
    /^if\s+(?:\/i\s+)?(?:not\s+)?/,
    anyOf([/exist\s+[\w.\\/*-]+/, /defined\s+\w+/, /errorlevel\s+\d+/, /[\w.-]+\s?==\s?[\w.-]+/]),
    /\s?\(([^()]*)\)(?:\s?else\s?\(([^()]*)\))?$/,
  ],
  'i',
);
/** `for %f in (*.txt) do type %f` */
const forEach = /^for\s+%%?(\w)\s+in\s?\(([\w.*?\\/ -]+)\)\s?do\s([^()]+)$/i;

/**
 * Returns the commands of a line with branches or a loop over words, with a word in the place of the variable. Returns
 * undefined for other lines.
 */
function branchesOf(line: string): string[] | undefined {
  const found = ifWithBranches.exec(line);
  if (found) return allPlain([found[1]!, found[2] ?? 'rem'].map((branch) => branch.trim()));
  const [, name, items = '', body] = forEach.exec(line) ?? [];
  if (name === undefined || body === undefined) return undefined;
  return allPlain(
    items
      .split(/\s+/)
      .filter(Boolean)
      .map((item) => body.replace(/%%?(\w)(?!\w)/g, (written, used) => (used === name ? item : written))),
  );
}

const allPlain = (lines: readonly string[]): string[] | undefined =>
  lines.every((line) => plainLine.test(line)) ? [...lines] : undefined;

function judgeParts(line: string, scope: Scope): void {
  const parts = line.split(/(&&|\|\||(?<!>)&|&(?!\d)|\|)/);
  for (let at = 0; at < parts.length; at += 2) {
    const piped = parts[at - 1] === '|';
    const changes = piped && parts[at - 3] !== '|' ? changesPrinted(parts[at - 2]!) : undefined;
    judgePart(parts[at]!.trim(), scope, { piped, changes });
  }
}

/** What a command prints, if it is Git with plain words and prints changes that it knows, as a patch. */
const changesPrinted = (part: string): Flow['changes'] =>
  /^ *git(?: [\w./:=~@-]+)+ *$/.test(part) ? changesPrintedByGit(part.trim().split(/ +/).slice(1)) : undefined;

/** What comes through a pipe. */
type Pipe = Pick<Flow, 'changes'> & { readonly piped: boolean };

function judgePart(part: string, scope: Scope, pipe: Pipe): void {
  const before = scope.effects.length;
  judgeWords(part, scope, pipe);
  const [name = '', ...words] = part.split(/\s+/).filter(Boolean);
  attribute(scope, before, { name, words: words.map(valueOf), whole: part });
}

function judgeWords(part: string, scope: Scope, pipe: Pipe): void {
  const { piped } = pipe;
  const called = /^call\s+(?=\w)(.*)$/i.exec(part)?.[1];
  if (called !== undefined) return judgePart(called, scope, pipe);
  const tested = /^if\s+(?:not\s+)?exist\s+([\w.\\/-]+)\s+([^()\s][^()]*)$/i.exec(part);
  if (tested) {
    touch(scope, 'lists', valueOf(tested[1]!));
    return judgePart(tested[2]!, scope, { piped: false });
  }
  const [first = '', ...rest] = withSpaces(part)
    .split(/[\s,;=]+/)
    .filter(Boolean);
  const argumentsText = /[<>]/.test(first)
    ? undefined
    : withoutRedirection(rest.join(' ').replace(/ 2>&1$/, ''), part, scope);
  if (argumentsText === undefined) return refuse(scope, part, 'Uses a redirection that is not known to be safe.');
  const name = first.toLowerCase().replace(/\.(exe|cmd)$/, '');
  const words = argumentsText.split(' ').filter(Boolean).flatMap(apart);
  const switches = words.filter(isSwitch);
  const paths = words.filter((word) => !isSwitch(word)).map(valueOf);
  reportStarted([first, ...words].map(valueOf), scope);
  const ownStream = runsFile.test(name) ? words.find((word) => /^[\w.\\/-]+\.\w+:\w/.test(word)) : undefined;
  if (ownStream !== undefined) refuse(scope, ownStream, 'Runs a hidden stream of a file.');
  if (isSameInEveryShell(name) && scope.analyser.programNamed(name))
    return void scope.analyser.judgeCall([literal(name), ...words.map(valueOf)], scope, pipe);
  const odd = isText.test(name) ? undefined : words.find((word) => !isSwitch(word) && isOddName(word));
  if (odd !== undefined) refuseOddName(scope, odd);
  const below = programBelowFloor(name, words.map(valueOf));
  if (below !== undefined) refuseFloor(scope, part, below);
  if (forUnix.test(name)) {
    const given = words.slice(words.findIndex((word) => !word.startsWith('-'))).join(' ');
    onlyBelowFloor(scope, (inside) => scope.analyser.judgeText(given, { ...inside, text: given }));
  }
  const starts = name === 'cmd' ? words.findIndex((word) => /^\/[ckr]$/i.test(word)) : -1;
  if (starts >= 0) judgePart(words.slice(starts + 1).join(' '), scope, { piped });
  const isJudged = commands.get(name)?.({ name, part, words, switches, paths, piped, scope }) ?? false;
  if (!isJudged) refuse(scope, part, `Runs the unknown command "${name.slice(0, 60)}".`);
}

/** Returns whether the text of a path does not tell which file Windows opens. */
const isOddName = (word: string): boolean => hasStream(word) || hasShortName(word);

/** Refuses a path if its text does not tell which file Windows opens. */
export function refuseOddName(scope: Scope, word: string): void {
  if (hasStream(word)) refuse(scope, word, 'Names a hidden stream of a file.');
  if (hasShortName(word)) refuse(scope, word, 'May name another file by its short name.');
}

/** `/s/q` are two switches. */
const apart = (word: string): string[] => (/^(?:\/[a-z]){2,}$/i.test(word) ? word.split(/(?=\/)/) : [word]);

/** cmd.exe needs no space between a command of its own and a switch: `rd/s C:\`. */
const withSpaces = (part: string): string => part.replace(/^(rd|rmdir|del|erase|cd|format|shutdown)(?=[\\/])/i, '$1 ');

const isSwitch = (word: string): boolean => /^\/[a-z?-]/i.test(word);

/**
 * Judges a redirection at the end and returns the words before it. Returns undefined if there is another redirection.
 */
function withoutRedirection(words: string, part: string, scope: Scope): string | undefined {
  const redirection = /[12]?>>? ?([^ <>]+)$/.exec(words);
  const plain = redirection ? words.slice(0, redirection.index) : words;
  if (/[<>]/.test(plain)) return undefined;
  const target = redirection?.[1];
  if (target === undefined) return plain;
  if (hasStream(target)) refuse(scope, part, 'Writes into a hidden stream of a file.');
  else refuseOddName(scope, target);
  if (isDevice(target)) refuse(scope, part, 'Writes to a device.');
  if (!isNothing(target)) touch(scope, 'writes', valueOf(target));
  return plain;
}

/** Commands whose words are text, not files. */
const isText = /^(echo|rem|title|where|find|findstr|date|time|set)$/;

/** Programs that run a file given to them. */
const runsFile = /^(?:node|deno|bun|tsx|ts-node|py|python[\d.]*|ruby|perl|php|java|lua|bash|sh)$/;

/** Names that mean a device in every folder, with any extension: printers and serial ports. */
const isDevice = (word: string): boolean => /(?:^|[\\/])(?:prn|aux|com\d|lpt\d)(?:\.[^\\/]*)?:?$/i.test(word);

const isNothing = (word: string): boolean => /^nul:?$/i.test(word);

function valueOf(word: string): Value {
  const text = word.replaceAll('\\', '/');
  return /[*?]/.test(text) ? glob(text, word) : literal(text, word);
}

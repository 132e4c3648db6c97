import type { Command, Function as FunctionNode, Redirection, Script, Statement } from 'unbash';
import { folderAfterCd } from '../../syntax/place';
import { plainArguments, wordText } from './plainWords';

type Node = Statement['command'];

/** A home folder, where a path is needed instead of `~`. */
export const anyHome = '/home/user';

export const withoutTilde = (text: string): string => text.replace(/^~(?=\/|$)/, anyHome);

/** Returns what a script prints, if its text alone determines that. `input`: what it reads. */
export function printedBy(
  { commands }: Pick<Script, 'commands'>,
  input?: string,
  functions: Functions = new Map(),
): string | undefined {
  let folder: string | undefined;
  let printed = '';
  for (const node of commands.flatMap(({ command }) => (command.type === 'AndOr' ? command.commands : [command]))) {
    const text: string | undefined = printedByNode(node, { input, folder, functions });
    if (text === undefined) return undefined;
    printed += text;
    folder = folderOf(node) ?? folder;
  }
  return printed;
}

/** Functions that the line defines. */
type Functions = ReadonlyMap<string, FunctionNode>;

interface Around {
  readonly input: string | undefined;
  readonly functions: Functions;
  readonly folder?: string | undefined;
}

function printedByNode(node: Node, around: Around): string | undefined {
  switch (node.type) {
    case 'Command':
      return printedByCommand(node, around);
    case 'Pipeline':
      return node.commands.reduce<string | undefined>(
        (input, stage, at) => (at > 0 && input === undefined ? undefined : printedByNode(stage, { ...around, input })),
        around.input,
      );
    case 'BraceGroup':
    case 'Subshell':
      return printedBy(node.body, around.input, around.functions);
    default:
      return undefined;
  }
}

/** Returns the folder that a `cd` names. */
function folderOf(node: Node): string | undefined {
  if (node.type !== 'Command' || node.name?.text !== 'cd') return undefined;
  return plainArguments(node.args)?.at(-1) ?? '~';
}

function printedByCommand(command: Command, around: Around): string | undefined {
  const writesFile = command.redirects.some(
    (redirect) => redirect.type === 'Redirect' && redirect.operator.includes('>') && !redirect.descriptor,
  );
  return writesFile ? undefined : textOf(command, around);
}

function textOf(command: Command, around: Around): string | undefined {
  const name = wordText(command.name);
  const words = plainArguments(command.args);
  if (name === undefined || !words) return undefined;
  const body = around.functions.get(name)?.body;
  // A function may call itself.
  if (body && body.type !== 'CompoundList') return printedByNode(body, { ...around, functions: new Map() });
  return textPrintedBy(name.replace(/^.*\//, ''), words, {
    ...around,
    input: inputOf(command.redirects) ?? around.input,
  });
}

/** Returns what stands for a substitution that prints a text: line breaks at the end are dropped. */
export function withoutLastBreaks(text: string): string {
  let end = text.length;
  while (text[end - 1] === '\n') end--;
  return text.slice(0, end);
}

/** Returns the file that a command writes, and its text. */
export function fileWritten(command: Command, input: string | undefined): { file: string; text: string } | undefined {
  const given = inputOf(command.redirects) ?? input;
  const isTee = command.name?.text === 'tee';
  const target = command.redirects.find(({ operator }) => operator === '>');
  const word = isTee
    ? command.args.find(({ text }) => !text.startsWith('-'))
    : target?.type === 'Redirect' && target.target;
  const file = word && word.type === 'Word' ? wordText(word) : undefined;
  const text = isTee ? given : textOf(command, { input: given, functions: new Map() });
  return file === undefined || text === undefined ? undefined : { file, text };
}

/** Returns the text that redirections give a command as input, as far as the line contains it. */
export function inputOf(redirects: readonly Redirection[]): string | undefined {
  const last = redirects.filter(({ operator }) => operator.startsWith('<')).at(-1);
  if (last?.type === 'HereDoc')
    return last.delimiter?.quoted || !last.body.parts?.some(({ type }) => type !== 'Literal')
      ? last.body.text
      : undefined;
  if (last?.type === 'HereString') {
    const text = wordText(last.target);
    return text === undefined ? undefined : `${text}\n`;
  }
  const substitution = last?.target?.parts?.[0];
  return substitution?.type === 'ProcessSubstitution' && substitution.script
    ? printedBy(substitution.script)
    : undefined;
}

const withoutLastSlash = (path: string): string => (path.endsWith('/') && path !== '/' ? path.slice(0, -1) : path);

/** Returns the folder that contains a path, as `dirname` does. */
export function folderAbove(path: string): string {
  const plain = withoutLastSlash(withoutTilde(path));
  const slash = plain.lastIndexOf('/');
  return slash < 0 ? '.' : plain.slice(0, slash) || '/';
}

const pathPrinters: Readonly<Record<string, (path: string) => string>> = {
  dirname: folderAbove,
  basename: (path) => withoutLastSlash(withoutTilde(path)).replace(/^.*\/(?=.)/, ''),
  realpath: (path) => folderAfterCd('', path),
  readlink: (path) => folderAfterCd('', path),
};

/** Returns what a program prints; undefined if that is not known. */
type PrinterOf = (
  words: readonly string[],
  operands: readonly string[],
  input: string | undefined,
) => string | undefined;

/** Prints some of the lines that it reads. */
const ofLines: PrinterOf = (_words, operands, input) =>
  operands.every((each) => /^\d+$/.test(each)) ? input : undefined;

const printers: Readonly<Record<string, PrinterOf>> = {
  // What it prints of a disk is what it got. The names in a vital folder matter as the folder does.
  ls: (_words, operands) =>
    operands.length > 0 && operands.every((each) => /^(?:\/dev\/.*|[/~])$/.test(each))
      ? operands.map((each) => `${each}\n`).join('')
      : undefined,
  find: (words, [folder = '']) =>
    /^[/~]$/.test(folder) && !words.some((word) => selects.test(word)) ? `${folder}\n` : undefined,
  getent: (_words, [database]) => (database === 'passwd' ? `user:x:1000:1000::${anyHome}:/bin/sh\n` : undefined),
  printenv: (words) => (words.join(' ') === 'HOME' ? `${anyHome}\n` : undefined),
  cut: (words, _operands, input) => (input === undefined ? undefined : cutOut(words.join(' '), input)),
  tr: (_words, operands, input) => (input === undefined ? undefined : translated(operands, input)),
  head: ofLines,
  tail: ofLines,
  sort: ofLines,
  uniq: ofLines,
  tac: ofLines,
  xxd: (words, _operands, input) =>
    input !== undefined && /^-(?:r -p|p -r|rp|pr)$/.test(words.join(' ')) ? fromHex(input) : undefined,
};

function textPrintedBy(name: string, words: readonly string[], { input, folder }: Around): string | undefined {
  const operands = words.filter((word) => !/^-./.test(word));
  const [operand] = operands;
  const ofPath = Object.hasOwn(pathPrinters, name) ? pathPrinters[name] : undefined;
  if (ofPath && operand !== undefined && operands.length === 1) return `${ofPath(operand)}\n`;
  const printer = Object.hasOwn(printers, name) ? printers[name] : undefined;
  if (printer) return printer(words, operands, input);
  switch (name) {
    case 'echo':
      return echoed(words);
    case 'printf':
      return words[0] === '--' ? formatted(words.slice(1)) : formatted(words);
    case 'cat':
      return words.every((word) => word === '-') ? input : undefined;
    case 'pwd':
      return folder === undefined ? undefined : `${folder}\n`;
    case 'whoami':
    case 'logname':
      return 'user\n';
    case 'id':
      return words.join(' ') === '-un' ? 'user\n' : undefined;
    case 'cd':
    case 'true':
    case ':':
      return '';
    case 'rev':
      return input?.replace(/[^\n]+/g, (line) => [...line].reverse().join(''));
    case 'base64':
      return input !== undefined && words.some((word) => /^(?:-d|-D|--decode)$/.test(word))
        ? decoded(input)
        : undefined;
    default:
      return undefined;
  }
}

/** Options of `find` that select few of what is there. */
const selects = /^-(?:i?name|i?path|i?regex|newer|[amc](?:time|min)|user|size)$/;

/** `cut -d: -f6` */
function cutOut(options: string, input: string): string | undefined {
  const separator = /-d ?(\S)/.exec(options)?.[1];
  const field = /-f ?(\d{1,2})(?!\S)/.exec(options)?.[1];
  if (separator === undefined || field === undefined) return undefined;
  return input.replace(/[^\n]+/g, (line) => line.split(separator)[Number(field) - 1] ?? '');
}

/** `tr a-z n-za-m` */
function translated([from, to]: readonly string[], input: string): string | undefined {
  if (from === undefined || to === undefined) return undefined;
  const [before, after] = [signsIn(from), signsIn(to)];
  const changed = (sign: string): string => after[before.indexOf(sign)] ?? after.at(-1) ?? sign;
  return [...input].map((sign) => (before.includes(sign) ? changed(sign) : sign)).join('');
}

/** Returns the signs of a set of `tr`. A range that runs backwards is one, too, for some programs. */
function signsIn(set: string): string[] {
  return [...unescaped(set).matchAll(/(.)-(.)|([^])/g)].flatMap(([, first, last, single]) => {
    if (single !== undefined) return [single];
    const [start, end] = [first!.charCodeAt(0), last!.charCodeAt(0)];
    const step = start <= end ? 1 : -1;
    const length = Math.min(Math.abs(end - start), 200) + 1;
    return Array.from({ length }, (_, at) => String.fromCharCode(start + at * step));
  });
}

const fromHex = (input: string): string =>
  (input.match(/[\da-fA-F]{2}/g) ?? []).map((pair) => String.fromCharCode(parseInt(pair, 16))).join('');

function decoded(input: string): string | undefined {
  try {
    return atob(input.trim());
  } catch {
    return undefined;
  }
}

function echoed(words: readonly string[]): string {
  const isOption = (word: string): boolean => /^-[neE]+$/.test(word);
  const first = words.findIndex((word) => !isOption(word));
  const text = first < 0 ? '' : words.slice(first).join(' ');
  return `${unescaped(text)}\n`;
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '\\': '\\' };

/** Replaces the escapes of `echo -e` and `printf`. */
const unescaped = (text: string): string =>
  text.replace(
    /\\(?:x([0-9a-fA-F]{1,2})|0?([0-7]{1,3})|([ntr\\]))/g,
    (_, hex?: string, octal?: string, sign?: string) =>
      sign === undefined
        ? String.fromCharCode(hex === undefined ? parseInt(octal!, 8) : parseInt(hex, 16))
        : escapes[sign]!,
  );

/** Returns what `printf FORMAT WORDS` prints. The format is used again until no word is left. */
export function formatted([format, ...words]: readonly string[]): string | undefined {
  if (format === undefined) return undefined;
  const left = [...words];
  let printed = '';
  do {
    const before = left.length;
    printed += unescaped(format).replace(/%(?:%|[-+ #0-9.']{0,9}([a-zA-Z]))/g, (_, kind?: string) => {
      if (kind === undefined) return '%';
      const word = left.shift() ?? '';
      return kind === 'b' ? unescaped(word) : word;
    });
    if (left.length === before) break;
  } while (left.length > 0);
  return printed;
}

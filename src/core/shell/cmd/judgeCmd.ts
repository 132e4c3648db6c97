import { attribute, drop, note, refuse, tellOf, touch, type Scope } from '../effects/scope';
import { judgeCd } from '../programs/shell/builtins';
import { glob, literal, type Value } from '../syntax/value';
import { sameEverywhere } from '../calls/sameEverywhere';

/**
 * Percent, caret, exclamation mark, brackets, quotation marks and line ends change what is read: such lines are not
 * taken apart.
 */
const plainLine = /^[\w .,:;*?~+=@#/\\&|<>-]*$/;
/** Variables that hold neither secrets nor commands. */
const harmlessVariable =
  /%(CD|DATE|TIME|OS|USERNAME|COMPUTERNAME|ERRORLEVEL|NUMBER_OF_PROCESSORS|PROCESSOR_ARCHITECTURE|NODE_ENV|CI)%/gi;
/** A word in quotation marks that holds nothing but plain text. */
const quoted = /(?<![^\s=])"([\w .,:/\\*{}()+=-]*)"(?![^\s&|>])/g;
const looks: Readonly<Record<string, 'reads' | 'lists' | undefined>> = {
  dir: 'lists',
  type: 'reads',
  more: 'reads',
  tree: 'lists',
  where: undefined,
  echo: undefined,
  ver: undefined,
  rem: undefined,
  cls: undefined,
  vol: undefined,
  title: undefined,
  pause: undefined,
  timeout: undefined,
  tasklist: undefined,
  systeminfo: undefined,
  fc: 'reads',
  comp: 'reads',
};

/** Judges a line of cmd.exe, which has no grammar to rely on: only plain words, and never below medium. */
export function judgeCmd(text: string, scope: Scope): void {
  judgeLine(
    text.replace(harmlessVariable, 'x').replace(quoted, (_, inside: string) => inside.replaceAll(' ', '_')),
    text,
    scope,
  );
  note(scope, 'medium', text, 'Commands of cmd.exe are never rated below medium.');
}

/** One program of Windows, for its other shell: plain words only. */
export const judgeWindows = (part: string, scope: Scope): void => {
  note(scope, 'low', part);
  judgePart(part, scope, false);
};

function judgeLine(line: string, text: string, scope: Scope): void {
  if (!plainLine.test(line)) return refuse(scope, text, 'This cmd.exe syntax is not judged as safe.');
  const parts = line.split(/(&&|\|\||&|\|)/);
  parts.forEach((part, at) => at % 2 === 0 && judgePart(part.trim(), scope, parts[at - 1] === '|'));
}

function judgePart(part: string, scope: Scope, piped: boolean): void {
  const before = scope.effects.length;
  judgeWords(part, scope, piped);
  const [name = '', ...words] = part.split(/\s+/).filter(Boolean);
  attribute(scope, before, { name, words: words.map(valueOf), whole: part });
}

function judgeWords(part: string, scope: Scope, piped: boolean): void {
  const tested = /^if\s+(?:not\s+)?exist\s+([\w.\\/-]+)\s+([^()\s][^()]*)$/i.exec(part);
  if (tested) {
    touch(scope, 'lists', valueOf(tested[1]!));
    return judgePart(tested[2]!, scope, false);
  }
  const [first = '', ...rest] = part.split(/[\s,;=]+/).filter(Boolean);
  const name = first.toLowerCase().replace(/\.(exe|cmd)$/, '');
  const given = rest.join(' ').replace(/ 2>&1$/, '');
  const redirection = /[12]?>>? ?([^ <>]+)$/.exec(given);
  const target = redirection?.[1];
  const plain = redirection ? given.slice(0, redirection.index) : given;
  if (/[<>]/.test(plain) || /[<>]/.test(first)) return refuse(scope, part, 'This redirection is not judged as safe.');
  if (target !== undefined && hasStream(target)) refuse(scope, part, 'It writes into a hidden stream of a file.');
  if (target !== undefined && isDevice(target)) refuse(scope, part, 'It writes to a device.');
  if (target !== undefined && !isNothing(target)) touch(scope, 'writes', valueOf(target));
  const words = plain.split(' ').filter(Boolean);
  const switches = words.filter((word) => /^\/[a-z?-]/i.test(word));
  const paths = words.filter((word) => !/^\/[a-z?-]/i.test(word)).map(valueOf);
  tellOf([first, ...words].map(valueOf), scope);
  const ownStream = runsFile.test(name) ? words.find((word) => /^[\w.\\/-]+\.\w+:\w/.test(word)) : undefined;
  if (ownStream !== undefined) refuse(scope, ownStream, 'It runs a hidden stream of a file.');
  if (sameEverywhere(name) && scope.analyser.programNamed(name))
    return void scope.analyser.judgeCall([literal(name), ...words.map((word) => valueOf(word))], scope, {});
  const stream = isText.test(name) ? undefined : words.find((word) => !/^\/[a-z?-]/i.test(word) && hasStream(word));
  if (stream !== undefined) refuse(scope, stream, 'It names a hidden stream of a file.');
  if (name === 'cd' || name === 'chdir')
    return void (switches.length > 0
      ? refuse(scope, part, 'Where it goes is only known when it runs.')
      : paths.length > 0 &&
        judgeCd({ name: 'cd', words: paths, scope, flow: {}, whole: part, manual: { level: 'low' } }));
  if (Object.hasOwn(looks, name)) {
    const kind = looks[name];
    if (kind) for (const value of paths) touch(scope, kind, value);
    if (name === 'where')
      for (const value of switches.length > 0 ? paths : paths.filter(({ text }) => /[/:*?]/.test(text)))
        touch(scope, 'searches', value);
    return;
  }
  if (name === 'ipconfig' && words.every((word) => /^\/all$/i.test(word))) return;
  if (piped && /^(sort|more)$/.test(name) && words.length === 0) return;
  if (name === 'sort' && words.length === 1 && paths.length === 1) return touch(scope, 'reads', paths[0]!);
  if (/^(date|time)$/.test(name) && words.length === 1 && /^\/t$/i.test(words[0]!)) return;
  if (name === 'findstr' || name === 'find') {
    if (paths.length < (piped ? 1 : 2) || switches.some((one) => !/^\/([sinmrlvbexpc]|c:\w+)$/i.test(one)))
      return refuse(scope, part, 'What it searches is not known.');
    for (const value of paths.slice(1)) {
      if (hasStream(value.source)) refuse(scope, value.source, 'It names a hidden stream of a file.');
      touch(scope, 'searches', value);
    }
    return;
  }
  if (/^(md|mkdir)$/.test(name) && paths.length > 0) {
    for (const value of paths) touch(scope, 'writes', value);
    return;
  }
  if (/^(del|erase|rd|rmdir)$/.test(name) && paths.length > 0 && switches.every((one) => /^\/[qsf]$/i.test(one))) {
    for (const value of paths)
      drop(
        scope,
        value,
        name.startsWith('r') || !/\.[\w-]+$/.test(value.text) || switches.some((one) => /^\/s$/i.test(one)),
      );
    return;
  }
  if (/^(copy|move|ren|rename)$/.test(name) && paths.length === 2 && switches.every((one) => /^\/y$/i.test(one))) {
    if (name === 'copy') touch(scope, 'reads', paths[0]!);
    else touch(scope, 'writes', paths[0]!);
    if (isDevice(paths[1]!.source)) refuse(scope, part, 'It writes to a device.');
    return touch(scope, 'writes', paths[1]!);
  }
  refuse(scope, part, `What "${name.slice(0, 60)}" does is not known.`);
}

/** Commands whose words are text and no files. */
const isText = /^(echo|rem|title|where|find|findstr|date|time|set)$/;

/** `a.txt:b` is a part of a file that no listing shows; also behind the name of a device. A letter alone is a drive. */
const hasStream = (word: string): boolean => /^[^:]+:./.test(word.replace(/^[a-z]:(?=[\\/])/i, ''));

/** Programs that run the file that they are given. */
const runsFile = /^(?:node|deno|bun|tsx|ts-node|py|python[\d.]*|ruby|perl|php|java|lua|bash|sh)$/;

/** Names that mean a device in every folder, with any ending: printers and serial lines. */
const isDevice = (word: string): boolean => /(?:^|[\\/])(?:prn|aux|com\d|lpt\d)(?:\.[^\\/]*)?:?$/i.test(word);

const isNothing = (word: string): boolean => /^nul:?$/i.test(word);

function valueOf(word: string): Value {
  const text = word.replaceAll('\\', '/');
  return /[*?]/.test(text) ? glob(text, word) : literal(text, word);
}

import { anyOf, sequence } from '../../text/alternatives';
import { isGuarded } from '../../risk/pathRules';
import { resolvePlace } from '../syntax/place';
import { refuse, type Scope, touch } from '../effects/scope';
import type { Value } from '../syntax/value';

const namesOutput = sequence(
  [
    /^--?([\w.-]*[-_.])?/,
    anyOf([
      'out output outfile outputfile report reports reporter logfile log-file logger junit junitxml',
      'junit-xml xml result results dump print dest destination save',
    ]),
    /([-_.](file|path|dir|directory|format|html|xml|json|to|type)){0,5}$/,
  ],
  'i',
);
const path = /^(?:[\w-]+[:=])?((?:[~.]{0,2}\/)?[\w.@+~-]+(?:\/[\w.@+~*-]*)*)$/;

/**
 * Returns the files named by the value of an output option, such as `--report=html:build/x.html` or
 * `--out-format=json:x.json`.
 */
export function filesWrittenBy(option: string, value: Value): Value[] {
  if (!namesOutput.test(option.replace(/([a-z])([A-Z])/g, '$1-$2'))) return [];
  if (value.kind === 'unknown') return [value];
  // The code of a reporter: a file or a package.
  if (/reporters?$/i.test(option) && /^(?:[\w@./-]+\.[mc]?[jt]sx?|@[\w-]+\/[\w-]+)$/.test(value.text)) return [];
  return value.text.split(/[,;]/).flatMap((part) => {
    const file = path.exec(part)?.[1];
    return file !== undefined &&
      (file.includes('/') || /[\w-]\.[a-z]\w{0,7}$/i.test(file) || (part !== file && /:/.test(part)) || isGuarded(file))
      ? [{ ...value, text: file }]
      : [];
  });
}

const listening = /^(--[\w.-]*host(name)?|--(bind|listen|address|ip|iface)(-address)?|-H)$/;
const everywhere = /^(https?:\/\/)?(0\.0\.0\.0|\[?::\]?|\*)(:\d+)?\/?$/;
const onlyHere = /^(127\.\d+\.\d+\.\d+|localhost|\[?::1\]?)?(:\d+)?$/;

/**
 * Judges the arguments of a program of the project, or of one that builds, tests or serves it. Such a program may write
 * what an output option names and any file that it is pointed at. A server that listens on every address can be reached
 * by other machines.
 */
export function judgeForwardedArguments(words: readonly Value[], line: Scope): void {
  // Nothing is written before the program starts.
  const scope: Scope = { ...line, written: new Map() };
  words.forEach((word, at) => {
    const equals = word.text.indexOf('=');
    const name = equals < 0 ? word.text : word.text.slice(0, equals);
    const isOption = /^-/.test(name);
    const value = equals >= 0 ? { ...word, text: word.text.slice(equals + 1) } : words[at + 1];
    const own = value && !/^-/.test(value.text) ? value : undefined;
    if (isOption && own?.kind === 'literal')
      for (const file of filesWrittenBy(name, own)) touch(scope, 'writes', file, word.source);
    if (
      isOption &&
      listening.test(name) &&
      (own === undefined
        ? equals < 0 && /^--host$/.test(name)
        : own.kind === 'literal' && !onlyHere.test(own.text) && /^[\d.:[\]*]+$/.test(own.text))
    )
      refuse(scope, word.source, 'Lets other machines reach what it serves.');
    if (everywhere.test(word.text) && word.kind === 'literal' && word.text !== '*')
      refuse(scope, word.source, 'Lets other machines reach what it serves.');
    if (word.kind === 'literal')
      for (const part of word.text.replace(/^--?[\w-]+=/, '').split(/[:,;]/))
        if (
          /[./]/.test(part) &&
          !/^-/.test(part) &&
          isGuarded(resolvePlace({ ...word, text: part }, scope.cwd, scope.context).path)
        )
          touch(scope, 'writes', { ...word, text: part }, word.source);
  });
}

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
    if (/^-/.test(word.text)) judgeOption(word, words[at + 1], scope);
    if (everywhere.test(word.text) && word.kind === 'literal' && word.text !== '*')
      refuse(scope, word.source, reachable);
    if (word.kind === 'literal')
      for (const file of guardedFiles(word, scope)) touch(scope, 'writes', file, word.source);
  });
}

const reachable = 'Lets other machines reach what it serves.';

/** Judges an option, whose value may be in the next word. */
function judgeOption(word: Value, next: Value | undefined, scope: Scope): void {
  const [, name = word.text, inWord] = /^([^=]*)=(.*)$/s.exec(word.text) ?? [];
  const value = inWord === undefined ? next : { ...word, text: inWord };
  const own = value && !/^-/.test(value.text) ? value : undefined;
  if (own?.kind === 'literal') for (const file of filesWrittenBy(name, own)) touch(scope, 'writes', file, word.source);
  if (!listening.test(name)) return;
  const listensEverywhere =
    own === undefined
      ? // `--host` of Vite
        inWord === undefined && name === '--host'
      : own.kind === 'literal' && !onlyHere.test(own.text) && /^[\d.:[\]*]+$/.test(own.text);
  if (listensEverywhere) refuse(scope, word.source, reachable);
}

/** Returns the guarded files that a word or its parts name. */
function guardedFiles(word: Value, { cwd, context }: Scope): Value[] {
  return word.text
    .replace(/^--?[\w-]+=/, '')
    .split(/[:,;]/)
    .filter((part) => /[./]/.test(part) && !/^-/.test(part))
    .map((part) => ({ ...word, text: part }))
    .filter((file) => isGuarded(resolvePlace(file, cwd, context).path));
}

import { environmentProblem, settable } from '../../syntax/environmentNames';
import { note, refuse, type Scope } from '../../effects/scope';
import { literal, unknown, type Value } from '../../syntax/value';
import type { Judge } from '../../calls/manual';

/*
 * Built-in commands that change nothing but the shell they run in. They go unasked where what they change cannot make a later command
 * run something else. What is not understood is left to the table, which asks.
 */

const changesOptions = 'It changes how the shell behaves.';
const setsVariable = 'It sets a variable of the shell.';

const allLiteral = (words: readonly Value[]): boolean => words.every(({ kind }) => kind === 'literal');

/** Without words, or with one of these options alone, such a command only tells how things are. */
function onlyTells(words: readonly Value[], scope: Scope, whole: string): boolean {
  const tells = words.every(({ text }) => /^-[plS]$/.test(text));
  if (tells) note(scope, 'low', whole);
  return tells;
}

/** Options that choose what patterns find, and how pipelines fail. `expand_aliases`, which makes names mean other commands, is none. */
const harmlessOptions =
  /^(?:globstar|nullglob|failglob|dotglob|extglob|nocaseglob|nocasematch|globasciiranges|inherit_errexit|lastpipe|pipefail|checkwinsize|histappend)$/;

/** `shopt -s globstar`. */
export const judgeShopt: Judge = ({ words, scope, whole }) => {
  if (onlyTells(words, scope, whole)) return 'done';
  const [flag, ...names] = words.map(({ text }) => text);
  const isChange =
    /^-[suq]+$/.test(flag ?? '') && names.length > 0 && names.every((name) => harmlessOptions.test(name));
  if (!allLiteral(words) || !isChange) return undefined;
  note(scope, 'medium', whole, changesOptions);
  return 'done';
};

/** `umask 022`: rights of new files, as long as others may not write to them. */
export const judgeUmask: Judge = ({ words, scope, whole }) => {
  if (onlyTells(words, scope, whole)) return 'done';
  const [mask, ...more] = words;
  if (mask === undefined || more.length > 0 || mask.kind !== 'literal') return undefined;
  const othersCannotWrite = /^0{0,2}[0-7]?[0-7][2367]$/.test(mask.text) || /^u=rwx,g=r?w?x?,o=r?x?$/.test(mask.text);
  if (!othersCannotWrite) return undefined;
  note(scope, 'medium', whole, changesOptions);
  return 'done';
};

/** `ulimit -n 4096`: limits of this shell, and of what it starts. */
export const judgeUlimit: Judge = ({ words, scope, whole }) => {
  // Pictures of the memory of programs hold what is secret in it.
  const dumpsMemory = words.some(({ text }) => /^-[A-Za-z]*c/.test(text)) && !words.some(({ text }) => text === '0');
  const isLimit =
    !dumpsMemory &&
    words.every(({ kind, text }) => kind === 'literal' && /^-[A-Za-z]+$|^\d+$|^(?:unlimited|soft|hard)$/.test(text));
  if (!isLimit) return undefined;
  const sets = words.some(({ text }) => !text.startsWith('-'));
  note(scope, sets ? 'medium' : 'low', whole, sets ? changesOptions : undefined);
  return 'done';
};

/** Signals, and the end of the shell. `DEBUG` and `RETURN` would run something around every later command. */
const signals = /^(?:SIG)?(?:EXIT|INT|TERM|HUP|QUIT|ERR|PIPE|USR1|USR2|WINCH|ALRM)$|^(?:0|1|2|3|13|15)$/;

/** `trap 'echo stopped' INT`: what it runs later is judged now, without what variables hold at this moment. */
export const judgeTrap: Judge = ({ words, scope, whole }) => {
  if (onlyTells(words, scope, whole)) return 'done';
  const [action, ...names] = words;
  if (action === undefined || !allLiteral(words)) return undefined;
  if (names.length === 0 || !names.every(({ text }) => signals.test(text))) return undefined;
  const onlyResets = action.text === '-' || action.text === '';
  if (!onlyResets) scope.analyser.judgeText(action.text, { ...scope, variables: new Map() });
  note(scope, 'medium', whole, 'It says what the shell does when it ends or is interrupted.');
  return 'done';
};

/** `alias ll='ls -la'`: a new name, or one that stands for the same program with options. */
export const judgeAlias: Judge = ({ words, scope, whole }) => {
  if (onlyTells(words, scope, whole)) return 'done';
  const given = words.map(({ kind, text }) => (kind === 'literal' ? /^([A-Za-z_][\w-]*)=(.+)$/s.exec(text) : null));
  if (given.length === 0 || given.some((one) => one === null)) return undefined;
  const pairs = given.map((one) => ({ name: one![1]!, command: one![2]! }));
  const isHarmless = pairs.every(
    ({ name, command }) => scope.analyser.programNamed(name) === undefined || command.split(/\s/)[0] === name,
  );
  if (!isHarmless) return undefined;
  const isBareName = (command: string): boolean => scope.analyser.programNamed(command) !== undefined;
  for (const { command } of pairs.filter((one) => !isBareName(one.command)))
    scope.analyser.judgeText(command, { ...scope, variables: new Map() });
  note(scope, 'medium', whole, 'It gives a command another name.');
  return 'done';
};

/** Lists, numbers stay out: `-i` makes text arithmetic, `-n` makes a name stand for another one, `-p` shows every variable. */
const declaring = /^-[aAgrlu]+$/;

/** `declare -A seen`, `local name=value`, `readonly size=3`. */
export const judgeDeclared: Judge = ({ words, scope, whole }) => {
  const options = words.filter(({ text }) => /^-/.test(text));
  const given = words.filter((word) => !options.includes(word));
  if (given.length === 0 || !options.every(({ kind, text }) => kind === 'literal' && declaring.test(text)))
    return undefined;
  const names = given.map(({ text }) => /^(\w+)(?:=|$)/.exec(text)?.[1]);
  if (!names.every((name) => name !== undefined && settable(name))) return undefined;
  given.forEach((value, at) => scope.variables.set(names[at]!, valueGiven(value)));
  note(scope, 'medium', whole, setsVariable);
  return 'done';
};

function valueGiven(value: Value): Value {
  const equals = value.text.indexOf('=');
  const isKnown = value.kind === 'literal' && equals >= 0;
  return isKnown ? literal(value.text.slice(equals + 1), value.source) : unknown('', value.source);
}

const readsList = /^-(?:t|[dnOs].?|[dnOs]\d*)$/;

/** `mapfile -t names < file`. A function that it calls for each line (`-C`) is left to the table. */
export const judgeMapfile: Judge = ({ words, scope, whole }) => {
  const name = words.at(-1);
  const options = words.slice(0, -1);
  const areKnown = options.every(
    ({ kind, text }, at) => kind === 'literal' && (readsList.test(text) || isNumberFor(options[at - 1])),
  );
  if (name?.kind !== 'literal' || !settable(name.text) || !areKnown) return undefined;
  scope.variables.set(name.text, unknown('', name.text));
  note(scope, 'medium', whole, setsVariable);
  return 'done';
};

const isNumberFor = (option: Value | undefined): boolean => option !== undefined && /^-[dnOs]$/.test(option.text);

/** Variables that may stand before a command may be exported, too. */
export const judgeExported: Judge = ({ words, scope, whole }) => {
  const given = words.filter(({ text }) => text !== '--');
  const isHarmless = given.length > 0 && given.every((value) => mayBeExported(value, scope));
  if (!isHarmless) return undefined;
  note(scope, 'medium', whole, setsVariable);
  return 'done';
};

/** `export NAME=value`, and `export name` of a variable that this line set. */
function mayBeExported(value: Value, scope: Scope): boolean {
  const [, name, text] = /^(\w+)(?:=(.*))?$/s.exec(value.text) ?? [];
  if (name === undefined) return false;
  const exportedValue = text === undefined ? scope.variables.get(name) : { ...value, text };
  if (exportedValue === undefined) return false;
  return settable(name) || environmentProblem(name, exportedValue, scope.context.confined) === undefined;
}

/** `unset DEBUG`, `unset -f name`. */
export const judgeUnset: Judge = ({ words, scope, whole }) => {
  const names = words.filter(({ text }) => !/^-[vf]$/.test(text));
  return dropOrSet(names, scope, whole);
};

/** `read -r -p 'Name: ' name`. */
export const judgeRead: Judge = ({ words, scope, whole }) => {
  const names = words.filter(
    ({ text }, at) => !/^-[rsEaA]+$|^-[tnNdp]/.test(text) && !/^-[tnNdp]$/.test(words[at - 1]?.text ?? ''),
  );
  return dropOrSet(names, scope, whole);
};

/** Names of which a program makes nothing when they are gone. What protects a shell, such as its history, is none. */
const mayGo = (name: string): boolean => settable(name) || environmentProblem(name, literal('')) === undefined;

function dropOrSet(names: readonly Value[], scope: Scope, whole: string): 'done' {
  const areOwn = names.length > 0 && names.every(({ kind, text }) => kind === 'literal' && mayGo(text));
  if (!areOwn) {
    refuse(scope, whole, 'It changes what later commands see.');
    return 'done';
  }
  for (const { text } of names) scope.variables.set(text, unknown('', text));
  note(scope, 'medium', whole, 'It sets or drops a variable of the shell.');
  return 'done';
}

/** `kill %1`, `kill $!`: what this shell itself started. `-0` and `-l` end nothing. */
export const judgeOwnJobs: Judge = ({ words, scope, whole }) => {
  const isSignal = ({ text }: Value): boolean => /^-(?:SIG)?(?:[A-Z]+\d?|\d+)$|^-s$/.test(text);
  const options = words.filter(
    ({ text }, at) => isSignal(words[at]!) || (at > 0 && words[at - 1]!.text === '-s' && /^[A-Z]+$/.test(text)),
  );
  const targets = words.filter((word) => !options.includes(word));
  const endsNothing = words[0]?.text === '-l' || (options.length === 1 && options[0]!.text === '-0');
  if (endsNothing && words.every(({ kind }) => kind === 'literal')) {
    note(scope, 'low', whole);
    return 'done';
  }
  const areOwn =
    targets.length > 0 &&
    targets.every(({ text, source }) => /^%(?:\d+|[%+-])?$/.test(text) || /^"?\$!"?$/.test(source));
  if (!areOwn || options.length > 2) return undefined;
  note(scope, 'medium', whole, 'It ends a process that this shell started.');
  return 'done';
};

import { anyOf, exactlyOneOf, sequence } from '../../../text/alternatives';
import { claim, type Claims, joinNames } from '../../calls/claims';
import { judgeByManual } from '../../calls/judgeByManual';
import { eachNamed, type Family, type Judge, type Manual } from '../../calls/manual';
import { flags, high, optionTable, readArguments, values } from '../../calls/options';
import { judgeScriptText } from '../../calls/scriptText';
import { evaluatesWords } from '../../effects/context';
import {
  doubt,
  runFolder,
  linkedPlaces,
  note,
  refuse,
  type Scope,
  sharedInput,
  touch,
  writtenOnlyBy,
} from '../../effects/scope';
import { environmentProblem, settable } from '../../syntax/environmentNames';
import { isGuarded } from '../../../risk/pathRules';
import { protectedPaths } from '../../syntax/globs';
import { folderAfterCd, isWorkspaceFolder, resolvePlace } from '../../syntax/place';
import { literal, unknown, type Value } from '../../syntax/value';
import { endsAllOthers } from '../../verdict/programFloor';
import { evaluatesNames } from '../../posix/words';
import { alwaysNeedsApproval, takesText } from '../shared/kinds';
import { printsNumber } from '../shared/printed';

/** Returns whether files directly in a folder, or in one that is usual below it, are protected. */
const holdsGuarded = (folder: string): boolean =>
  isGuarded(`${folder}/a`) || protectedPaths.some((path) => path.startsWith(`${folder}/`) && isGuarded(path));

/** Changes the folder. Later paths are relative to it. */
export const judgeCd: Judge = ({ words, scope, whole }) => {
  const [target, ...more] = words.filter(({ text, kind }) => kind !== 'literal' || !/^-[LPe@]+$|^--$/.test(text));
  const each =
    target?.kind === 'glob' &&
    more.length === 0 &&
    /^(\.\/)?[a-z][\w-]*\/(\*\/?)$/i.test(target.text) &&
    resolvePlace(target, scope.cwd, scope.context).where === 'inside' &&
    linkedPlaces(target, scope).length === 0;
  if (each && scope.variables.size > 0) {
    scope.cwd = folderAfterCd(scope.cwd ?? '.', target.text);
    return 'done';
  }
  if (more.length > 0 || target?.kind !== 'literal' || /^[-+]/.test(target.text)) {
    scope.cwd = undefined;
    if (target?.text === '-' && more.length === 0) note(scope, 'low', whole);
    else if (target || more.length > 0) doubt(scope, whole, 'Changes to a folder that is only known when it runs.');
    else {
      scope.cwd = '~';
      note(scope, 'medium', whole, 'Leaves the workspace folder.');
    }
    return 'done';
  }
  const place = resolvePlace(target, scope.cwd, scope.context);
  if (place.where === 'outside') {
    note(scope, 'medium', whole, 'Leaves the workspace folder.');
    touch(scope, 'lists', target);
  }
  const linked = linkedPlaces(target, scope);
  if (linked.length > 0) {
    touch(scope, 'lists', target);
    // The shell remembers the way through the link, so later paths lead through it, and are judged by where they lead.
    const isRemembered = place.where === 'inside' && linked.every(({ where }) => where === 'inside');
    if (isRemembered && words.length === 1) {
      scope.cwd = place.path;
      return 'done';
    }
    if (linked.some(({ path }) => holdsGuarded(path)))
      scope.effects.push({
        kind: 'other',
        level: 'high',
        guarded: true,
        culprit: whole,
        reason: 'Changes to a folder of protected files through a link.',
      });
    scope.cwd = undefined;
    return 'done';
  }
  scope.cwd = scope.cwd === undefined && place.where === 'unknown' ? undefined : folderAfterCd('.', place.path);
  return 'done';
};

/** Refuses words that zsh or ksh evaluates as arithmetic, unless they are numbers: a name would run the code in its value. */
function refuseNames(words: readonly Value[], scope: Scope, whole: string): void {
  const areNumbers = words.every(({ kind, text }) => kind === 'literal' && /^[-+]?\d*(?:\.\d*)?$/.test(text));
  if (evaluatesWords(scope.context) && !areNumbers) refuse(scope, whole, evaluatesNames);
}

const judgeCount: Judge = ({ words, scope, whole }) => {
  refuseNames(words, scope, whole);
  return undefined;
};

/** `-v` assigns a variable, and its subscript would be evaluated as code. */
const judgePrintf: Judge = ({ words, scope, whole }) => {
  if (words[0]?.text.startsWith('-') && words[0].text !== '--') refuse(scope, whole, 'Stores text in a variable.');
  const [format, ...values] = words[0]?.text === '--' ? words.slice(1) : words;
  const takes = format?.kind === 'literal' ? numbersTaken(format.text) : [true];
  refuseNames(
    values.filter((_, at) => takes[at % takes.length]),
    scope,
    whole,
  );
  return undefined;
};

/** Returns for each word that a format of `printf` takes whether it takes a number. */
const numbersTaken = (format: string): boolean[] =>
  [...format.matchAll(/%[-+ #0']*(\*|\d*)(?:\.(\*|\d*))?(.?)/gs)].flatMap(([, width, precision, type]) => [
    ...[width, precision].filter((each) => each === '*').map(() => true),
    ...(type === '%' ? [] : [!/[bcqs]/.test(type!)]),
  ]);

const judgeTest: Judge = ({ words, scope, whole }) => {
  if (words.some(({ text }) => /^-[vR]$/.test(text))) refuse(scope, whole, 'Runs the code between brackets in a test.');
  words.forEach(({ text }, at) => {
    const next = words[at + 1];
    if (text === '-t' && next && next.text !== ']') refuseNames([next], scope, whole);
    const isComparison = scope.context.shell === 'ksh' && /^-(?:eq|ne|lt|le|gt|ge)$/.test(text);
    if (isComparison)
      refuseNames(
        [words[at - 1], next].filter((one) => one !== undefined),
        scope,
        whole,
      );
    if (/^-[efdsrwxLhbcpSugkOGN]$/.test(text) && next && next.kind === 'literal') touch(scope, 'lists', next);
  });
  return 'done';
};

/** Options of `set -o` that change neither what a pattern or a path names nor how later text is read. */
const plainOptions = exactlyOneOf([
  'errexit errtrace functrace monitor noclobber noglob notify nounset pipefail verbose xtrace vi emacs',
  'err_exit no_unset pipe_fail',
]);

/** Without words, it shows every variable. A plus sign turns an option off. */
const judgeShellOptions: Judge = ({ words: written, scope, whole, manual }) => {
  if (written.length === 0) refuse(scope, whole, 'Shows the variables, which may contain secrets.');
  // Without history expansion (`+H`), `!` means nothing special: a script's usual state.
  const words = written.map((word) =>
    /^\+[a-zA-Z]+$/.test(word.text) ? { ...word, text: `-${word.text.slice(1).replaceAll('H', '') || 'e'}` } : word,
  );
  if (words.some((word, at) => word !== written[at]) && written.every(({ kind }) => kind === 'literal')) {
    judgeByManual({ manual: { ...manual, judge: judgeShellOptions }, name: 'set', words, scope, flow: {}, whole });
    return 'done';
  }
  const { options } = readArguments(words, optionTable(manual.options ?? []), 'letters');
  for (const { option, value, culprit } of options)
    if (option?.name === '-o' && value?.text !== '' && !(value?.kind === 'literal' && plainOptions.test(value.text)))
      refuse(scope, culprit, 'Changes how the shell reads later commands.');
  return undefined;
};

/** `exec 2>&1`: without a command, it only changes where later commands read and print. */
export const judgeExec: Judge = ({ words, scope, flow, whole }) => {
  if (words.length > 0) return undefined;
  scope.input = sharedInput(flow);
  note(scope, 'medium', whole, 'Redirects the input or output of later commands in this shell.');
  return 'done';
};

/** Shows the variables given to it. */
const judgePrintVariables: Judge = ({ words: names, scope, flow, whole }) => {
  const words = names.filter(({ text }) => !/^(?:-0|--null)$/.test(text));
  if (words.length === 0 && flow.narrowed) {
    note(scope, 'medium', whole, 'Shows a part of the environment; known secrets are masked.');
    return 'done';
  }
  if (
    words.length > 0 &&
    words.every(
      ({ kind, text }) =>
        kind === 'literal' &&
        /^(PATH|HOME|USER|SHELL|LANG|LC_\w+|PWD|TERM|CI|NODE_ENV|EDITOR|TZ|VIRTUAL_ENV|GOPATH|JAVA_HOME)$/.test(text),
    )
  )
    note(scope, 'low', whole);
  else refuse(scope, whole, 'Shows variables that may contain secrets.');
  return 'done';
};

/** Returns whether this line wrote nothing but new Python environments, by the programs that create them. */
const onlyEnvironmentsMade = (scope: Scope): boolean => writtenOnlyBy(scope, ({ whole }) => makesEnvironment(whole));

const makesEnvironment = (command: string): boolean =>
  /^(?:(?:python[\d.]*|py) -m venv|virtualenv|uv venv)(?: |$)/.test(command);

/** Files of the account that its shells load at their start. */
const ownTools = anyOf([
  sequence([
    /^(?:~|\$HOME|\$\{HOME\}|\/opt)\//,
    anyOf([
      /\.nvm\/nvm\.sh/,
      /\.cargo\/env/,
      /(?:(?:mini|ana)conda3?|mini(?:forge|mamba)3?)\/etc\/profile\.d\/conda\.sh/,
    ]),
    /$/,
  ]),
  /^\$(?:NVM_DIR|\{NVM_DIR\})\/nvm\.sh$/,
]);

/** Besides scripts of the workspace, knows only Python environments of the project and tools of the account. */
export const judgeSource: Judge = ({ words, scope, whole }) => {
  const [file, ...more] = words;
  if (
    file?.kind === 'literal' &&
    /^(\.\/)?\.?\w*env\w*\/bin\/activate$/.test(file.text) &&
    more.length === 0 &&
    isWorkspaceFolder(scope.cwd, scope.context) &&
    onlyEnvironmentsMade(scope)
  )
    note(scope, 'medium', whole, 'Switches to the Python environment of the project.');
  else if (file && more.length === 0 && ownTools.test(file.source.replace(/"/g, '')))
    note(scope, 'medium', whole, 'Loads a version manager of the account in this shell.');
  else {
    const place = file && resolvePlace(file, scope.cwd, scope.context);
    if (file?.kind === 'literal' && place?.where === 'inside')
      judgeScriptText({ kind: 'file', name: place.path }, scope, whole);
    refuse(scope, whole, 'Runs another file in this shell.');
  }
  return 'done';
};

/*
 * Built-in commands that change only the shell they run in. They need no approval if the change cannot make a later
 * command run something else. Anything not understood is left to the table, which requires approval.
 */

const changesOptions = 'Changes how the shell behaves.';

const setsVariable = 'Sets a variable of the shell.';

const allLiteral = (words: readonly Value[]): boolean => words.every(({ kind }) => kind === 'literal');

/**
 * Returns whether a command without words, or with only one of these options, just prints the state. Notes it as low if
 * so.
 */
function onlyPrints(words: readonly Value[], scope: Scope, whole: string): boolean {
  const tells = words.every(({ text }) => /^-[plS]$/.test(text));
  if (tells) note(scope, 'low', whole);
  return tells;
}

/**
 * Options that control pattern matching and pipeline failures. Excludes `expand_aliases`, which lets names mean other
 * commands, and `dotglob`, with which `*` also names secret and protected files.
 */
const harmlessOptions = exactlyOneOf([
  'globstar nullglob failglob extglob nocaseglob nocasematch globasciiranges',
  'inherit_errexit lastpipe pipefail checkwinsize histappend',
]);

/** Judges `shopt -s globstar`. */
const judgeShopt: Judge = ({ words, scope, whole }) => {
  if (onlyPrints(words, scope, whole)) return 'done';
  const [flag, ...names] = words.map(({ text }) => text);
  const isChange =
    /^-[suq]+$/.test(flag ?? '') && names.length > 0 && names.every((name) => harmlessOptions.test(name));
  if (!allLiteral(words) || !isChange) return undefined;
  note(scope, 'medium', whole, changesOptions);
  return 'done';
};

/** Judges `umask 022`: permissions of new files, as long as others cannot write to them. */
const judgeUmask: Judge = ({ words, scope, whole }) => {
  if (onlyPrints(words, scope, whole)) return 'done';
  const [mask, ...more] = words;
  if (mask === undefined || more.length > 0 || mask.kind !== 'literal') return undefined;
  const othersCannotWrite = /^0{0,2}[0-7]?[0-7][2367]$/.test(mask.text) || /^u=rwx,g=r?w?x?,o=r?x?$/.test(mask.text);
  if (!othersCannotWrite) return undefined;
  note(scope, 'medium', whole, changesOptions);
  return 'done';
};

/** Judges `ulimit -n 4096`: limits of this shell and its child processes. */
const judgeUlimit: Judge = ({ words, scope, whole }) => {
  // Core dumps contain secrets of the process.
  const dumpsMemory = words.some(({ text }) => /^-[A-Za-z]*c/.test(text)) && !words.some(({ text }) => text === '0');
  const isLimit =
    !dumpsMemory &&
    words.every(({ kind, text }) => kind === 'literal' && /^-[A-Za-z]+$|^\d+$|^(?:unlimited|soft|hard)$/.test(text));
  if (!isLimit) return undefined;
  const sets = words.some(({ text }) => !text.startsWith('-'));
  note(scope, sets ? 'medium' : 'low', whole, sets ? changesOptions : undefined);
  return 'done';
};

/** Signals, and the exit of the shell. `DEBUG` and `RETURN` would run code around every later command. */
const signals = /^(?:SIG)?(?:EXIT|INT|TERM|HUP|QUIT|ERR|PIPE|USR1|USR2|WINCH|ALRM)$|^(?:0|1|2|3|13|15)$/;

/** Judges `trap 'echo stopped' INT`. The action runs later, so it is judged without the current values of variables. */
const judgeTrap: Judge = ({ words, scope, whole }) => {
  if (onlyPrints(words, scope, whole)) return 'done';
  const [action, ...names] = words;
  if (action === undefined || !allLiteral(words)) return undefined;
  if (names.length === 0 || !names.every(({ text }) => signals.test(text))) return undefined;
  const onlyResets = action.text === '-' || action.text === '';
  if (!onlyResets) scope.analyser.judgeText(action.text, { ...scope, variables: new Map() });
  note(scope, 'medium', whole, 'Sets what the shell does when it ends or is interrupted.');
  return 'done';
};

/** Judges `alias ll='ls -la'`: allows a new name, or the name of the same program with options. */
const judgeAlias: Judge = ({ words, scope, whole }) => {
  const onlyNames =
    allLiteral(words) && words.every(({ text }) => /^(?:-p|[\w.:-]+)$/.test(text) && !/^-[^p]/.test(text));
  if (onlyNames) note(scope, 'low', whole);
  if (onlyNames || onlyPrints(words, scope, whole)) return 'done';
  const assignments = words.map(({ kind, text }) =>
    kind === 'literal' ? /^([A-Za-z_][\w-]*)=(.+)$/s.exec(text) : null,
  );
  if (assignments.length === 0 || assignments.some((one) => one === null)) return undefined;
  const pairs = assignments.map((one) => ({ name: one![1]!, command: one![2]! }));
  const isHarmless = pairs.every(
    ({ name, command }) => scope.analyser.programNamed(name) === undefined || command.split(/\s/)[0] === name,
  );
  if (!isHarmless) return undefined;
  const isBareName = (command: string): boolean => scope.analyser.programNamed(command) !== undefined;
  for (const { command } of pairs.filter((one) => !isBareName(one.command)))
    scope.analyser.judgeText(command, { ...scope, variables: new Map() });
  note(scope, 'medium', whole, 'Gives a command another name.');
  return 'done';
};

/**
 * Options for arrays, case and attributes. Excluded: `-i` makes text arithmetic, `-n` makes a name refer to another
 * one, `-p` shows every variable.
 */
const declaring = /^-[aAgrlu]+$/;

const secretVariable = anyOf(['secret token passw pwd cred auth key api priv session cookie dsn url'], 'i');

/** `declare -f` shows functions, and `declare -p NAME` the value of a variable. */
const showsDeclared = (options: readonly Value[], operands: readonly Value[]): boolean =>
  options.length === 1 &&
  allLiteral(operands) &&
  operands.every(({ text }) => /^[A-Za-z_]\w*$/.test(text)) &&
  (/^-[fF]$/.test(options[0]!.text) ||
    (options[0]!.text === '-p' && operands.length > 0 && operands.every(({ text }) => !secretVariable.test(text))));

/** Judges `declare -A seen`, `local name=value`, `readonly size=3`. */
const judgeDeclared: Judge = ({ name, words, scope, whole }) => {
  const options = words.filter(({ text }) => /^-/.test(text));
  const operands = words.filter((word) => !options.includes(word));
  if (/^(?:declare|typeset)$/.test(name) && showsDeclared(options, operands)) {
    note(scope, 'low', whole);
    return 'done';
  }
  if (operands.length === 0 || !options.every(({ kind, text }) => kind === 'literal' && declaring.test(text)))
    return undefined;
  const names = operands.map(({ text }) => /^(\w+)(?:=|$)/.exec(text)?.[1]);
  if (!names.every((each) => each !== undefined && settable(each))) return undefined;
  const isFixed = name === 'readonly' || options.some(({ text }) => text.includes('r'));
  operands.forEach((value, at) => setVariable(names[at]!, value, { isFixed }, scope));
  note(scope, 'medium', whole, setsVariable);
  return 'done';
};

/** A variable that is read-only already keeps its value. */
function setVariable(
  name: string,
  newValue: Value,
  { isFixed }: { readonly isFixed: boolean },
  { variables }: Scope,
): void {
  const before = variables.get(name);
  const onlyMarks = isFixed && !newValue.text.includes('=') && before !== undefined;
  const value = before?.fixed && !onlyMarks ? unknown('', newValue.source) : optionValue(newValue);
  variables.set(name, { ...(onlyMarks ? before : value), ...((isFixed || before?.fixed) && { fixed: true }) });
}

function optionValue(value: Value): Value {
  const equals = value.text.indexOf('=');
  const isKnown = value.kind === 'literal' && equals >= 0;
  return isKnown ? literal(value.text.slice(equals + 1), value.source) : unknown('', value.source);
}

const readsList = /^-(?:t|[dnOs].?|[dnOs]\d*)$/;

/** Judges `mapfile -t names < file`. A callback for each line (`-C`) is left to the table. */
const judgeMapfile: Judge = ({ words, scope, whole }) => {
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

/** Variables that may precede a command may also be exported. */
const judgeExported: Judge = ({ words, scope, whole }) => {
  const operands = words.filter(({ text }) => text !== '--');
  const isHarmless = operands.length > 0 && operands.every((value) => mayBeExported(value, scope));
  if (!isHarmless) return undefined;
  for (const value of operands) {
    const assigned = /^(\w+)=/.exec(value.text)?.[1];
    if (assigned !== undefined) setVariable(assigned, value, { isFixed: false }, scope);
  }
  note(scope, 'medium', whole, setsVariable);
  return 'done';
};

/** Where `which NAME` finds a program, if nothing on the line says otherwise. */
const installedProgram = ([name, ...more]: readonly Value[]): Value[] | undefined =>
  name?.kind === 'literal' && more.length === 0 && /^\w[\w.+-]*$/.test(name.text)
    ? [literal(`/usr/bin/${name.text}`)]
    : undefined;

/** A folder of programs outside the workspace, where a user or a package manager installs them. */
const installedPrograms = anyOf([
  sequence([
    /^(?:~|\$HOME|\$\{HOME\})\//,
    anyOf([
      /(?:\.local\/|\.cargo\/|\.bun\/|\.deno\/|\.yarn\/|\.npm-global\/|go\/|(?:mini|ana)conda3?\/)?bin$/,
      /\.(?:pyenv|rbenv)\/(?:bin|shims)$/,
      /\.dotnet(?:\/tools)?$/,
    ]),
  ]),
  /^\/(?:usr\/(?:local\/)?)?s?bin$/,
  /^\/usr\/lib\/jvm\/[\w.-]+\/bin$/,
  /^\/snap\/bin$/,
]);

/** Returns whether a word adds to PATH only folders of installed programs: `PATH="$HOME/.local/bin:$PATH"`. */
function addsInstalledPrograms(word: string): boolean {
  const [, entries] = /^PATH=("?)([^"'\\]*)\1$/.exec(word)?.slice(1) ?? [];
  const folders = entries?.split(':') ?? [];
  const isRest = (folder: string): boolean => /^\$(?:PATH|\{PATH\})$/.test(folder);
  return folders.filter(isRest).length === 1 && folders.every((each) => isRest(each) || installedPrograms.test(each));
}

/** Returns whether a word of `export` is allowed: `NAME=value`, or the name of a variable that this line set. */
function mayBeExported(value: Value, scope: Scope): boolean {
  if (addsInstalledPrograms(value.source)) return true;
  const [, name, text] = /^(\w+)(?:=(.*))?$/s.exec(value.text) ?? [];
  if (name === undefined) return false;
  const exportedValue = text === undefined ? scope.variables.get(name) : { ...value, text };
  if (exportedValue === undefined) return false;
  return settable(name) || environmentProblem(name, exportedValue, scope.context.confined) === undefined;
}

/** Judges `unset DEBUG`, `unset -f name`. */
const judgeUnset: Judge = ({ words, scope, whole }) => {
  const names = words.filter(({ text }) => !/^-[vf]$/.test(text));
  return dropOrSet(names, scope, whole);
};

/** Judges `read -r -p 'Name: ' name`. */
const judgeRead: Judge = ({ words, scope, whole }) => {
  const names = words.filter(
    ({ text }, at) => !/^-[rsEaA]+$|^-[tnNdpui]/.test(text) && !/^-[rsEaA]*[tnNdpui]$/.test(words[at - 1]?.text ?? ''),
  );
  return dropOrSet(names.length > 0 ? names : [literal('REPLY')], scope, whole);
};

/**
 * Returns whether a variable may be unset without effect on programs. Excludes variables that protect the shell, such
 * as its history.
 */
const mayGo = (name: string): boolean => settable(name) || environmentProblem(name, literal('')) === undefined;

function dropOrSet(names: readonly Value[], scope: Scope, whole: string): 'done' {
  const areOwn = names.length > 0 && names.every(({ kind, text }) => kind === 'literal' && mayGo(text));
  if (!areOwn) {
    refuse(scope, whole, 'Changes the environment of later commands.');
    return 'done';
  }
  for (const { text } of names) scope.variables.set(text, unknown('', text));
  note(scope, 'medium', whole, 'Sets or drops a variable of the shell.');
  return 'done';
}

/** `wait -p NAME` sets a variable. Bash runs the code between the brackets of a name such as `a[$(x)]`. */
const judgeWait: Judge = ({ words, scope, whole }) => {
  const names = words.flatMap(({ text }, at) => {
    const [, glued] = /^-[a-oq-z]*p(.*)$/s.exec(text) ?? [];
    return glued === undefined ? [] : [glued === '' ? (words[at + 1] ?? unknown('', whole)) : literal(glued, text)];
  });
  return names.length > 0 ? dropOrSet(names, scope, whole) : undefined;
};

const ofSandbox = 'Ends processes of the sandbox, which sees no others.';

/** The first process of a sandbox, and the shell, keep the others alive. */
const endsOwnProcesses = (targets: readonly Value[], { context }: Scope): boolean =>
  context.ownProcesses === true &&
  targets.every(({ text, source }) => !/^-?[01]$/.test(text) && !/\$\$|PPID/.test(source));

/** `$!`, or a variable to which this line assigned it. */
function isLastStarted({ source }: Value, { variables }: Scope): boolean {
  const name = /^"?\$\{?(\w+)\}?"?$/.exec(source)?.[1];
  return /^"?\$!"?$/.test(source) || (name !== undefined && /^"?\$!"?$/.test(variables.get(name)?.source ?? ''));
}

/** Judges `pkill vite`. A name may match processes that the agent did not start, except in a sandbox. */
const judgeNamed: Judge = ({ words, scope, whole }) => {
  if (words.length === 1 && /^(?:-l|-V|--list|--version|--help)$/.test(words[0]!.text)) {
    note(scope, 'low', whole);
    return 'done';
  }
  const targets = words.filter(({ text }) => !text.startsWith('-'));
  if (targets.length === 0 || !endsOwnProcesses(targets, scope)) return undefined;
  note(scope, 'medium', whole, ofSandbox);
  return 'done';
};

/** Judges `kill %1`, `kill $!`: processes that this shell started. `-0` and `-l` end nothing. */
const judgeOwnJobs: Judge = ({ words, scope, whole }) => {
  const isSignal = ({ text }: Value): boolean => /^-(?:SIG)?(?:[A-Z]+\d?|\d+)$|^-s$/.test(text);
  const options = words.filter(
    ({ text }, at) => isSignal(words[at]!) || (at > 0 && words[at - 1]!.text === '-s' && /^[A-Z]+$/.test(text)),
  );
  const targets = words.filter((word) => !options.includes(word));
  const endsNothing = /^-[lL]$/.test(words[0]?.text ?? '') || (options.length === 1 && options[0]!.text === '-0');
  if (endsNothing && words.every(({ kind }) => kind === 'literal')) {
    note(scope, 'low', whole);
    return 'done';
  }
  const areOwn =
    targets.length > 0 &&
    targets.every((target) => /^%(?:\d+|[%+-])?$/.test(target.text) || isLastStarted(target, scope));
  if (!areOwn && targets.length > 0 && endsOwnProcesses(targets, scope)) {
    note(scope, 'medium', whole, ofSandbox);
    return 'done';
  }
  if (!areOwn || options.length > 2) return undefined;
  note(scope, 'medium', whole, 'Ends a process that this shell started.');
  return 'done';
};

/** Built-ins that only show their state for these words: `complete -p git`, `bind -P`. */
const showsState: Readonly<Record<string, RegExp>> = {
  complete: /^(?:-p(?: [\w./+-]+)*)?$/,
  compopt: /^[\w./+ -]*$/,
  bind: /^-(?:[lpPvVsSX]|q [\w-]+)$/,
  enable: /^(?:-[aps]+|-n|-[aps]*n[aps]*)?$/,
  setopt: /^$/,
  unsetopt: /^$/,
};

const judgeState: Judge = ({ name, words, scope, whole }) => {
  const typedWords = words.map(({ text }) => text).join(' ');
  const changes = name === 'compopt' && /(?:^| )[-+][oDEI]/.test(typedWords);
  if (!allLiteral(words) || changes || !showsState[name]?.test(typedWords)) return undefined;
  note(scope, 'low', whole);
  return 'done';
};

/** `getopts ab: option` sets one variable to the next option of the script. */
const judgeOptions: Judge = ({ words, scope, whole }) => {
  const [letters, name] = words;
  if (letters?.kind !== 'literal' || name === undefined || !/^[\w:?-]*$/.test(letters.text)) return undefined;
  scope.variables.set('OPTARG', unknown('', whole));
  return dropOrSet([name], scope, whole);
};

/** `hash NAME=FILE` and `hash -p FILE NAME` make a name run another file. */
const judgeHash: Judge = ({ words, scope, whole }) => {
  if (words.some(({ text }) => text.includes('='))) refuse(scope, whole, 'Makes a name run another file.');
  return undefined;
};

/** The shell expands the words of `-W`, and runs the commands in them. */
const judgeCompletions: Judge = ({ words, scope, whole }) => {
  if (words.some(({ kind, text }) => kind !== 'literal' || /[$`<>()]/.test(text)))
    refuse(scope, whole, 'Expands text that may contain commands.');
  return undefined;
};

/** Holds the folders that `pushd` left, one a line. No line can assign a variable with this name. */
const folderStack = 'pushd folders';

/** `pushd FOLDER` keeps the folder that it leaves. Its other forms reorder what it kept. */
export const judgePushd: Judge = (call) => {
  const { words, scope } = call;
  const { cwd, variables } = scope;
  const [target, ...more] = words;
  judgeCd(call);
  const isFolder = target !== undefined && more.length === 0 && !/^[-+]/.test(target.text);
  if (!isFolder || cwd === undefined || scope.cwd === undefined) variables.delete(folderStack);
  else variables.set(folderStack, literal([...foldersLeft(scope), cwd].join('\n')));
  if (!isFolder) scope.cwd = undefined;
  return 'done';
};

const foldersLeft = ({ variables }: Scope): string[] => variables.get(folderStack)?.text.split('\n') ?? [];

/** Returns to the folder that the last `pushd` of the line left. Without one, the folder is not known. */
export const judgePopd: Judge = ({ words, scope }) => {
  const left = foldersLeft(scope);
  const last = left.pop();
  if (left.length > 0) scope.variables.set(folderStack, literal(left.join('\n')));
  else scope.variables.delete(folderStack);
  if (words.length === 0) scope.cwd = last;
  else if (words.some(({ text }) => text !== '-n')) {
    scope.cwd = undefined;
    scope.variables.delete(folderStack);
  }
  return undefined;
};

/**
 * Built-ins that change the shell. They require approval unless their judge finds that no later command can run
 * something else.
 */
const changesShell: Manual = { level: 'high', reason: 'Changes the shell for later commands.', ownShell: true };

export const secretValues: Claims = ({ program, plain }) =>
  claim(
    'leaks',
    plain.length > 0 && program === 'printenv'
      ? `Shows the variable ${plain[0]}, which may contain a secret.`
      : 'Shows the environment, which may contain secrets.',
  );

const ends: Claims = ({ program, plain, all }) => {
  const names = plain.filter((word) => !/^(9|15|\d|KILL|TERM|HUP|INT)$/.test(word) || program !== 'kill');
  if (program === 'kill' && names.length === 0 && all.every((word) => word.startsWith('-')))
    return claim('machine', 'Ends every process of this account.');
  if (endsAllOthers(program, all))
    return claim('machine', `Ends every process except ${joinNames(names, 'that it names')}.`);
  return claim(
    'changes',
    `Ends the ${names.length > 1 ? 'processes' : 'process'} ${joinNames(names, 'that it names')}.`,
  );
};

export const shells: Claims = ({ program, all, plain }) => {
  switch (program) {
    case 'alias':
      return claim('changes', `Makes ${plain[0]?.split('=')[0] ?? 'a name'} run another command.`);
    case 'export':
    case 'declare':
    case 'typeset':
    case 'readonly':
    case 'local': {
      const name = plain.find((word) => /^\w+/.test(word))?.split('=')[0];
      if (name === undefined && all.every((word) => /^-p$/.test(word)))
        return claim('leaks', 'Shows the variables of the shell, which may contain secrets.');
      if (all[0] === '-p') return claim('leaks', `Shows the variable ${name ?? ''}, which may contain a secret.`);
      if (name && /^(PATH|LD_|DYLD_|NODE_OPTIONS|PYTHONPATH|BASH_ENV|ENV|PROMPT_COMMAND|GIT_)/.test(name))
        return claim(
          'changes',
          `Changes the shell for later commands: sets ${name}, which decides what programs run or load.`,
        );
      return claim(
        'unusual',
        `Sets the variable ${name ?? ''} for later commands.`.replace('variable  for', 'variables for'),
      );
    }
    case 'trap':
      return claim('unusual', 'Runs a command when the shell ends or is interrupted.');
    case 'exec':
      if (plain.length > 0 && !/^[<>&\d]/.test(plain[0]!))
        return claim('unusual', `Replaces the shell with ${plain[0]}.`);
      return all.length === 0 ? claim('unusual', 'Redirects what later commands print or read.') : undefined;
    default:
      return undefined;
  }
};

const shellHistory: Claims = ({ has }) => {
  if (has(/^-c$/)) return claim('leaks', 'Deletes the command history of this shell.');
  return has(/^-d/) ? claim('leaks', 'Deletes lines of the command history of this shell.') : undefined;
};

export const builtinsFamily: Family = {
  programs: {
    times: { level: 'low', operands: [] },
    dirs: { level: 'low', operands: { rest: 'text' }, options: [flags('-v -p -l -c -#')] },
    export: { ...changesShell, judge: judgeExported },
    ...eachNamed('declare typeset local readonly', { ...changesShell, judge: judgeDeclared }),
    ...eachNamed('mapfile readarray', { ...changesShell, judge: judgeMapfile }),
    alias: { ...changesShell, judge: judgeAlias },
    ...eachNamed('unalias autoload suspend let', changesShell),
    ...eachNamed('enable setopt unsetopt bind complete compopt', { ...changesShell, judge: judgeState }),
    getopts: { ...changesShell, judge: judgeOptions },
    fc: { ...changesShell, reason: 'Shows, edits or runs earlier commands.' },
    compgen: {
      level: 'low',
      others: 'high',
      options: [flags('-a -b -c -d -e -f -g -j -k -s -u -v'), values('-A -X -P -S -W')],
      judge: judgeCompletions,
      operands: { rest: 'text' },
    },
    trap: { ...changesShell, judge: judgeTrap },
    shopt: { ...changesShell, judge: judgeShopt },
    umask: { ...changesShell, judge: judgeUmask },
    ulimit: { ...changesShell, judge: judgeUlimit },
    unset: { level: 'medium', judge: judgeUnset },
    read: { level: 'medium', judge: judgeRead, reason: 'Sets a variable of the shell.' },
    jobs: {
      level: 'low',
      options: [flags('-l -n -p -r -s'), high(flags('-x'))],
      operands: { rest: 'text' },
      loose: true,
    },
    ...eachNamed('wait fg bg disown', {
      level: 'low',
      judge: judgeWait,
      options: [flags('-n -f -a -r -h'), values('-p')],
      operands: { rest: 'text' },
      loose: true,
    }),
    kill: { level: 'high', reason: 'Ends processes.', judge: judgeOwnJobs },
    printenv: { level: 'high', judge: judgePrintVariables },
    ...eachNamed('pkill killall', { ...alwaysNeedsApproval('Ends processes.'), judge: judgeNamed }),
    xkill: alwaysNeedsApproval('Ends processes.'),
    history: alwaysNeedsApproval('Shows earlier commands, which may contain secrets.'),
    ...eachNamed(
      `
        echo true false : pwd seq sleep which type whereis uname whoami id groups nproc tty users logname expr
        factor numfmt locale getconf clear iostat sw_vers
      `,
      takesText,
    ),
    hash: {
      level: 'low',
      judge: judgeHash,
      operands: { rest: 'text' },
      options: [flags('-r -l -t -d'), high(values('-p'))],
    },
    printf: { level: 'low', judge: judgePrintf, loose: true, others: 'low' },
    ...eachNamed('test [', { level: 'low', judge: judgeTest }),
    ...eachNamed('exit return break continue shift', {
      level: 'low',
      judge: judgeCount,
      loose: true,
      operands: { rest: 'text' },
    }),
    ...eachNamed('cd chdir', { level: 'low', judge: judgeCd }),
    pushd: { level: 'low', judge: judgePushd },
    popd: { level: 'medium', reason: 'Changes to another folder.', judge: judgePopd, options: [flags('-n -#')] },
    set: {
      level: 'low',
      judge: judgeShellOptions,
      options: [flags('-e -u -x -v -f -E -T -b -m -h -n -B -C'), values('-o')],
      operands: [],
      reason: 'Changes how the shell behaves.',
    },
  },
  claims: {
    printenv: secretValues,
    history: shellHistory,
    ...eachNamed('kill pkill killall xkill taskkill', ends),
    ...eachNamed('alias export declare typeset readonly local trap', shells),
  },
  prints: {
    pwd: ({ scope }) => {
      const folder = runFolder(scope);
      return folder === undefined ? undefined : [literal(folder)];
    },
    echo: ({ words }) => {
      const isPlain = words.every(({ kind, text }) => kind === 'literal' && !/\s/.test(text));
      return isPlain ? words.filter(({ text }) => !text.startsWith('-')) : undefined;
    },
    printf: ({ words: [format, ...printed] }) => {
      const isPlain = printed.every(({ kind, text }) => kind === 'literal' && !/\s/.test(text));
      if (format?.kind !== 'literal' || !isPlain) return undefined;
      if (/^%s(?:\\n|\\0)$/.test(format.text)) return printed;
      return printed.length === 0 && /^[\w/.~][\w/.-]*$/.test(format.text) ? [format] : undefined;
    },
    which: ({ words }) => installedProgram(words),
    command: ({ words: [option, ...words] }) => (option?.text === '-v' ? installedProgram(words) : undefined),
    nproc: printsNumber(/^(?:--all)?$/),
    getconf: printsNumber(/^_NPROCESSORS_ONLN$/),
    id: printsNumber(/^(?:-[ug]|--user|--group)$/),
    uname: ({ words: [option, ...more] }) => {
      if (more.length > 0 || !option || !/^-[ms]$/.test(option.text)) return undefined;
      return [literal(option.text === '-m' ? 'x86_64' : 'Linux')];
    },
  },
};

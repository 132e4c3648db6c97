import type { Command, Redirection, Assignment } from 'unbash';
import { doubt, type Flow, recordText, refuse, type Scope, reportStarted, note, withInput } from '../effects/scope';
import { matchesGlob } from '../syntax/globs';
import { type Value, literal, unknown } from '../syntax/value';
import { judgeCall } from './functions';
import { judgePossible, judgePossibleText, withKnownValues } from './unreadText';
import { judgePipedDownload } from './pipelines';
import { inputFrom, judgeOnlyRedirects, judgeRedirects, writesToFile } from './redirections';
import { resolve, writtenOut } from './words';
import { doesSomething } from '../effects/effect';
import { environmentProblem, loadsWorkspace, settable, withoutOwnValue } from '../syntax/environmentNames';
import { loadWorkspace } from '../calls/scriptText';

/** Judges a simple command: `NAME=value name words > file`. Returns what it passes to the next stage of a pipeline. */
export function judgeCommand(command: Command, scope: Scope, flow: Flow): Flow {
  judgePrefix(command, scope);
  const beforeRedirects = scope.effects.length;
  const files = judgeRedirects(command.redirects, scope);
  if (!command.name) {
    if (!command.prefix.some(({ type }) => type === 'Assignment')) judgeOnlyRedirects(command.redirects, scope);
    return {};
  }
  const names = resolve(command.name, scope);
  const beforeWords = scope.effects.length;
  const words = command.args.flatMap((argument): Value[] =>
    argument.type === 'Word' ? resolve(argument, scope) : assignmentWord(argument, scope),
  );
  const [name] = names;
  if (names.length !== 1 || name?.kind !== 'literal' || !(scope.context.started || writtenOut(command.name.parts))) {
    reportStarted([...names, ...words], scope);
    doubt(scope, command.name.text, 'Runs something that is only known when it runs.');
    judgeKnownText(command, scope);
    judgeMatched(names, words, scope);
    // `$'\x72\x6d' -rf ~`
    if (name && names.every(({ kind }) => kind === 'literal'))
      judgePossible(scope, (inside) => void inside.analyser.judgeCall([...names, ...words], inside, flow));
    return {};
  }
  const input = inputFrom(command.redirects, files, scope);
  const given = { ...flow, ...input };
  const called = scope.functions.get(name.text);
  if (called) {
    withInput(scope, given, () => judgeCall(called, words, scope));
    return {};
  }
  const fetched = scope.effects.slice(beforeWords).find((effect) => effect.kind === 'fetches');
  if (writesWithoutEnd(name.text.replace(/^.*\//, ''), words, command.redirects))
    refuse(scope, command.name.text, 'Writes without end.');
  const beforeCall = scope.effects.length;
  const after = withInput(scope, given, () => scope.analyser.judgeCall([name, ...words], scope, given));
  const printed = input.inputText !== undefined || !flow.piped ? textPrinted(name.text, words, input) : undefined;
  const file = printed === undefined ? undefined : onlyOutput(command.redirects);
  const [target, ...others] = file?.target ? resolve(file.target, { ...scope, effects: [] }) : [];
  if (printed !== undefined && target?.kind === 'literal' && others.length === 0)
    recordText(scope, { file: target, text: printed, before: beforeRedirects });
  const found = scope.effects.slice(beforeCall);
  // A program gets what a substitution downloads as a word or a file. Only programs that read may have it.
  if (fetched && found.some(doesSomething)) {
    const program = found.find(({ by }) => by)?.by;
    const part = scope.text.slice(command.pos, command.end);
    scope.effects.push(judgePipedDownload({ culprit: command.name.text, part, address: fetched.url, program }));
  }
  return after;
}

/** `/bin/r? -rf /`: a pattern that matches programs that can destroy the machine. */
function judgeMatched([name, ...others]: readonly Value[], words: readonly Value[], scope: Scope): void {
  if (name?.kind !== 'glob') return;
  const pattern = name.text.replace(/^.*\//, '');
  for (const program of ['rm', 'dd', 'find', 'mv', 'shred', 'chmod', 'bash', 'sh'])
    if (matchesGlob(pattern, program))
      judgePossible(
        scope,
        (inside) => void inside.analyser.judgeCall([literal(program), ...others, ...words], inside, {}),
      );
}

/** Looks for a command below the floor in a command with a variable as its program: `x="rm -rf"; $x ~`. */
function judgeKnownText({ pos, end }: Command, scope: Scope): void {
  const text = scope.text.slice(pos, end);
  const known = withKnownValues(text, scope);
  if (known !== text) judgePossibleText(known, scope);
}

/** Returns what a command prints, if its words and its here-document determine it. */
function textPrinted(name: string, words: readonly Value[], { written }: Flow): string | undefined {
  if (words.some(({ kind, computed }) => kind !== 'literal' || computed)) return undefined;
  const texts = words.map(({ text }) => text);
  if (name === 'cat') return texts.length === 0 && written?.kind === 'literal' ? written.text : undefined;
  if (texts.some((text) => text.startsWith('-'))) return undefined;
  if (name === 'echo') return texts.some((text) => text.includes('\\')) ? undefined : `${texts.join(' ')}\n`;
  if (name !== 'printf' || texts.length !== 1 || /%|\\(?!n)/.test(texts[0]!)) return undefined;
  return texts[0]!.replaceAll('\\n', '\n');
}

/** Returns the redirection of the output if it goes to one file and replaces its content. */
function onlyOutput(redirects: readonly Redirection[]): Exclude<Redirection, { type: 'HereDoc' }> | undefined {
  const [file, ...more] = redirects.filter((redirect) => redirect.type !== 'HereDoc');
  const isPlain = file?.operator === '>' && file.descriptor === undefined;
  return isPlain && more.length === 0 ? file : undefined;
}

/** Judges the assignments in front of a command, or those that are one: `NAME=value`. */
function judgePrefix({ name, prefix }: Command, scope: Scope): void {
  for (const part of prefix) {
    if (part.type !== 'Assignment') continue;
    // `IFS=… read` sets the separators of words for this `read` only.
    const separatesWords =
      name?.text === 'read' && part.name === 'IFS' && /^IFS=('[^']*'|\$'(\\[nt0])+'|[^$`\\"'(]?)$/.test(part.text);
    if (!separatesWords) judgeAssignment(part, name !== undefined, scope);
  }
}

/** Returns whether only a full disk stops the command: `yes > file`, `cat /dev/urandom > file`. */
function writesWithoutEnd(name: string, words: readonly Value[], redirects: readonly Redirection[]): boolean {
  const readsWithoutEnd =
    /^(cat|tail|tac|cp|tee|tr|base64|hexdump|xxd)$/.test(name) &&
    words.some(({ text }) => /^\/dev\/(zero|u?random|full)$/.test(text));
  const isLimited = words.some(({ text }) => /^-(n|c|l)|^--(bytes|lines|len)/.test(text));
  return (name === 'yes' || readsWithoutEnd) && !isLimited && (name === 'cp' || writesToFile(redirects));
}

/**
 * Returns the values of an argument that looks like `a=b`. It is a plain word to the command, but may contain
 * substitutions, which are judged. Of an array, only the name is returned.
 */
function assignmentWord({ value, text, name }: Assignment, scope: Scope): Value[] {
  if (value.type !== 'Word') {
    for (const element of value.elements) resolve(element, scope);
    return [literal(name, text)];
  }
  return resolve(value, scope).map((one) => ({ ...one, text: `${name}=${one.text}`, source: text }));
}

/** Judges `name=value`, alone or before a command. */
function judgeAssignment(assignment: Assignment, forCommand: boolean, scope: Scope): void {
  const { name, value, index, append, text } = assignment;
  // An array index is arithmetic, which evaluates the values of variables as code.
  const isPlace = index === undefined || /^\d+$/.test(index.text);
  const isOfList = value.type !== 'Word' || index !== undefined || append === true;
  if (!isPlace || (isOfList && (forCommand || !settable(name))))
    return refuse(scope, text, 'Sets a variable in a way that may run code.');
  if (value.type !== 'Word') {
    for (const element of value.elements) resolve(element, scope);
    return setUnknown(name, text, scope);
  }
  const [found, ...more] = resolve(value, scope);
  if (!found || more.length > 0) return doubt(scope, text, 'Sets a variable in a way that is not known to be safe.');
  if (isOfList) return setUnknown(name, text, scope);
  reportStarted([literal('env'), { ...found, text: `${name}=${found.text}` }], scope);
  if (scope.context.started && !forCommand) scope.variables.set(name, found);
  if (forCommand) return judgeVariableOfCommand(name, withoutOwnValue(name, found), scope, text);
  const problem = environmentProblem(name, found, scope.context.confined);
  const isHarmless = settable(name) || (problem === undefined && !loadsWorkspace(name, found));
  if (!isHarmless) return refuse(scope, text, 'Sets a variable that can change what later commands do.');
  if (scope.variables.get(name)?.fixed) return setUnknown(name, text, scope);
  scope.variables.set(name, found);
  note(scope, 'medium', text, 'Sets a variable of the shell.');
}

/** Judges a variable that is set for one command. */
function judgeVariableOfCommand(name: string, value: Value, scope: Scope, text: string): void {
  const problem = environmentProblem(name, value, scope.context.confined);
  if (problem) refuse(scope, text, problem);
  else if (loadsWorkspace(name, value)) loadWorkspace(value, scope, text);
}

/** Records an array or an appended value, whose content is not tracked. */
function setUnknown(name: string, text: string, scope: Scope): void {
  const fixed = scope.variables.get(name)?.fixed;
  scope.variables.set(name, { ...unknown('', text), ...(fixed && { fixed }) });
  note(scope, 'medium', text, 'Sets a variable of the shell.');
}

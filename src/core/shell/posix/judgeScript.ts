import type { Command, CompoundList, Redirection, Script, Statement, Word, TestExpression } from 'unbash';
import { assignmentWord, judgeAssignment } from './assignments';
import { settable } from '../syntax/environmentNames';
import { judgeCall, judgeFunction } from './functions';
import { hiddenIn } from './prescan';
import { showsLittle, doesSomething, handedOn, saySameOfInput, pointAtPipeline } from './pipelines';
import { doubt, type Flow, inner, note, refuse, type Scope, spend, tellOf, touch } from '../effects/scope';
import { placeOf } from '../syntax/place';
import { arithmetic, resolve, resolveParts, plainNumber } from './words';
import { literal, unknown, type Value } from '../syntax/value';

type Node = Statement['command'];

/** Judges every statement. Throws `TooMuch` when there is too much of it. */
export function judgeScript(script: Script, scope: Scope, text = ''): void {
  const problem = (script as { errors?: readonly { message: string }[] }).errors?.[0];
  if (problem) doubt(scope, '', `The shell syntax could not be read: ${problem.message}.`);
  if (script.commands.length === 0 && !isComment(text, scope)) refuse(scope, '', 'No command was found in it.');
  judgeStatements(script.commands, scope);
}

/** Judges the text that a nested shell runs, in a shell of its own. */
export function judgeText(text: string, scope: Scope): void {
  const hidden = hiddenIn(text);
  if (hidden) (hidden.unsure ? doubt : refuse)(scope, hidden.culprit ?? text, hidden.reason);
  judgeScript(scope.parse(text), { ...inner(scope), text }, text);
}

/** Nothing but comments. A zsh that a person types into takes them for commands. */
const isComment = (text: string, { context }: Scope): boolean =>
  context.shell !== 'zsh' && /^(?:\s*#[^\n]*(?:\n|$))+\s*$/.test(text);

export function judgeStatements(statements: readonly Statement[], scope: Scope): void {
  for (const { background, command, pos, end } of statements) {
    const { cwd } = scope;
    judgeNode(command, scope, {});
    mayHaveStayed(cwd, scope);
    if (background)
      note(
        scope,
        'medium',
        scope.text.slice(pos, end).trimEnd().replace(/&$/, '').trimEnd() || '&',
        'It leaves a process running in the background.',
      );
  }
}

/** A `cd` that fails leaves the line where it was. Behind `&&` it did not fail. */
function mayHaveStayed(cwd: string | undefined, scope: Scope): void {
  if (cwd !== undefined && cwd !== scope.cwd && !scope.formerly.includes(cwd))
    scope.formerly = [...scope.formerly, cwd];
}

function judgeNode(node: Node, scope: Scope, flow: Flow): Flow {
  spend(scope);
  switch (node.type) {
    case 'AndOr': {
      const { cwd } = scope;
      for (const [at, part] of node.commands.entries()) {
        if (node.operators[at - 1] === '||') mayHaveStayed(cwd, scope);
        judgeNode(part, scope, {});
      }
      return {};
    }
    case 'Pipeline': {
      const narrowed = showsLittle(node.commands.slice(1));
      return node.commands.reduce<Flow>((sum, part) => stage(part, scope, sum), { ...flow, narrowed });
    }
    case 'Command':
      return judgeCommand(node, scope, flow);
    case 'Redirected': {
      const [lines, ...more] = judgeRedirects(node.redirects, scope);
      return judgeNode(node.command, scope, lines !== undefined && more.length === 0 ? { ...flow, lines } : flow);
    }
    case 'Subshell':
      judgeStatements(node.body.commands, { ...scope, variables: new Map(scope.variables) });
      return {};
    case 'BraceGroup':
      judgeStatements(node.body.commands, scope);
      return {};
    case 'If':
      branches(
        [
          node.clause,
          node.then,
          ...node.elif.flatMap((one) => [one.clause, one.then]),
          ...(node.else ? [node.else] : []),
        ],
        scope,
      );
      return {};
    case 'While':
      judgeWhile(node, scope, flow);
      return {};
    case 'Case':
      resolve(node.word, scope);
      for (const { pattern } of node.items) for (const word of pattern) resolve(word, scope);
      branches(
        node.items.map(({ body }) => body),
        scope,
      );
      return {};
    case 'For':
      judgeFor(node.name, node.wordlist, node.body, scope);
      return {};
    case 'TestCommand':
      judgeTest(node.expression, scope);
      return {};
    case 'ArithmeticCommand':
      arithmetic(node.expression, node.body, scope);
      return {};
    case 'Function':
      judgeFunction(node, scope);
      return {};
    default:
      doubt(scope, node.type, 'This shell construct is not judged as safe.');
      return {};
  }
}

/** After something from the network, only what merely looks may follow. */
function stage(node: Node, scope: Scope, flow: Flow): Flow {
  const before = scope.effects.length;
  const after = judgeNode(node, scope, flow);
  const found = scope.effects.slice(before);
  const fetched = found.find((effect) => effect.kind === 'fetches');
  const last = found.at(-1);
  const part = flow.source && scope.text.slice(flow.source.at, node.end);
  if (flow.network && (node.type !== 'Command' || found.some(doesSomething))) {
    const handed = handedOn({ culprit: last?.culprit ?? '|', part, address: flow.source?.address, program: last?.by });
    saySameOfInput(scope, before, handed);
    scope.effects.push(handed);
  } else {
    pointAtPipeline(scope, before, flow.source, part);
  }
  const input = found.flatMap((effect) =>
    effect.kind === 'reads' && effect.place.where === 'inside' ? [effect.place.path] : [],
  );
  const here = { at: node.pos, ...(fetched && { address: fetched.url }), ...(last?.by && { program: last.by.whole }) };
  const source = flow.source?.address === undefined ? here : flow.source;
  const fromGit = node.type === 'Command' && node.name?.value === 'git';
  return { ...after, network: flow.network || fetched !== undefined, input, piped: true, fromGit, source };
}

function branches(lists: readonly CompoundList[], scope: Scope): void {
  const start = scope.cwd;
  for (const list of lists) judgeStatements(list.commands, scope);
  if (scope.cwd !== start) scope.cwd = undefined;
}

/** A loop that leaves processes running starts any number of them. */
function alone(lists: readonly CompoundList[], scope: Scope): void {
  if (lists.some(({ commands }) => commands.some(({ background }) => background)))
    refuse(scope, '&', 'It leaves any number of processes running.');
}

/** A loop whose `read` is given paths, or the lines of a file that can be looked up, goes over these. */
function judgeWhile({ clause, body }: Extract<Node, { type: 'While' }>, scope: Scope, flow: Flow): void {
  alone([clause, body], scope);
  const name = nameRead(clause);
  const values = flow.paths ?? linesOf(flow.lines, scope);
  if (name === undefined || values === undefined) return branches([clause, body], scope);
  branches([clause], scope);
  for (const value of values) {
    spend(scope);
    scope.variables.set(name, value);
    branches([body], scope);
  }
}

/** The one variable that `read -r NAME` sets. */
function nameRead({ commands: [statement, ...more] }: CompoundList): string | undefined {
  const command = statement?.command;
  if (more.length > 0 || command?.type !== 'Command' || command.name?.text !== 'read') return undefined;
  const names = command.args.map((argument) => argument.text).filter((text) => !/^-[rsE]+$/.test(text));
  const [name] = names;
  return names.length === 1 && name !== undefined && settable(name) ? name : undefined;
}

const mostLines = 100;

function linesOf(path: string | undefined, { context, written }: Scope): readonly Value[] | undefined {
  const text = path === undefined || written.has(path) ? undefined : context.lookUp?.('text', path, '.')?.text;
  const lines = [
    ...new Set(
      text
        ?.split('\n')
        .map((line) => line.trim())
        .filter((line) => line !== ''),
    ),
  ];
  return text === undefined || lines.length > mostLines ? undefined : lines.map((line) => literal(line));
}

function judgeFor(name: Word, wordlist: readonly Word[] | undefined, body: CompoundList, scope: Scope): void {
  alone([body], scope);
  const values = wordlist?.flatMap((word) => resolve(word, scope));
  if (!values || !settable(name.value)) return refuse(scope, name.text, 'What the loop goes over is not written down.');
  for (const value of values) {
    scope.variables.set(name.value, value);
    branches([body], scope);
  }
}

function judgeCommand(command: Command, scope: Scope, flow: Flow): Flow {
  for (const part of command.prefix) {
    if (part.type !== 'Assignment') continue;
    // What separates words, for this one `read` only.
    if (
      command.name?.text === 'read' &&
      part.name === 'IFS' &&
      /^IFS=('[^']*'|\$'(\\[nt0])+'|[^$`\\"'(]?)$/.test(part.text)
    )
      continue;
    judgeAssignment(part, command.name !== undefined, scope);
  }
  const input = judgeRedirects(command.redirects, scope);
  if (!command.name) {
    if (!command.prefix.some(({ type }) => type === 'Assignment')) onlyRedirects(command.redirects, scope);
    return {};
  }
  const names = resolve(command.name, scope);
  const before = scope.effects.length;
  const words = command.args.flatMap((argument): Value[] =>
    argument.type === 'Word' ? resolve(argument, scope) : assignmentWord(argument, scope),
  );
  const [name] = names;
  if (names.length !== 1 || name?.kind !== 'literal' || !(scope.context.started || writtenOut(command.name.parts))) {
    tellOf([...names, ...words], scope);
    doubt(scope, command.name.text, 'What it runs is only known when it runs.');
    return {};
  }
  const called = scope.functions.get(name.text);
  if (called) {
    judgeCall(called, scope);
    return {};
  }
  // What a substitution fetches is a word or a file to the tool: only what merely looks may have it.
  const fetched = scope.effects.slice(before).find((effect) => effect.kind === 'fetches');
  if (writesForEver(name.text.replace(/^.*\//, ''), words, command.redirects))
    refuse(scope, command.name.text, 'It writes without end.');
  const from = scope.effects.length;
  const given = command.redirects.flatMap((redirect) =>
    redirect.type === 'HereDoc' ? [redirect.body.text] : givenWord(redirect, scope),
  );
  const written = inputWritten(command.redirects);
  const after = scope.analyser.judgeCall([name, ...words], scope, {
    ...flow,
    ...(written && { written }),
    ...(input.length > 0 && { input }),
    ...(given.length > 0 && { given, piped: false }),
  });
  if (fetched && scope.effects.slice(from).some(doesSomething)) {
    const by = scope.effects.slice(from).find(({ by: one }) => one)?.by;
    const part = scope.text.slice(command.pos, command.end);
    scope.effects.push(handedOn({ culprit: command.name.text, part, address: fetched.url, program: by }));
  }
  return after;
}

/** `> file` without a command: the shell makes the file, or empties it. */
function onlyRedirects(redirects: readonly Redirection[], scope: Scope): void {
  const targets = redirects.flatMap((redirect) =>
    redirect.type !== 'HereDoc' && /^(?:>|>\||&>)$/.test(redirect.operator) ? (redirect.target ?? []) : [],
  );
  const [emptied] = targets;
  scope.effects.push({
    kind: 'other',
    level: 'high',
    culprit: emptied?.text ?? '',
    reason: 'No command was found in it.',
    ...(emptied && { says: `Empties ${emptied.text}, or creates it.` }),
  });
}

/** The text of `<<< text`, as far as it is written down. */
function givenWord({ operator, target }: Exclude<Redirection, { type: 'HereDoc' }>, scope: Scope): string[] {
  if (operator !== '<<<' || !target) return [];
  return resolve(target, scope).flatMap(({ kind, text }) => (kind === 'literal' ? [text] : []));
}

/** `cat /dev/urandom > file`: nothing but a full disk stops it. */
const writesForEver = (name: string, words: readonly Value[], redirects: readonly Redirection[]): boolean =>
  (name === 'yes' ||
    (/^(cat|tail|tac|cp|tee|tr|base64|hexdump|xxd)$/.test(name) &&
      words.some(({ text }) => /^\/dev\/(zero|u?random|full)$/.test(text)))) &&
  !words.some(({ text }) => /^-(n|c|l)|^--(bytes|lines|len)/.test(text)) &&
  (name === 'cp' ||
    redirects.some(
      (redirect) =>
        redirect.type !== 'HereDoc' &&
        /^(>|>>|>\||&>|&>>)$/.test(redirect.operator) &&
        redirect.target !== undefined &&
        !/^(\/dev\/null|&?\d|-)$/.test(redirect.target.text),
    ));

/** The name of a command must stand there, not come out of an expansion. */
export function writtenOut(parts: Word['parts']): boolean {
  return (parts ?? []).every(
    (part) =>
      part.type === 'Literal' ||
      part.type === 'SingleQuoted' ||
      (part.type === 'DoubleQuoted' && writtenOut(part.parts)),
  );
}

/** The here-document that is a program's input; where something in it is expanded, it is only known when it runs. */
function inputWritten(redirects: readonly Redirection[]): Value | undefined {
  const last = redirects.filter((redirect) => redirect.type === 'HereDoc' || /^<(<<)?$/.test(redirect.operator)).at(-1);
  if (last?.type !== 'HereDoc') return undefined;
  const { text } = last.body;
  return last.delimiter?.quoted || !/[$`\\]/.test(text) ? literal(text) : unknown('', text);
}

/** The input of a program that is written in the line may be a script: whoever listens is told what it would start. */
function givenAsInput(text: string, scope: Scope): void {
  if (scope.context.started && text.trim() !== '') judgeText(text, { ...scope, effects: [] });
}

/** The files of the workspace that standard input comes from. */
function judgeRedirects(redirects: readonly Redirection[], scope: Scope): readonly string[] {
  const before = scope.effects.length;
  for (const redirect of redirects) {
    if (redirect.descriptor?.type === 'FileDescriptorVariable')
      doubt(scope, redirect.descriptor.name, 'This redirection is not judged as safe.');
    if (redirect.type === 'HereDoc') {
      if (!redirect.delimiter?.quoted) resolveParts(redirect.body.parts, scope);
      givenAsInput(redirect.body.text, scope);
      continue;
    }
    const { operator, target } = redirect;
    const values = target ? resolve(target, scope) : [];
    const [value] = values;
    if (operator === '<<<') {
      givenAsInput(value?.kind === 'literal' ? value.text : '', scope);
      continue;
    }
    if (operator === '<' && value?.kind === 'glob' && values.length === 1) {
      touch(scope, 'reads', value);
      continue;
    }
    if (!value || values.length > 1 || value.kind !== 'literal') {
      doubt(scope, target?.text ?? operator, 'It redirects to a place that is only known when it runs.');
      continue;
    }
    if (/^[<>]&$/.test(operator) && /^([0-9]|-)$/.test(value.text)) continue;
    if (operator.endsWith('&') && /[$`]|[<>]\(/.test(value.text))
      refuse(scope, value.source, 'The shell expands this name twice.');
    if (/^\/dev\/(tcp|udp)\//.test(value.text)) refuse(scope, value.text, 'It talks to the network.');
    if (operator === '<') touch(scope, 'reads', value);
    else if (operator === '<>' || operator === '<&')
      doubt(scope, value.source, 'This redirection is not judged as safe.');
    else if (placeOf(value, scope.cwd, scope.context.workspace).path === '.')
      refuse(scope, value.source, 'It redirects to a folder.');
    else touch(scope, 'writes', value);
  }
  return scope.effects
    .slice(before)
    .flatMap((effect) => (effect.kind === 'reads' && effect.place.where === 'inside' ? [effect.place.path] : []));
}

/** Judges what stands between `[[` and `]]`. */
function judgeTest(expression: TestExpression, scope: Scope): void {
  spend(scope);
  switch (expression.type) {
    case 'TestLogical':
      for (const one of expression.operands) judgeTest(one, scope);
      return;
    case 'TestNot':
      return judgeTest(expression.operand, scope);
    case 'TestGroup':
      return judgeTest(expression.expression, scope);
    case 'TestUnary':
      resolve(expression.operand, scope);
      if (/^-[vR]$/.test(expression.operator))
        refuse(scope, expression.operand.text, 'This test runs what is between brackets.');
      return;
    case 'TestBinary': {
      for (const side of [expression.left, expression.right]) {
        // A regular expression may hold bare parentheses.
        if (expression.operator !== '=~' || /`|\$[({]|[<>]\(/.test(side.text)) resolve(side, scope);
        if (
          /^-(eq|ne|lt|le|gt|ge)$/.test(expression.operator) &&
          !plainNumber(side.text.replace(/^"?\$?\{?|\}?"?$/g, ''), scope)
        )
          refuse(scope, side.text, 'A comparison of numbers runs what its variables hold.');
      }
    }
  }
}

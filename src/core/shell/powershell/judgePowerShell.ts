import { anyOf, sequence, exactlyOneOf } from '../../text/alternatives';
import { judgeRole } from '../calls/judgeByManual';
import { judgeEffect } from '../verdict/judgeEffect';
import { judgeCmdFloor } from '../cmd/judgeCmd';
import { losesVital } from '../verdict/floor';
import { programBelowFloor, textBelowFloor, withVitalFolders } from '../verdict/programFloor';
import { isVitalFolder } from '../verdict/vitalPlaces';
import { refuseMoved } from '../programs/files/changing';
import { environmentProblem } from '../syntax/environmentNames';
import { judgeCd, judgePopd, judgePushd } from '../programs/shell/builtins';
import {
  attribute,
  doubt,
  drop,
  dropWithoutCd,
  note,
  refuse,
  refuseFloor,
  spend,
  touch,
  type Scope,
} from '../effects/scope';
import { touchBelow } from '../effects/protectedBelow';
import { glob, globWithDotFiles, literal, unknown, type Value, splitWords } from '../syntax/value';
import { matchesAnything } from '../syntax/globs';
import { judgeWindows, refuseOddName } from '../cmd/judgeCmd';
import { type Call, eachNamed } from '../calls/manual';
import { isSameInEveryShell } from '../calls/isSameInEveryShell';
import type { SyntaxNode } from '../../ports/scripts';
import { cmdletNamed, parameterNamed, parameterOf, type Cmdlet } from './cmdlets';
import { doesSomething, type Effect } from '../effects/effect';

/** Nodes without an effect of their own. Only their children are judged. */
const transparentNodes = new Set(
  splitWords(`
    program comment script_block script_block_body script_block_expression
    statement_list statement_block empty_statement flow_control_statement
    pipeline pipeline_chain pipeline_chain_tail foreach_command redirections
    try_statement catch_clauses catch_clause catch_type_list finally_clause while_statement while_condition
    do_statement if_statement elseif_clauses elseif_clause else_clause
    switch_statement switch_parameters switch_parameter switch_condition switch_body switch_clauses switch_clause
    switch_clause_condition
    for_statement for_initializer for_condition for_iterator
    string_literal verbatim_string_characters expandable_string_literal
    integer_literal decimal_integer_literal real_literal
    member_access member_name simple_name element_access
    argument_list argument_expression_list argument_expression
    sub_expression parenthesized_expression array_expression array_literal_expression
    unary_expression expression_with_unary_operator comparison_operator format_operator
    logical_expression bitwise_expression comparison_expression additive_expression
    multiplicative_expression format_expression range_expression
    logical_argument_expression bitwise_argument_expression comparison_argument_expression
    additive_argument_expression multiplicative_argument_expression format_argument_expression
    range_argument_expression
  `),
);

/** Methods that only compute, and types whose members do. */
const computing = exactlyOneOf(
  [
    /To(Upper|Lower|String|Char\w+|Short\w+String)/,
    /Trim(Start|End)?/,
    'Split Replace Substring StartsWith EndsWith Contains IndexOf LastIndexOf',
    /Pad(Left|Right)/,
    /Add(Days|Hours|Minutes|Seconds|Months|Years)/,
    'Equals CompareTo GetType Count Where',
  ],
  'i',
);
const computingType = sequence(
  [
    /^\[(System\.)?/,
    anyOf([
      'Environment Math DateTime TimeSpan Guid Version Int32 Int64 Double Decimal String Char Boolean Int Long Bool Array',
      'Regex IO.Path',
    ]),
    /\]$/,
  ],
  'i',
);
const computingMember = sequence(
  [
    /^(?!GetTemp|GetRandom)/,
    anyOf([
      'Round Floor Ceiling Abs Max Min Pow Sqrt PI E Now UtcNow Today Parse TryParse NewGuid Empty',
      /IsNullOr\w+/,
      'Join Format Concat Match Matches IsMatch Split Replace Escape MaxValue MinValue Combine',
      'GetFileName GetExtension GetDirectoryName GetFileNameWithoutExtension ChangeExtension',
      'OSVersion ProcessorCount Is64BitOperatingSystem Is64BitProcess NewLine MachineName TickCount',
      'DirectorySeparatorChar FromSeconds FromMinutes DaysInMonth ToString',
    ]),
    /$/,
  ],
  'i',
);
/** Variables with a special meaning in PowerShell. */
const ownVariable = sequence(
  [
    /^\$/,
    anyOf([
      /ps\w*/,
      'env profile home pwd host',
      /error\w*/,
      /execution\w*/,
      'ofs',
      /output\w*/,
      'input args function',
      /verbose\w*/,
      /warning\w*/,
      /debug\w*/,
      /progress\w*/,
      /information\w*/,
      /confirm\w*/,
      /whatif\w*/,
      /maximum\w*/,
      /format\w*/,
      /log\w*/,
      'transcript',
      /nested\w*/,
      'shellid',
      /stack\w*/,
      'this true false null matches',
      /event\w*/,
      'foreach switch sender lastexitcode myinvocation',
      /is\w+/,
      /native\w*/,
    ]),
    /$/,
  ],
  'i',
);
const knownVariable = sequence(
  [
    /^\$/,
    anyOf([
      /env:(?:PATH|HOME|USERPROFILE|USERNAME|COMPUTERNAME|OS|TEMP|NODE_ENV|CI|PROCESSOR_ARCHITECTURE)/,
      '_',
      /\?/,
      'PSItem LASTEXITCODE PSVersionTable true false null PWD HOME',
    ]),
    /$/,
  ],
  'i',
);
const reason = 'Uses a PowerShell construct that is not known to be safe.';

/** Sizes such as `1MB`, which the grammar does not support. */
const size = /(?:[KMGTP]B)(?<=[\s(=,]\d+[KMGTP]B)(?=[\s)},;|]|$)/gi;

/** Unquoted words in a list, such as `a, b`, which the grammar does not support either. */
const unquotedListWord = /(?<=[\s,])[\w.*\\/-]+(?=\s*,)|(?=[\w.*\\/-])(?<=[\w*]\s*,\s*)[\w.*\\/-]+(?=[\s,;|)]|$)/g;

const properties = anyOf([
  'FullName Name BaseName Extension Length DirectoryName LastWriteTime CreationTime Id ProcessName Path',
  'Source Version Status Line LineNumber Filename Value Key Count',
]);
/** `| ForEach-Object Name`, which prints one property. Any other name could be a method. */
const eachProperty = new RegExp(
  String.raw`(?:%|ForEach-Object|foreach)(?<=\|\s*(?:%|ForEach-Object|foreach))(?=\s+${properties.source}\s*(?:$|[|;)]))`,
  'gi',
);

/**
 * Parses a text. If that fails, retries with sizes replaced by numbers and unquoted list items by strings, which mean
 * the same.
 */
export function treeOf(text: string, parse: (text: string) => SyntaxNode): SyntaxNode {
  const tree = parse(text);
  if (!tree.hasError) return tree;
  const plainer = text
    .replace(size, '00')
    .replace(unquotedListWord, "'$&'")
    .replace(eachProperty, 'Select-Object -ExpandProperty');
  return plainer === text ? tree : parse(plainer);
}

/** Judges a PowerShell syntax tree. Everything that is not known to be harmless is high. */
export function judgePowerShell(tree: SyntaxNode, scope: Scope): void {
  if (tree.hasError) {
    refuse(scope, tree.text, 'Contains PowerShell syntax that could not be read.');
    return refuseTextFloor(tree.text, scope);
  }
  if (namedChildren(tree).length === 0) return refuse(scope, tree.text, 'Contains no command.');
  judgeNode(tree, scope);
  if (scope.effects.length === 0) note(scope, 'low', tree.text);
}

/** Finds what a text would destroy that is not analysed. Variables have the text that the line assigns to them. */
function refuseTextFloor(text: string, scope: Scope): void {
  let plain = text;
  for (const [, name = '', value = ''] of scope.text.matchAll(/(\$\w+)\s{0,9}=\s{0,9}['"]([^'"$\n]{1,200})['"]/g))
    plain = plain.replaceAll(name, value);
  const why = textBelowFloor(plain);
  if (why !== undefined) refuseFloor(scope, text, why);
}

const namedChildren = (node: SyntaxNode): SyntaxNode[] =>
  node.children.filter((child): child is SyntaxNode => child !== null && child.isNamed);
const childOf = (node: SyntaxNode, type: string): SyntaxNode | undefined =>
  namedChildren(node).find((child) => child.type === type);

type NodeJudge = (node: SyntaxNode, scope: Scope) => void;

const judgeVariable: NodeJudge = ({ text }, scope) => {
  const isKnown = knownVariable.test(text) || scope.variables.has(text.toLowerCase());
  if (!isKnown) doubt(scope, text, 'Uses a variable whose value is not known.');
};

/** Judges `$count++`. */
const judgeCounting: NodeJudge = (node, scope) => {
  const counted = namedChildren(node)[0]?.text.toLowerCase() ?? '';
  if (!scope.variables.has(counted)) refuse(scope, node.text, reason);
};

/** What a node does in addition to its children, by node type. */
const nodeJudges: ReadonlyMap<string, NodeJudge> = new Map(
  Object.entries<NodeJudge>({
    command: judgeNamedCommand,
    variable: judgeVariable,
    pipeline_chain: judgeChain,
    invokation_expression: judgeCall,
    assignment_expression: judgeAssignment,
    ...eachNamed(
      'post_increment_expression post_decrement_expression pre_increment_expression pre_decrement_expression',
      judgeCounting,
    ),
    foreach_statement: judgeEach,
    redirection: judgeRedirection,
    cast_expression: judgeCast,
    member_access: (node, scope) => (childOf(node, 'type_literal') ? judgeCall : judgeInside)(node, scope),
  }),
);

function judgeNode(node: SyntaxNode, scope: Scope): void {
  spend(scope);
  if (node.isMissing) return refuse(scope, node.text, reason);
  const judgeOne = nodeJudges.get(node.type) ?? (transparentNodes.has(node.type) ? judgeInside : undefined);
  if (judgeOne) judgeOne(node, scope);
  else refuse(scope, node.text, reason);
}

function judgeInside(node: SyntaxNode, scope: Scope): void {
  const start = scope.cwd;
  for (const child of namedChildren(node)) judgeNode(child, scope);
  // Only one of the branches runs, so the folder is unknown.
  if (/^(?:if|try|while|do|switch)_statement$/.test(node.type) && scope.cwd !== start) scope.cwd = undefined;
}

/** Judges a method call or a member of a type. Only those that compute are allowed. */
function judgeCall(node: SyntaxNode, scope: Scope): void {
  const [target, member, ...argumentNodes] = namedChildren(node);
  if (!target || member?.type !== 'member_name') return refuse(scope, node.text, reason);
  const isOfType = target.type === 'type_literal';
  const computes = isOfType
    ? computingType.test(target.text) && computingMember.test(member.text)
    : computing.test(member.text);
  if (!computes) return refuse(scope, node.text, reason);
  for (const child of isOfType ? argumentNodes : [target, ...argumentNodes]) judgeNode(child, scope);
}

/** Types of plain values, to which a cast only converts. */
const plainType = sequence(
  [
    /^\[(?:System\.)?/,
    anyOf([/u?int(?:16|32|64)?/, 'long double float decimal string bool char datetime timespan version guid array']),
    /(?:\[\])?\]$/,
  ],
  'i',
);

function judgeCast(node: SyntaxNode, scope: Scope): void {
  const [type, ...converted] = namedChildren(node);
  if (!type || !plainType.test(type.text)) return refuse(scope, node.text, reason);
  for (const child of converted) judgeNode(child, scope);
}

/** Judges a `foreach` loop. The values of its variable are unknown, unless it lists files. */
function judgeEach(node: SyntaxNode, scope: Scope): void {
  const [variable, ...rest] = namedChildren(node);
  if (variable?.type !== 'variable' || !/^\$[a-z_]\w*$/i.test(variable.text) || ownVariable.test(variable.text))
    return refuse(scope, node.text, reason);
  const items = /^[\w.*\\/ -]+$/.test(rest[0]?.text ?? '') ? listedBy(rest[0]!) : undefined;
  const item = items?.length === 1 ? { ...items[0]!, source: variable.text } : unknown('', variable.text);
  scope.variables.set(variable.text.toLowerCase(), item);
  for (const part of rest) judgeNode(part, scope);
}

/** Judges an assignment to a user variable. Its value stays unknown. */
function judgeAssignment(node: SyntaxNode, scope: Scope): void {
  const [left, operator, ...right] = namedChildren(node);
  const name = left?.text ?? '';
  const variable = /^\$env:(\w+)$/i.exec(name)?.[1];
  if (operator?.text === '=' && variable !== undefined) return setEnvironment(variable, right, node.text, scope);
  if (operator?.text === '=' && /^\$null$/i.test(name)) return right.forEach((part) => judgeNode(part, scope));
  if (operator?.text === '=' && setsData(name, scope)) return right.forEach((part) => judgeNode(part, scope));
  if (operator?.text !== '=' || !/^\$[a-z_]\w*$/i.test(name) || ownVariable.test(name) || right.length === 0)
    return refuse(scope, node.text, reason);
  for (const part of right) judgeNode(part, scope);
  scope.variables.set(name.toLowerCase(), unknown('', name));
}

/** A longer value is not read. */
const longestValue = 200;

/** `Get-Content a.json | ConvertFrom-Json` */
const fromJson = /^\(?(?:get-content|gc|cat|type) [\w .\\/'"-]*\| {0,9}ConvertFrom-Json$/i;

/**
 * Returns whether `$json.version` is a property of data: every value that the line gives to the variable comes from
 * JSON. A property of a file or process would change that.
 */
function setsData(name: string, { variables, text }: Scope): boolean {
  const variable = /^(\$[a-z_]\w*)(?:\.\w+)+$/i.exec(name)?.[1]?.toLowerCase();
  if (variable === undefined || ownVariable.test(variable) || !variables.has(variable)) return false;
  const given = [...text.matchAll(/(\$\w+)\s{0,9}(=|in\b)/gi)].filter(([, one]) => one!.toLowerCase() === variable);
  return given.every(({ 0: whole, 2: operator, index }) => {
    const start = index + whole.length;
    const [value = ''] = text.slice(start, start + longestValue).split(/[;\n]/, 1);
    return operator === '=' && fromJson.test(value.trim().replace(/\)$/, '').trimEnd());
  });
}

/** Judges `$env:NODE_ENV = 'test'`. Allows the same variables that may precede a command in other shells. */
function setEnvironment(name: string, valueNodes: readonly SyntaxNode[], whole: string, scope: Scope): void {
  const text = /^\s*(?:'([^']*)'|"([^"$`]*)"|(\d+))\s*$/.exec(valueNodes.map((node) => node.text).join(' '));
  const value = text && literal(text[1] ?? text[2] ?? text[3]!);
  const isHarmless = value && !environmentProblem(name.toUpperCase(), value, scope.context.confined);
  if (isHarmless) note(scope, 'medium', whole, 'Sets a variable of the shell.');
  else refuse(scope, whole, reason);
}

/** Judges a pipeline. Stages after a download may only read. */
function judgeChain(chain: SyntaxNode, scope: Scope): void {
  let network = false;
  let listed: Value[] | undefined;
  for (const [at, part] of namedChildren(chain).entries()) {
    const before = scope.effects.length;
    const within: Scope = at > 0 ? { ...scope, ...(listed && { listed }), passed: listed, piped: true } : scope;
    judgeNode(part, within);
    scope.cwd = within.cwd;
    scope.formerly = within.formerly;
    const handsOn = /^(where|\?|sort|select)/i.test(part.text);
    listed = listedBy(part) ?? (handsOn ? listed : undefined);
    const found = scope.effects.slice(before);
    // What a pipeline removes or ends may be named in an earlier part.
    if (found.some(({ kind, ...effect }) => kind === 'other' && 'level' in effect && effect.level === 'high'))
      refuseTextFloor(chain.text, scope);
    if (network && found.some(doesSomething)) scope.effects.push(runOfDownload(part, chain));
    network ||= found.some(({ kind }) => kind === 'fetches');
  }
}

function runOfDownload(part: SyntaxNode, chain: SyntaxNode): Effect {
  const isRun = /^(iex|invoke-expression|powershell|pwsh|cmd|node|python\d?)\b/i.test(part.text.trim());
  return {
    kind: 'other',
    level: 'high',
    culprit: part.text,
    part: chain.text,
    harm: isRun ? 'runs' : 'changes',
    reason: 'Passes data from the network to a program.',
    ...(isRun && { says: 'Runs what it downloads from the network.' }),
  };
}

/** Judges a command and attributes the effects to it. */
function judgeNamedCommand(command: SyntaxNode, scope: Scope): void {
  const before = scope.effects.length;
  judgeCommand(command, scope);
  const [name = '', ...words] = command.text.split(/\s+/).filter(Boolean);
  attribute(scope, before, { name, words: words.map((word) => literal(word)), whole: command.text });
}

type CommandJudge = (elements: readonly SyntaxNode[], scope: Scope, whole: string) => void;

/** Commands judged by code, by all their names. */
const commandJudges: ReadonlyMap<string, CommandJudge> = new Map(
  Object.entries<CommandJudge>({
    ...eachNamed('cd sl chdir set-location', goTo),
    ...eachNamed('push-location pushd', (elements, scope, whole) => {
      judgePushd(folderCall(elements, scope, whole));
    }),
    ...eachNamed('pop-location popd', (elements, scope, whole) => {
      note(scope, 'low', whole);
      judgePopd(folderCall(elements, scope, whole));
    }),
    ...eachNamed('remove-item ri rm del rd rmdir erase', judgeRemoval),
    ...eachNamed('invoke-webrequest iwr invoke-restmethod irm', fetchPage),
  }),
);

function judgeCommand(command: SyntaxNode, scope: Scope): void {
  const parts = namedChildren(command);
  const [first, ...more] = parts;
  if (first?.type === 'foreach_command' && more.length === 0) return judgeNode(first, scope);
  const name = childOf(command, 'command_name')?.text ?? '';
  const isPlain = parts.every(({ type }) => type === 'command_name' || type === 'command_elements');
  if (!isPlain || !/^[\w.?%-]+$/.test(name)) {
    refuse(scope, command.text, 'Runs something that is only known when it runs.');
    return refuseTextFloor(command.text, scope);
  }
  const elements = parts
    .flatMap((part) => (part.type === 'command_elements' ? namedChildren(part) : []))
    .filter(({ type }) => type !== 'command_argument_sep');
  for (const element of elements) if (element.type === 'redirection') judgeRedirection(element, scope);
  const words = elements.filter(({ type, text }) => type !== 'redirection' && !/^[12*]>\$null$/i.test(text));
  const isNumber = /^\d+(\.\.\d+)?$/.test(name);
  if (isNumber && words.length === 0) return note(scope, 'low', command.text);
  if (/^(?:iex|invoke-expression|powershell|pwsh|stop-process|spps|kill)(?:\.exe)?$/i.test(name))
    refuseTextFloor(command.text, scope);
  const below = programBelowFloor(
    name.toLowerCase().replace(/\.exe$/, ''),
    words.map(({ text }) => literal(asPath(text))),
  );
  if (below !== undefined) refuseFloor(scope, command.text, below);
  if (/^cmd(?:\.exe)?$/i.test(name)) judgeCmdFloor(command.text, scope);
  const byCode = commandJudges.get(name.toLowerCase());
  if (byCode) return byCode(words, scope, command.text);
  const cmdlet = cmdletNamed(name);
  if (cmdlet) return judgeCmdlet(cmdlet, words, scope, command.text);
  judgeProgram(name.replace(/\.(exe|cmd)$/i, '').toLowerCase(), words, scope, command.text);
}

function judgeRedirection({ text, children }: SyntaxNode, scope: Scope): void {
  if (/^[1-6*]>&[12]$/.test(text)) return;
  const target = children.find((child) => child?.type === 'redirected_file_name');
  const [file, ...more] = target ? namedChildren(target).filter(({ type }) => type !== 'command_argument_sep') : [];
  if (!file || more.length > 0) return refuse(scope, text, reason);
  const [value] = valuesOf(file, scope);
  if (value && /^\$null$/i.test(value.source)) return;
  if (value?.kind === 'glob') touch(scope, 'writes', value);
  if (!value || value.kind !== 'literal')
    return refuse(scope, text, 'Redirects to a place that is only known when it runs.');
  refuseOddName(scope, value.text);
  touch(scope, 'writes', value);
}

const bareWordTypes = new Set(['generic_token', 'integer_literal', 'decimal_integer_literal', 'real_literal']);
const listTypes = new Set(['array_literal_expression', 'unary_expression']);

/** Returns the values of an argument. Blocks and commands inside it are judged. */
function valuesOf(node: SyntaxNode, scope: Scope): Value[] {
  spend(scope);
  const { type, text } = node;
  if (bareWordTypes.has(type)) return [bareValue(text)];
  if (/^-?\d+$/.test(text)) return [literal(text)];
  if (listTypes.has(type)) return namedChildren(node).flatMap((child) => valuesOf(child, scope));
  if (/^(["']?)\$(?:HOME|env:USERPROFILE)\1$/i.test(text)) return [literal('~', text)];
  const isPlainText = type === 'string_literal' && /^(?:'[^']*'|"[^"$`]*")$/.test(text);
  if (isPlainText) return [literal(asPath(text.slice(1, -1)), text)];
  const item = scope.variables.get(text.replace(/\.FullName$/i, '').toLowerCase());
  if (item?.kind === 'glob') return [{ ...item, source: text }];
  judgeNode(node, scope);
  return [unknown('', text)];
}

const asPath = (text: string): string => text.replaceAll('\\', '/');

/** Returns the value of an unquoted word. */
function bareValue(text: string): Value {
  const isBelowKnownFolder = /^\$(HOME|PWD)([\\/][\w.\\/-]*)?$/i.test(text);
  if (isBelowKnownFolder) return literal(asPath(text.replace(/^\$HOME/i, '~').replace(/^\$PWD/i, '.')), text);
  if (!/^[\w.\\/:*?~+=@^#-]+$/.test(text) || text.startsWith('@')) return unknown('', text);
  // PowerShell drives: the environment, variables, the registry.
  if (/^[a-z]{2,}:(?!\/\/)/i.test(text) || text.includes('::')) return unknown('', text);
  return /[*?]/.test(text) ? glob(asPath(text), text) : literal(asPath(text), text);
}

interface GivenParameter {
  readonly name: string;
  /** Undefined for a switch. */
  readonly value: readonly Value[] | undefined;
  readonly source: string;
}

interface CommandArguments {
  readonly words: Value[];
  /** For each word, its position among the arguments that are no parameters. The words of `a, b` have the same. */
  readonly positions: number[];
  readonly parameters: GivenParameter[];
}

/** Sorts arguments into words and parameters. A parameter takes the next argument unless it is a switch. */
function parametersOf(
  elements: readonly SyntaxNode[],
  isSwitch: (name: string) => boolean,
  scope: Scope,
): CommandArguments {
  const commandArguments: CommandArguments = { words: [], positions: [], parameters: [] };
  let position = -1;
  for (let at = 0; at < elements.length; at++) {
    const element = elements[at]!;
    if (element.type !== 'command_parameter') {
      // In `a , b`, the second argument begins with the comma.
      if (!element.text.startsWith(',')) position++;
      for (const value of valuesOf(element, scope)) {
        commandArguments.words.push(value);
        commandArguments.positions.push(position);
      }
      continue;
    }
    const name = /^-(\w+):?$/.exec(element.text)?.[1];
    if (name === undefined) {
      refuse(scope, element.text, reason);
      continue;
    }
    const next = elements[at + 1];
    const hasValue = !isSwitch(name) && next !== undefined && next.type !== 'command_parameter';
    if (hasValue) at++;
    commandArguments.parameters.push({
      name,
      value: hasValue ? valuesOf(next, scope) : undefined,
      source: element.text,
    });
  }
  return commandArguments;
}

/** One call of a known cmdlet. */
interface CmdletCall extends CommandArguments {
  readonly cmdlet: Cmdlet;
  readonly scope: Scope;
  readonly whole: string;
}

function judgeCmdlet(cmdlet: Cmdlet, elements: readonly SyntaxNode[], scope: Scope, whole: string): void {
  const others = withoutBlocks(cmdlet, elements, scope, whole);
  const call = withName({
    ...parametersOf(others, (name) => parameterOf(cmdlet, name) === 'on', scope),
    cmdlet,
    scope,
    whole,
  });
  note(scope, cmdlet.level, whole, cmdlet.level === 'medium' ? 'Changes files of the workspace.' : undefined);
  const namesPathByParameter = judgeParameters(call);
  if (cmdlet.words.length === 0 && call.words.length > 0)
    return refuse(scope, whole, 'Handles each item with code that is not written as a block.');
  const namesPathByWord = judgeWords(call);
  if (cmdlet.fromPipeline && !namesPathByParameter && !namesPathByWord) judgePassed(call);
  const chosen = valuesOfParameter(call, /^(filter|include)$/);
  // A value that selects among the files decides which are read.
  if (cmdlet.words[0] !== 'list') for (const value of chosen) readChosen(value, scope);
  if (cmdlet === cmdletNamed('sls')) searchFor(call, chosen);
  if (makesOtherThanFile(call)) refuse(scope, whole, 'Creates a link or something else that is not a file.');
}

/** Judges a cmdlet that works on the files that the pipeline passes to it. */
function judgePassed({ cmdlet, scope, whole }: CmdletCall): void {
  const isKnown = cmdlet.words[0] === 'read' && scope.passed !== undefined;
  if (!isKnown) return refuse(scope, whole, 'Works on files that are only known when it runs.');
  for (const one of scope.passed!) touch(scope, 'reads', one);
}

/** `New-Item -Path src -Name a.ts` is the same as `New-Item src/a.ts`. */
function withName(call: CmdletCall): CmdletCall {
  const { cmdlet, parameters, words } = call;
  const isNamed = (parameter: GivenParameter, name: string): boolean => parameterNamed(cmdlet, parameter.name) === name;
  const name = parameters.find((one) => isNamed(one, 'name'))?.value?.[0];
  if (cmdlet !== cmdletNamed('new-item') || name === undefined) return call;
  const folder = parameters.find((one) => isNamed(one, 'path'))?.value?.[0] ?? words[0] ?? literal('.');
  const path = [folder, name].every(({ kind }) => kind === 'literal')
    ? literal(`${folder.text}/${name.text}`, name.source)
    : unknown('', name.source);
  const others = parameters.filter((one) => !isNamed(one, 'name') && !isNamed(one, 'path'));
  return { ...call, parameters: others, words: [path, ...words.slice(1)], positions: [0, ...call.positions.slice(1)] };
}

/** Judges the script blocks given to a cmdlet and returns the other arguments. */
function withoutBlocks(
  cmdlet: Cmdlet,
  elements: readonly SyntaxNode[],
  scope: Scope,
  whole: string,
): readonly SyntaxNode[] {
  const blocks = cmdlet.blocks ? elements.filter(({ text }) => text.startsWith('{')) : [];
  const before = scope.effects.length;
  for (const block of blocks) judgeNode(block, scope);
  // Blocks that select, sort or measure have no reason to have effects.
  const onlyChooses = cmdlet.words.length > 0;
  if (onlyChooses && scope.effects.slice(before).some((effect) => judgeEffect(effect).level !== 'low'))
    refuse(scope, whole, 'Uses a filter that does more than choose.');
  return elements.filter((element) => !blocks.includes(element));
}

/** Judges the named parameters. Returns whether one of the values was a path. */
function judgeParameters(call: CmdletCall): boolean {
  const { cmdlet, parameters, scope } = call;
  let namesPath = false;
  for (const { name, value = [], source } of parameters) {
    const role = parameterOf(cmdlet, name);
    if (role === undefined) refuse(scope, source, `Uses the unknown parameter ${source}.`);
    else if (role !== 'on') for (const one of value) if (judgeValue(role, one, call)) namesPath = true;
  }
  return namesPath;
}

/**
 * Judges positional words. They take the roles that no parameter supplied; the last role repeats. Returns whether one
 * was a path.
 */
function judgeWords(call: CmdletCall): boolean {
  const { cmdlet, parameters, words, positions, scope } = call;
  const isGiven = (role: CmdletRole): boolean => parameters.some(({ name }) => parameterOf(cmdlet, name) === role);
  const roles = cmdlet.words.filter((role) => role === 'text' || !isGiven(role));
  let namesPath = false;
  for (const [at, value] of words.entries()) {
    const role = roles[Math.min(positions[at]!, roles.length - 1)];
    if (role === undefined) refuse(scope, value.source, reason);
    else if (judgeValue(role, value, call)) namesPath = true;
  }
  return namesPath;
}

type CmdletRole = Cmdlet['words'][number];

/** Judges one value. Returns whether it is a path that the cmdlet works on. */
function judgeValue(role: CmdletRole, value: Value, { cmdlet, scope, whole }: CmdletCall): boolean {
  if (role === 'text') {
    if (value.kind === 'unknown' && namesUnknownVariable(value.source, scope))
      doubt(scope, value.source, 'Uses an argument that is only known when it runs.');
    return false;
  }
  if (value.kind !== 'unknown') refuseOddName(scope, value.text);
  if (role === 'source') {
    touch(scope, 'writes', value);
    touchBelow(scope, value, { verb: 'Moves', culprit: value.source });
  } else if (role === 'copied') {
    touch(scope, 'reads', value);
    touchBelow(scope, value, { verb: 'Copies', culprit: value.source });
  } else if (role === 'emptied') {
    if (value.kind === 'literal') touch(scope, 'writes', value);
    else drop(scope, value, { recursive: false }, whole);
  } else judgeRole(role, value, scope, whole);
  return role === cmdlet.words[0];
}

const namesUnknownVariable = (source: string, scope: Scope): boolean =>
  [...source.matchAll(/\$(env:\w+|\w+)?/gi)].some(
    ([variable]) => !knownVariable.test(variable) && !scope.variables.has(variable.toLowerCase()),
  );

function readChosen({ kind, text, source }: Value, scope: Scope): void {
  if (kind === 'unknown') doubt(scope, source, 'Uses an argument that is only known when it runs.');
  else touch(scope, 'reads', globWithDotFiles(`**/${text}`, source));
}

/** `New-Item -ItemType SymbolicLink` */
const makesOtherThanFile = ({ cmdlet, parameters }: CmdletCall): boolean =>
  parameters.some(({ name, value }) => {
    const isType = /^(itemtype|type)$/.test(parameterNamed(cmdlet, name) ?? '');
    return isType && !/^(file|directory)$/i.test(value?.[0]?.text ?? '');
  });

const valuesOfParameter = ({ cmdlet, parameters }: CmdletCall, pattern: RegExp): Value[] =>
  parameters.flatMap(({ name, value }) => (pattern.test(parameterNamed(cmdlet, name) ?? '') ? (value ?? []) : []));

/** Judges a search. One that matches anything prints whole files, either of a folder or from the pipeline. */
function searchFor(call: CmdletCall, chosen: readonly Value[]): void {
  const { cmdlet, words, parameters, scope, whole } = call;
  const has = (pattern: RegExp): boolean =>
    parameters.some(({ name }) => pattern.test(parameterNamed(cmdlet, name) ?? ''));
  const printsNoLines = has(/^(quiet|list)$/);
  if (printsNoLines) return;
  const named = valuesOfParameter(call, /^pattern$/);
  const patterns = named.length > 0 ? named : words.slice(0, 1);
  const places = [...valuesOfParameter(call, /path$/), ...words.slice(named.length > 0 ? 0 : 1)];
  const printsAll = patterns.some(({ text }) => matchesAnything(text)) || has(/^notmatch$/);
  if (places.length === 0 && scope.listed)
    for (const one of scope.listed) touch(scope, printsAll ? 'reads' : 'searches', one);
  if (!printsAll || chosen.length > 0) return;
  // The pattern also matches names with a leading dot.
  for (const place of places) if (place.kind === 'glob') touch(scope, 'reads', { ...place, hidden: true }, whole);
}

const takesFilter = /^-(fi\w*|in\w*)$/i;
const takesOtherText = /^-(ex\w*|d\w*|ea|erroraction)$/i;

/** Returns the files that a listing command passes down the pipeline. */
function listedBy(command: SyntaxNode): Value[] | undefined {
  const [name = '', ...words] = command.text.trim().split(/\s+/);
  if (/^['"]/.test(name)) return writtenPaths(command.text);
  if (!/^(get-childitem|gci|ls|dir|get-item|gi)$/i.test(name)) return undefined;
  const chosen = words.flatMap((word, at) => (takesFilter.test(word) ? (words[at + 1] ?? '').split(',') : []));
  const names = chosen.filter(Boolean);
  const isValue = (at: number): boolean => {
    const before = words[at - 1] ?? '';
    return takesFilter.test(before) || takesOtherText.test(before);
  };
  const roots = words
    .filter((word, at) => !word.startsWith('-') && !isValue(at))
    .map((word) => asPath(withoutQuotes(word)));
  const isDeep = words.some((word) => /^-(r|re\w*|s)$/i.test(word));
  return (roots.length > 0 ? roots : ['.']).flatMap((root) => {
    const isPattern = /[*?]|\.\w+$/.test(root) && names.length === 0;
    if (isPattern) return [globWithDotFiles(root, command.text)];
    const below = `${root}/${isDeep ? '**/' : ''}`;
    return (names.length > 0 ? names : ['*']).map((each) =>
      globWithDotFiles(`${below}${withoutQuotes(each)}`, command.text),
    );
  });
}

/** `'a', 'b' | Remove-Item` */
const writtenPaths = (text: string): Value[] | undefined =>
  /^\s*(?:'[^']*'|"[^"$`]*")(?:\s*,\s*(?:'[^']*'|"[^"$`]*"))*\s*$/.test(text)
    ? (text.match(/'[^']*'|"[^"]*"/g) ?? []).map((word) => globWithDotFiles(asPath(word.slice(1, -1)), text))
    : undefined;

const withoutQuotes = (word: string): string => word.replace(/['"]/g, '');

function goTo(elements: readonly SyntaxNode[], scope: Scope, whole: string): void {
  judgeCd(folderCall(elements, scope, whole));
}

function folderCall(elements: readonly SyntaxNode[], scope: Scope, whole: string): Call {
  const { words, parameters } = parametersOf(elements, () => false, scope);
  const places = parameters.flatMap(({ name, value = [] }) =>
    /^(path|literalpath)$/i.test(name) ? value : [unknown('', whole)],
  );
  return { name: 'cd', words: [...words, ...places], scope, flow: {}, whole, manual: { level: 'low' } };
}

function judgeRemoval(elements: readonly SyntaxNode[], scope: Scope, whole: string): void {
  const isSwitch = (name: string): boolean => /^(r|re.*|f|fo.*|confirm)$/i.test(name);
  const { words, parameters } = parametersOf(elements, isSwitch, scope);
  for (const { name, source } of parameters)
    if (!isSwitch(name) && !/^(path|literalpath|erroraction|ea)$/i.test(name)) refuse(scope, source, reason);
  // `rm -rf src`: the value of an unknown parameter may be a path.
  const values = [
    ...words,
    ...parameters.flatMap(({ name, value }) => (/^(?:erroraction|ea)$/i.test(name) ? [] : (value ?? []))),
  ];
  if (values.length === 0) refuse(scope, whole, 'Deletes files that are only known when it runs.');
  const recursive = parameters.some(({ name }) => /^r/i.test(name));
  if (values.some(({ kind }) => kind === 'unknown')) refuseTextFloor(whole, scope);
  const takesListed = values.length === 0 || values.some(({ source }) => /^\$(?:_|PSItem)/i.test(source));
  if (takesListed && scope.listed?.some(({ text }) => isVitalFolder(withVitalFolders(text), { glob: true })))
    refuseFloor(scope, whole, losesVital);
  for (const value of values) {
    drop(scope, value, { recursive }, whole);
    dropWithoutCd(scope, value, { recursive }, whole);
    refuseMoved(value, scope, whole);
    if (recursive) touchBelow(scope, value, { verb: 'Deletes', culprit: whole });
  }
}

function fetchPage(elements: readonly SyntaxNode[], scope: Scope, whole: string): void {
  const { words, parameters } = parametersOf(elements, (name) => /^useb/i.test(name), scope);
  for (const { name, value, source } of parameters) {
    if (/^useb/i.test(name)) continue;
    if (/^uri$/i.test(name)) words.push(...(value ?? []));
    else if (/^outfile$/i.test(name) && value?.length === 1) touch(scope, 'writes', value[0]!);
    else refuse(scope, source, 'Sends data, or connects in a way that is not known to be safe.');
  }
  if (words.length !== 1) return refuse(scope, whole, 'Uses an address that is only known when it runs.');
  judgeRole('url', words[0]!, scope, whole);
}

function judgeProgram(name: string, elements: readonly SyntaxNode[], scope: Scope, whole: string): void {
  const [first, ...more] = elements;
  const looksForProgram = name === 'where' && first !== undefined && more.length === 0 && /^[\w.-]+$/.test(first.text);
  if (looksForProgram) return note(scope, 'low', whole);
  const isOfWindows = /^(tree|findstr|tasklist|systeminfo|ipconfig)$/.test(name);
  if (isOfWindows && elements.every(({ text }) => /^[\w.*\\/:-]+$/.test(text)))
    return judgeWindows([name, ...elements.map(({ text }) => text)].join(' '), scope);
  if (!isSameInEveryShell(name) || !scope.analyser.programNamed(name))
    return refuse(scope, whole, `Runs the unknown command "${name.slice(0, 60)}".`);
  const words = elements.flatMap((element) => {
    const { type, text } = element;
    if (type !== 'command_parameter') return valuesOf(element, scope);
    return [/^-[\w-]+$/.test(text) ? literal(text) : unknown('', text)];
  });
  scope.analyser.judgeCall([literal(name), ...words], scope, { piped: scope.piped === true });
}

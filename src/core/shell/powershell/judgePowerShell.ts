import { judgeRole } from '../calls/judgeByManual';
import { judge } from '../verdict/policy';
import { environmentProblem } from '../syntax/environmentNames';
import { judgeCd } from '../programs/shell/builtins';
import { attribute, doubt, drop, note, refuse, spend, touch, type Scope } from '../effects/scope';
import { glob, literal, unknown, type Value } from '../syntax/value';
import { fitsAnything } from '../syntax/globs';
import { judgeWindows } from '../cmd/judgeCmd';
import { sameEverywhere } from '../calls/sameEverywhere';
import type { SyntaxNode } from '../../ports/environment';
import { cmdletNamed, parameterNamed, parameterOf, type Cmdlet } from './cmdlets';

/** Nodes that do nothing themselves: what is inside them counts. */
const plain =
  /^(program|flow_control_statement|statement_list|pipeline|pipeline_chain|pipeline_chain_tail|empty_statement|(logical|bitwise|comparison|additive|multiplicative|format|range|array_literal|unary|parenthesized|script_block)_expression|expression_with_unary_operator|comparison_operator|string_literal|verbatim_string_characters|expandable_string_literal|integer_literal|decimal_integer_literal|real_literal|member_name|simple_name|script_block|script_block_body|sub_expression|if_statement|statement_block|else_clause|elseif_clauses|elseif_clause|member_access|comment|redirections|foreach_command|script_block_expression|format_operator|array_expression|element_access|for_initializer|for_condition|for_iterator|for_statement|argument_list|argument_expression_list|argument_expression|(logical|bitwise|comparison|additive|multiplicative|format|range)_argument_expression)$/;
/** Methods that only compute, and types whose members do. */
const computing =
  /^(To(Upper|Lower|String|Char\w+|Short\w+String)|Trim(Start|End)?|Split|Replace|Substring|StartsWith|EndsWith|Contains|IndexOf|LastIndexOf|Pad(Left|Right)|Add(Days|Hours|Minutes|Seconds|Months|Years)|Equals|CompareTo|GetType|Count|Where)$/i;
const computingType =
  /^\[(System\.)?(Math|DateTime|TimeSpan|Guid|Version|Int32|Int64|Double|Decimal|String|Char|Boolean|Int|Long|Bool|Array|Regex|IO\.Path)\]$/i;
const computingMember =
  /^(?!GetTemp|GetRandom)(Round|Floor|Ceiling|Abs|Max|Min|Pow|Sqrt|PI|E|Now|UtcNow|Today|Parse|TryParse|NewGuid|Empty|IsNullOr\w+|Join|Format|Concat|Match|Matches|IsMatch|Split|Replace|Escape|MaxValue|MinValue|Combine|GetFileName|GetExtension|GetDirectoryName|GetFileNameWithoutExtension|ChangeExtension|DirectorySeparatorChar|FromSeconds|FromMinutes|DaysInMonth|ToString)$/i;
/** Variables that mean something to PowerShell itself. */
const ownVariable =
  /^\$(ps\w*|env|profile|home|pwd|host|error\w*|execution\w*|ofs|output\w*|input|args|function|verbose\w*|warning\w*|debug\w*|progress\w*|information\w*|confirm\w*|whatif\w*|maximum\w*|format\w*|log\w*|transcript|nested\w*|shellid|stack\w*|this|true|false|null|matches|event\w*|foreach|switch|sender|lastexitcode|myinvocation|is\w+|native\w*)$/i;
const knownVariable =
  /^\$(env:(?:PATH|HOME|USERPROFILE|USERNAME|COMPUTERNAME|OS|TEMP|NODE_ENV|CI|PROCESSOR_ARCHITECTURE)|_|\?|PSItem|LASTEXITCODE|PSVersionTable|true|false|null|PWD|HOME)$/i;
const reason = 'This PowerShell construct is not judged as safe.';

/** Sizes such as `1MB`, which the grammar does not know. */
const size = /(?:[KMGTP]B)(?<=[\s(=,]\d+[KMGTP]B)(?=[\s)},;|]|$)/gi;

/** A bare word in a list, such as `a, b`, which the grammar cannot read either. */
const listed = /(?<=[\s,])[\w.*\\/-]+(?=\s*,)|(?=[\w.*\\/-])(?<=[\w*]\s*,\s*)[\w.*\\/-]+(?=[\s,;|)]|$)/g;

/** `| ForEach-Object Name`, which shows one property; any other name could be a method. */
const eachProperty =
  /(?:%|ForEach-Object|foreach)(?<=\|\s*(?:%|ForEach-Object|foreach))(?=\s+(?:FullName|Name|BaseName|Extension|Length|DirectoryName|LastWriteTime|CreationTime|Id|ProcessName|Path|Source|Version|Status|Line|LineNumber|Filename|Value|Key|Count)\s*(?:$|[|;)]))/gi;

/**
 * The tree of a text; where it cannot be read, sizes are read as numbers and bare words of lists as strings, which
 * mean the same.
 */
export function treeOf(text: string, parse: (text: string) => SyntaxNode): SyntaxNode {
  const tree = parse(text);
  if (!tree.hasError) return tree;
  const plainer = text
    .replace(size, '00')
    .replace(listed, "'$&'")
    .replace(eachProperty, 'Select-Object -ExpandProperty');
  return plainer === text ? tree : parse(plainer);
}

/** Judges a tree of PowerShell. Everything that is not known to be harmless is high. */
export function judgePowerShell(tree: SyntaxNode, scope: Scope): void {
  if (tree.hasError) return refuse(scope, tree.text, 'The PowerShell syntax could not be read.');
  if (named(tree).length === 0) return refuse(scope, tree.text, 'No command was found in it.');
  judgeNode(tree, scope);
  if (scope.effects.length === 0) note(scope, 'low', tree.text);
}

const named = (node: SyntaxNode): SyntaxNode[] =>
  node.children.filter((child): child is SyntaxNode => child !== null && child.isNamed);
const childOf = (node: SyntaxNode, type: string): SyntaxNode | undefined =>
  named(node).find((child) => child.type === type);

function judgeNode(node: SyntaxNode, scope: Scope): void {
  spend(scope);
  if (node.isMissing) return refuse(scope, node.text, reason);
  if (node.type === 'command') {
    const before = scope.effects.length;
    judgeCommand(node, scope);
    const [name = '', ...words] = node.text.split(/\s+/).filter(Boolean);
    return attribute(scope, before, { name, words: words.map((word) => literal(word)), whole: node.text });
  }
  if (node.type === 'variable')
    return knownVariable.test(node.text) || scope.variables.has(node.text.toLowerCase())
      ? undefined
      : doubt(scope, node.text, 'What this variable holds is not known.');
  if (node.type === 'pipeline_chain') return judgeChain(node, scope);
  if (node.type === 'invokation_expression' || (node.type === 'member_access' && childOf(node, 'type_literal')))
    return judgeCall(node, scope);
  if (node.type === 'assignment_expression') return judgeAssignment(node, scope);
  if (
    /^(post_increment|post_decrement|pre_increment|pre_decrement)_expression$/.test(node.type) &&
    scope.variables.has(named(node)[0]?.text.toLowerCase() ?? '')
  )
    return;
  if (node.type === 'foreach_statement') return judgeEach(node, scope);
  if (node.type === 'redirection') return judgeRedirection(node.text, node.children, scope);
  if (!plain.test(node.type)) return refuse(scope, node.text, reason);
  const start = scope.cwd;
  for (const child of named(node)) judgeNode(child, scope);
  if (node.type === 'if_statement' && scope.cwd !== start) scope.cwd = undefined;
}

/** A method or a member of a type: only those that compute. */
function judgeCall(node: SyntaxNode, scope: Scope): void {
  const [target, member, ...given] = named(node);
  const type = target?.type === 'type_literal';
  if (
    !target ||
    member?.type !== 'member_name' ||
    !(type ? computingType.test(target.text) && computingMember.test(member.text) : computing.test(member.text))
  )
    return refuse(scope, node.text, reason);
  for (const child of type ? given : [target, ...given]) judgeNode(child, scope);
}

/** The variable of a loop holds what the list gives. */
function judgeEach(node: SyntaxNode, scope: Scope): void {
  const [variable, ...rest] = named(node);
  if (variable?.type !== 'variable' || !/^\$[a-z_]\w*$/i.test(variable.text) || ownVariable.test(variable.text))
    return refuse(scope, node.text, reason);
  scope.variables.set(variable.text.toLowerCase(), unknown('', variable.text));
  for (const part of rest) judgeNode(part, scope);
}

/** A variable of the person's own; what it holds stays unknown. */
function judgeAssignment(node: SyntaxNode, scope: Scope): void {
  const [left, operator, ...right] = named(node);
  const name = left?.text ?? '';
  const variable = /^\$env:(\w+)$/i.exec(name)?.[1];
  if (operator?.text === '=' && variable !== undefined) return setEnvironment(variable, right, node.text, scope);
  if (operator?.text === '=' && /^\$null$/i.test(name)) return right.forEach((part) => judgeNode(part, scope));
  if (operator?.text !== '=' || !/^\$[a-z_]\w*$/i.test(name) || ownVariable.test(name) || right.length === 0)
    return refuse(scope, node.text, reason);
  for (const part of right) judgeNode(part, scope);
  scope.variables.set(name.toLowerCase(), unknown('', name));
}

/** `$env:NODE_ENV = 'test'`: the variables that may stand before a command elsewhere. */
function setEnvironment(name: string, given: readonly SyntaxNode[], whole: string, scope: Scope): void {
  const text = /^\s*(?:'([^']*)'|"([^"$`]*)"|(\d+))\s*$/.exec(given.map((node) => node.text).join(' '));
  const value = text && literal(text[1] ?? text[2] ?? text[3]!);
  const isHarmless = value && !environmentProblem(name.toUpperCase(), value, scope.context.confined);
  if (isHarmless) note(scope, 'medium', whole, 'It sets a variable of the shell.');
  else refuse(scope, whole, reason);
}

/** What comes from the network may only be looked at. */
function judgeChain(chain: SyntaxNode, scope: Scope): void {
  let network = false;
  let listed: Value[] | undefined;
  for (const part of named(chain)) {
    const before = scope.effects.length;
    const within: Scope = listed ? { ...scope, listed } : scope;
    judgeNode(part, within);
    scope.cwd = within.cwd;
    scope.formerly = within.formerly;
    listed = listedBy(part) ?? (/^(where|\?|sort|select)/i.test(part.text) ? listed : undefined);
    const found = scope.effects.slice(before);
    if (
      network &&
      found.some((effect) => effect.kind === 'runs' || (effect.kind === 'other' && effect.level !== 'low'))
    ) {
      const isRun = /^(iex|invoke-expression|powershell|pwsh|cmd|node|python\d?)\b/i.test(part.text.trim());
      const reason = 'What comes from the network goes on to a program.';
      scope.effects.push({
        kind: 'other',
        level: 'high',
        culprit: part.text,
        part: chain.text,
        harm: isRun ? 'runs' : 'changes',
        reason,
        ...(isRun && { says: 'Runs what it downloads from the network.' }),
      });
    }
    network ||= found.some(({ kind }) => kind === 'fetches');
  }
}

function judgeCommand(command: SyntaxNode, scope: Scope): void {
  const parts = named(command);
  if (parts.length === 1 && parts[0]!.type === 'foreach_command') return judgeNode(parts[0]!, scope);
  const name = childOf(command, 'command_name');
  if (
    !name ||
    parts.some(({ type }) => type !== 'command_name' && type !== 'command_elements') ||
    !/^[\w.?%-]+$/.test(name.text)
  )
    return refuse(scope, command.text, 'What it runs is only known when it runs.');
  const elements = parts
    .flatMap((part) => (part.type === 'command_elements' ? named(part) : []))
    .filter(({ type }) => type !== 'command_argument_sep');
  for (const { type, text, children } of elements) if (type === 'redirection') judgeRedirection(text, children, scope);
  const words = elements
    .filter(({ type }) => type !== 'redirection')
    .filter(({ text }) => !/^[12*]>\$null$/i.test(text));
  if (/^\d+(\.\.\d+)?$/.test(name.text) && words.length === 0) return note(scope, 'low', command.text);
  const known = cmdletNamed(name.text);
  if (/^(cd|sl|chdir|set-location)$/i.test(name.text)) goTo(words, scope, command.text);
  else if (/^(remove-item|ri|rm|del|rd|rmdir|erase)$/i.test(name.text)) remove(words, scope, command.text);
  else if (/^(invoke-webrequest|iwr|invoke-restmethod|irm)$/i.test(name.text)) fetchPage(words, scope, command.text);
  else if (known) judgeCmdlet(known, words, scope, command.text);
  else judgeProgram(name.text.replace(/\.(exe|cmd)$/i, '').toLowerCase(), words, scope, command.text);
}

function judgeRedirection(text: string, children: SyntaxNode['children'], scope: Scope): void {
  if (/^[1-6*]>&[12]$/.test(text)) return;
  const target = children.find((child) => child?.type === 'redirected_file_name');
  const file = target ? named(target).filter(({ type }) => type !== 'command_argument_sep') : [];
  if (file.length !== 1) return refuse(scope, text, reason);
  const [value] = valuesOf(file[0]!, scope);
  if (value && /^\$null$/i.test(value.source)) return;
  if (!value || value.kind !== 'literal')
    return refuse(scope, text, 'It redirects to a place that is only known when it runs.');
  touch(scope, 'writes', value);
}

/** The values of an argument; blocks and commands inside it are judged on the way. */
function valuesOf(node: SyntaxNode, scope: Scope): Value[] {
  spend(scope);
  const { type, text } = node;
  if (
    type === 'generic_token' ||
    type === 'integer_literal' ||
    type === 'decimal_integer_literal' ||
    type === 'real_literal'
  )
    return [written(text)];
  if (/^-?\d+$/.test(text)) return [literal(text)];
  if (type === 'array_literal_expression' || type === 'unary_expression')
    return named(node).flatMap((child) => valuesOf(child, scope));
  if (type === 'string_literal') {
    if (/^'[^']*'$/.test(text)) return [literal(path(text.slice(1, -1)), text)];
    if (/^"[^"$`]*"$/.test(text)) return [literal(path(text.slice(1, -1)), text)];
  }
  judgeNode(node, scope);
  return [unknown('', text)];
}
const path = (text: string): string => text.replaceAll('\\', '/');
function written(text: string): Value {
  if (/^\$(HOME|PWD)([\\/][\w.\\/-]*)?$/i.test(text))
    return literal(path(text.replace(/^\$HOME/i, '~').replace(/^\$PWD/i, '.')), text);
  if (!/^[\w.\\/:*?~+=@^#-]+$/.test(text) || text.startsWith('@')) return unknown('', text);
  // Drives of PowerShell: the environment, variables, the registry.
  if (/^[a-z]{2,}:(?!\/\/)/i.test(text) || text.includes('::')) return unknown('', text);
  return /[*?]/.test(text) ? glob(path(text), text) : literal(path(text), text);
}

interface Given {
  readonly words: Value[];
  readonly parameters: { name: string; value: Value[] | undefined; source: string }[];
}

/** Parameters take the argument behind them, unless they are switches. */
function givenTo(elements: readonly SyntaxNode[], isSwitch: (name: string) => boolean, scope: Scope): Given {
  const given: Given = { words: [], parameters: [] };
  for (let at = 0; at < elements.length; at++) {
    const element = elements[at]!;
    if (element.type !== 'command_parameter') {
      given.words.push(...valuesOf(element, scope));
      continue;
    }
    const name = /^-(\w+):?$/.exec(element.text)?.[1];
    if (name === undefined) {
      refuse(scope, element.text, reason);
      continue;
    }
    const next = elements[at + 1];
    const value =
      !isSwitch(name) && next && next.type !== 'command_parameter' ? (at++, valuesOf(next, scope)) : undefined;
    given.parameters.push({ name, value, source: element.text });
  }
  return given;
}

function judgeCmdlet(cmdlet: Cmdlet, elements: readonly SyntaxNode[], scope: Scope, whole: string): void {
  const blocks = cmdlet.blocks ? elements.filter(({ text }) => text.startsWith('{')) : [];
  const before = scope.effects.length;
  for (const block of blocks) judgeNode(block, scope);
  // Blocks that choose, sort or measure have no reason to do anything.
  if (cmdlet.words.length > 0 && scope.effects.slice(before).some((effect) => judge(effect).level !== 'low'))
    refuse(scope, whole, 'What should only choose does something.');
  const { words, parameters } = givenTo(
    elements.filter((element) => !blocks.includes(element)),
    (name) => parameterOf(cmdlet, name) === 'on',
    scope,
  );
  note(scope, cmdlet.level, whole, cmdlet.level === 'medium' ? 'It changes files of the workspace.' : undefined);
  let paths = 0;
  const give = (role: Cmdlet['words'][number], value: Value): void => {
    if (role === 'text') {
      if (
        value.kind === 'unknown' &&
        [...value.source.matchAll(/\$(env:\w+|\w+)?/gi)].some(
          ([variable]) => !knownVariable.test(variable) && !scope.variables.has(variable.toLowerCase()),
        )
      )
        doubt(scope, value.source, 'An argument is only known when it runs.');
      return;
    }
    if (role === cmdlet.words[0]) paths++;
    if (role === 'source') touch(scope, 'writes', value);
    else judgeRole(role, value, scope, whole);
  };
  for (const { name, value, source } of parameters) {
    const role = parameterOf(cmdlet, name);
    if (role === undefined) refuse(scope, source, `What the parameter ${source} does is not known.`);
    else if (role !== 'on') for (const one of value ?? []) give(role, one);
  }
  if (cmdlet.words.length === 0 && words.length > 0)
    return refuse(scope, whole, 'What it does with each of them is not written as a block.');
  const roles = cmdlet.words.filter(
    (role) => role === 'text' || !parameters.some(({ name }) => parameterOf(cmdlet, name) === role),
  );
  words.forEach((value, at) => {
    const role = roles[Math.min(at, roles.length - 1)];
    if (role) give(role, value);
    else refuse(scope, value.source, reason);
  });
  if (cmdlet.fromPipeline && paths === 0) refuse(scope, whole, 'Which files it works on is only known when it runs.');
  const chosen = parameters
    .filter(({ name }) => /^(filter|include)$/.test(parameterNamed(cmdlet, name) ?? ''))
    .flatMap(({ value }) => value ?? []);
  // What chooses among the files decides which are read.
  if (cmdlet.words[0] !== 'list')
    for (const { kind, text, source } of chosen) {
      if (kind === 'unknown') doubt(scope, source, 'An argument is only known when it runs.');
      else touch(scope, 'reads', glob(`**/${text}`, source, true));
    }
  if (cmdlet === cmdletNamed('sls')) searchFor(cmdlet, words, parameters, chosen, scope, whole);
  if (
    parameters.some(
      ({ name, value }) =>
        /^(itemtype|type)$/.test(parameterNamed(cmdlet, name) ?? '') &&
        !/^(file|directory)$/i.test(value?.[0]?.text ?? ''),
    )
  )
    refuse(scope, whole, 'It creates a link or something else that is no file.');
}

/** A search for anything prints whole files: of a folder, or those that come down the pipeline. */
function searchFor(
  cmdlet: Cmdlet,
  words: readonly Value[],
  parameters: Given['parameters'],
  chosen: readonly Value[],
  scope: Scope,
  whole: string,
): void {
  const of = (pattern: RegExp): Value[] =>
    parameters.flatMap(({ name, value }) => (pattern.test(parameterNamed(cmdlet, name) ?? '') ? (value ?? []) : []));
  const named = of(/^pattern$/);
  const patterns = named.length > 0 ? named : words.slice(0, 1);
  const places = [...of(/path$/), ...words.slice(named.length > 0 ? 0 : 1)];
  const quiet = parameters.some(({ name }) => /^(quiet|list)$/.test(parameterNamed(cmdlet, name) ?? ''));
  const all =
    patterns.some(({ text }) => fitsAnything(text)) ||
    parameters.some(({ name }) => parameterNamed(cmdlet, name) === 'notmatch');
  if (quiet) return;
  if (places.length === 0 && scope.listed)
    for (const one of scope.listed) touch(scope, all ? 'reads' : 'searches', one);
  if (!all) return;
  // A pattern finds names with a leading dot too.
  if (chosen.length === 0)
    for (const place of places) if (place.kind === 'glob') touch(scope, 'reads', { ...place, hidden: true }, whole);
}

/** The files that a list hands down the pipeline. */
function listedBy(command: SyntaxNode): Value[] | undefined {
  const [first, ...more] = command.text.trim().split(/\s+/);
  if (!/^(get-childitem|gci|ls|dir|get-item|gi)$/i.test(first ?? '')) return undefined;
  const chosen = more
    .flatMap((word, at) => (/^-(fi\w*|in\w*)$/i.test(word) ? (more[at + 1] ?? '').split(',') : []))
    .filter(Boolean);
  const roots = more
    .filter(
      (word, at) => !word.startsWith('-') && !/^-(fi\w*|in\w*|ex\w*|d\w*|ea|erroraction)$/i.test(more[at - 1] ?? ''),
    )
    .map((word) => path(word.replace(/['"]/g, '')));
  const deep = more.some((word) => /^-(r|re\w*|s)$/i.test(word));
  return (roots.length > 0 ? roots : ['.']).flatMap((root) =>
    (chosen.length > 0 ? chosen : ['*']).map((name) =>
      /[*?]|\.\w+$/.test(root) && chosen.length === 0
        ? glob(root, command.text, true)
        : glob(`${root}/${deep ? '**/' : ''}${name.replace(/['"]/g, '')}`, command.text, true),
    ),
  );
}

function goTo(elements: readonly SyntaxNode[], scope: Scope, whole: string): void {
  const { words, parameters } = givenTo(elements, () => false, scope);
  const values = [
    ...words,
    ...parameters.flatMap(({ name, value }) =>
      /^(path|literalpath)$/i.test(name) ? (value ?? []) : [unknown('', whole)],
    ),
  ];
  judgeCd({ name: 'cd', words: values, scope, flow: {}, whole, manual: { level: 'low' } });
}

function remove(elements: readonly SyntaxNode[], scope: Scope, whole: string): void {
  const isSwitch = (name: string): boolean => /^(r|re.*|f|fo.*|confirm)$/i.test(name);
  const { words, parameters } = givenTo(elements, isSwitch, scope);
  for (const { name, source } of parameters)
    if (!isSwitch(name) && !/^(path|literalpath|erroraction|ea)$/i.test(name)) refuse(scope, source, reason);
  const values = [...words, ...parameters.flatMap(({ name, value }) => (/path$/i.test(name) ? (value ?? []) : []))];
  if (values.length === 0) refuse(scope, whole, 'What it deletes is only known when it runs.');
  const recursive = parameters.some(({ name }) => /^r/i.test(name));
  for (const value of values) drop(scope, value, recursive, whole);
}

function fetchPage(elements: readonly SyntaxNode[], scope: Scope, whole: string): void {
  const { words, parameters } = givenTo(elements, (name) => /^useb/i.test(name), scope);
  for (const { name, value, source } of parameters) {
    if (/^useb/i.test(name)) continue;
    if (/^uri$/i.test(name)) words.push(...(value ?? []));
    else if (/^outfile$/i.test(name) && value?.length === 1) touch(scope, 'writes', value[0]!);
    else refuse(scope, source, 'It sends something, or in a way that is not judged as safe.');
  }
  if (words.length !== 1) return refuse(scope, whole, 'The address is only known when it runs.');
  judgeRole('url', words[0]!, scope, whole);
}

function judgeProgram(name: string, elements: readonly SyntaxNode[], scope: Scope, whole: string): void {
  if (name === 'where' && elements.length === 1 && /^[\w.-]+$/.test(elements[0]!.text))
    return note(scope, 'low', whole);
  if (
    /^(tree|findstr|tasklist|systeminfo|ipconfig)$/.test(name) &&
    elements.every(({ text }) => /^[\w.*\\/:-]+$/.test(text))
  )
    return judgeWindows([name, ...elements.map(({ text }) => text)].join(' '), scope);
  if (!sameEverywhere(name) || !scope.analyser.programNamed(name))
    return refuse(scope, whole, `What "${name.slice(0, 60)}" does is not known.`);
  const words = elements.flatMap((element) =>
    element.type === 'command_parameter'
      ? [/^-[\w-]+$/.test(element.text) ? literal(element.text) : unknown('', element.text)]
      : valuesOf(element, scope),
  );
  scope.analyser.judgeCall([literal(name), ...words], scope, {});
}

import type {
  ArithmeticExpression,
  Command,
  ParameterDefaultOperation,
  ParameterExpansionPart,
  ParameterOperation,
  ParsedScript,
  Script,
  Word,
  WordPart,
} from 'unbash';
import { anyOf } from '../../text/alternatives';
import { doubt, type Flow, runFolder, refuse, type Scope, spend, spendExpanded, withInput } from '../effects/scope';
import { glob, literal, type Value } from '../syntax/value';

/** One possible text of a part of a word. `hidden`, `computed`: see `Value`. */
interface Piece {
  readonly text: string;
  readonly glob: boolean;
  readonly unknown: boolean;
  readonly hidden: boolean;
  readonly computed?: true;
}

const numericVariables = /^[?#$!]$|^(RANDOM|SECONDS|LINENO|EPOCHSECONDS|UID|EUID|PPID|COLUMNS|LINES|SHLVL|BASHPID)$/;
const secretName = anyOf(
  [
    /tok(en)?$/,
    /tok(en)?_/,
    'key secret pass pwd_ cred auth dsn',
    /database_?url/,
    'connection private cookie session jwt',
    /_pat$/,
    'webhook',
    /_uri$/,
    'redis_url mongo',
  ],
  'i',
);
const empty: Piece = { text: '', glob: false, unknown: false, hidden: false };

/** Returns the values of a word after brace expansion. Judges every command inside it. */
export function resolve(word: Word, scope: Scope): Value[] {
  spend(scope);
  const source = word.text;
  if (/^=[A-Za-z(./]/.test(source)) refuse(scope, source, 'Uses a word that zsh replaces with the path of a program.');
  if (!word.parts) {
    if (hasUnreadableCharacters(source)) {
      refuse(scope, source, unreadableExpansion);
      return [{ kind: 'unknown', text: '', source }];
    }
    return [{ kind: 'literal', text: word.value, source }];
  }
  return expandParts(word.parts, scope).map((piece) => ({
    kind: valueKind(piece),
    text: piece.text,
    source,
    ...(piece.hidden && { hidden: true }),
    ...(piece.computed && { computed: true as const }),
  }));
}

function valueKind({ unknown, glob }: Piece): Value['kind'] {
  if (unknown) return 'unknown';
  return glob ? 'glob' : 'literal';
}

/** Returns whether a word is written out: no expansion and no pattern changes it. */
export const writtenOut = (parts: Word['parts']): boolean =>
  (parts ?? []).every(
    (part) =>
      part.type === 'Literal' ||
      part.type === 'SingleQuoted' ||
      (part.type === 'DoubleQuoted' && writtenOut(part.parts)),
  );

/** Resolves text in which quotation marks have no meaning, such as a here-document. */
export function resolveParts(parts: readonly WordPart[] | undefined, scope: Scope): void {
  if (parts) expandParts(parts, scope, { quoted: true });
}

export const evaluatesNames = 'Evaluates arithmetic, which runs code in its variables.';
const unreadableExpansion = 'Contains an expansion that could not be read.';

/**
 * Returns whether an unquoted word contains characters that the shell would not take literally, as in `0<(ls)` and
 * `a=($(ls))[b]`.
 */
const hasUnreadableCharacters = (source: string): boolean => /[()<>;&|`]|\$[({]/.test(source.replace(/\\[^]/g, ''));

function expandParts(
  parts: readonly WordPart[],
  scope: Scope,
  { quoted = false }: { readonly quoted?: boolean } = {},
): Piece[] {
  let wholes: Piece[] = [empty];
  for (const [index, part] of parts.entries()) {
    const isZshExpansion = part.type === 'SimpleExpansion' && scope.context.shell === 'zsh';
    if (isZshExpansion && isSubscript(parts[index + 1])) refuse(scope, part.text, evaluatesNames);
    if (!quoted && part.type === 'Literal' && hasUnreadableCharacters(part.text))
      refuse(scope, part.text, unreadableExpansion);
    const isModified = isZshExpansion && isModifier(parts[index + 1]);
    const expanded = isModified ? unknownPieces : expandPart(part, scope, quoted);
    // The words that a substitution returns stay separate only if it is a word of its own.
    const isJoined = part.type === 'CommandExpansion' && expanded.length > 1 && (quoted || parts.length > 1);
    const pieces = isJoined ? unknownPieces : expanded;
    spend(scope, wholes.length * pieces.length);
    wholes = wholes.flatMap((left) => pieces.map((right) => joined(left, right)));
  }
  if (wholes.length > 1)
    spendExpanded(
      scope,
      wholes.reduce((total, { text }) => total + text.length, 0),
    );
  return wholes;
}

/** Appends a piece to another. What follows an unknown piece does not matter. */
function joined(left: Piece, right: Piece): Piece {
  if (left.unknown) return left;
  return {
    text: left.text + right.text,
    glob: left.glob || right.glob,
    unknown: right.unknown,
    hidden: left.hidden || right.hidden,
    ...((left.computed ?? right.computed) && { computed: true as const }),
  };
}

/** In zsh, `$name[x]` needs no braces, and what is between the brackets is arithmetic. */
const isSubscript = (next: WordPart | undefined): boolean =>
  next !== undefined && /^\[(?!(?:[@*]|-?\d+(?:,-?\d+)?)\])/.test(next.text);

/** In zsh, `$name:t` needs no braces either. */
const isModifier = (next: WordPart | undefined): boolean => next !== undefined && /^:[a-zA-Z&]/.test(next.text);

const literalPieces = (text: string, { isGlob = false }: { readonly isGlob?: boolean } = {}): Piece[] => [
  { ...empty, text, glob: isGlob },
];
const unknownPiece: Piece = { ...empty, unknown: true };
const unknownPieces: Piece[] = [unknownPiece];

/** Doubts a part of a word whose expansion is not understood. */
function notSafe({ text }: { readonly text: string }, scope: Scope): Piece[] {
  doubt(scope, text, 'Uses a kind of expansion that is not known to be safe.');
  return unknownPieces;
}

/** Refuses a part of a word, so that its text does not matter. */
function refusedPieces(scope: Scope, source: string, reason: string): Piece[] {
  refuse(scope, source, reason);
  return unknownPieces;
}

function expandPart(part: WordPart, scope: Scope, quoted: boolean): Piece[] {
  spend(scope);
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
      return literalPieces(part.value);
    case 'AnsiCQuoted':
      return /[\u0000-\u001f\u007f]/.test(part.value.replace(/[\n\t]/g, ''))
        ? refusedPieces(scope, part.text, 'Contains escaped control characters.')
        : literalPieces(part.value);
    // The parser leaves bracket patterns unexpanded; the shell expands them.
    case 'Glob':
      return /`|\$[^\]]|[<>]\(/.test(part.text)
        ? refusedPieces(scope, part.text, 'Expands something inside a pattern.')
        : literalPieces(part.text, { isGlob: true });
    case 'DoubleQuoted':
      return expandParts(part.parts, scope, { quoted: true });
    case 'SimpleExpansion':
      return variable(part.text.slice(1), part.text, scope);
    case 'ParameterExpansion':
      return parameter(part, scope, quoted);
    case 'CommandExpansion':
      return substitution(part.script, part.text, scope);
    case 'ArithmeticExpansion':
      return arithmetic(part.expression, part.text, scope) ? literalPieces('0') : unknownPieces;
    case 'ProcessSubstitution':
      // A program writes into `>(…)`, and `<(…)` gets the input of the shell.
      withInput(scope, part.text.startsWith('>') ? { piped: true } : scope.input, () =>
        judgeNested(part.script, part.text, scope),
      );
      return literalPieces('/dev/fd/63');
    case 'BraceExpansion':
      return braces(part.text, scope);
    default:
      return notSafe(part, scope);
  }
}

function variable(name: string, source: string, scope: Scope): Piece[] {
  if (numericVariables.test(name)) return literalPieces('0');
  const value = scope.variables.get(name) ?? variableNamed(name, scope);
  if (value) spendExpanded(scope, value.text.length);
  if (value && !/\s/.test(value.text))
    return [
      {
        text: value.text,
        glob: value.kind === 'glob',
        unknown: value.kind === 'unknown',
        hidden: value.hidden ?? false,
      },
    ];
  if (name === 'HOME') return literalPieces('~');
  if (name === 'PWD' && runFolder(scope) !== undefined) return literalPieces(runFolder(scope)!);
  if (!value && secretName.test(name)) refuse(scope, source, 'Uses a variable that may contain a secret.');
  return unknownPieces;
}

/** Returns the value of a variable in the environment where the command will run. */
const variableNamed = (name: string, { context: { variables = {} } }: Scope): Value | undefined =>
  Object.hasOwn(variables, name) ? literal(variables[name]!) : undefined;

/**
 * Returns the value of `${…}`. Some forms run code: `${!name}`, `${name@P}`, and indexes and offsets, which are
 * arithmetic.
 */
function parameter(part: ParameterExpansionPart, scope: Scope, quoted: boolean): Piece[] {
  const { prefix, index, operation } = part;
  const isOfArray = index !== undefined && /^(?:[@*]|\d+)$/.test(index.text);
  const counts = prefix === '#' && operation === undefined && (index === undefined || isOfArray);
  if (counts) return literalPieces('0');
  const listsKeys = prefix === '!' && operation === undefined && /^[@*]$/.test(index?.text ?? '');
  if ((prefix && !listsKeys) || (index && !isOfArray)) return notSafe(part, scope);
  if (operation === undefined) {
    const value = variable(part.parameter, part.text, scope);
    return index ? unknownPieces : value;
  }
  const changed = changedBy(operation, part, scope, quoted);
  return index && changed.every(({ unknown }) => !unknown) ? unknownPieces : changed;
}

/**
 * Returns the value of a variable after a cut or replacement. It is known only if the variable's value is known and the
 * pattern is literal.
 */
function changedBy(
  operation: ParameterOperation,
  part: ParameterExpansionPart,
  scope: Scope,
  quoted: boolean,
): Piece[] {
  const value = (): Piece[] => variable(part.parameter, part.text, scope);
  switch (operation.type) {
    case 'Default':
      return withDefault(operation, part, scope, quoted);
    case 'Remove': {
      const [pattern] = resolve(operation.operand, scope);
      return value().map((one) => cutFrom(one, operation.operator, pattern));
    }
    case 'Replace':
      for (const word of [operation.pattern, operation.replacement]) resolve(word, scope);
      return value().map(() => unknownPiece);
    case 'CaseModification': {
      if (operation.operand) resolve(operation.operand, scope);
      return value().map(() => unknownPiece);
    }
    case 'Slice': {
      const bounds = [operation.offset.text, operation.length?.text ?? '0'];
      if (!bounds.every((text) => /^\s*-?\d+$/.test(text))) return notSafe(part, scope);
      return value().map(() => unknownPiece);
    }
    default:
      return notSafe(part, scope);
  }
}

/** Judges `${name:-text}` and similar, including `${name:?text}`, which prints the text and stops. */
function withDefault(
  operation: ParameterDefaultOperation,
  part: ParameterExpansionPart,
  scope: Scope,
  quoted: boolean,
): Piece[] {
  if (!/^:?[-+?]$/.test(operation.operator)) return notSafe(part, scope);
  // In double quotes and here-documents, an apostrophe is a literal character, so the text after it is expanded.
  const expandsMore = quoted && /'/.test(operation.operand.text) && /[$`]/.test(operation.operand.text);
  if (expandsMore) doubt(scope, part.text, 'Uses a kind of expansion that is not known to be safe.');
  resolve(operation.operand, scope);
  const value = variable(part.parameter, part.text, scope);
  const isSet =
    !operation.operator.endsWith('+') &&
    (operation.operator.endsWith('?') || variableNamed(part.parameter, scope) !== undefined);
  return isSet ? value : unknownPieces;
}

/**
 * Returns the rest of a text for `${file%.ts}`, `${path##*\/}`. Of the glob patterns, only the usual ones for paths are
 * evaluated.
 */
function cutFrom(piece: Piece, operator: string, pattern: Value | undefined): Piece {
  if (piece.unknown || pattern === undefined || pattern.kind === 'unknown') return unknownPiece;
  const { text } = piece;
  const slash = text.lastIndexOf('/');
  if (pattern.kind === 'glob') {
    if (operator === '##' && pattern.text === '*/') return { ...piece, text: text.slice(slash + 1) };
    if (operator === '%' && pattern.text === '/*' && slash >= 0) return { ...piece, text: text.slice(0, slash) };
    return unknownPiece;
  }
  const cut = pattern.text;
  if (operator.startsWith('#') && text.startsWith(cut)) return { ...piece, text: text.slice(cut.length) };
  if (operator.startsWith('%') && text.endsWith(cut))
    return { ...piece, text: text.slice(0, text.length - cut.length) };
  return piece.glob ? unknownPiece : piece;
}

function judgeNested(script: ParsedScript | undefined, source: string, scope: Scope): void {
  if (!script) doubt(scope, source, 'Runs a nested command that could not be read.');
  else scope.analyser.judgeScript(script, { ...scope, variables: new Map(scope.variables) }, source);
}

function substitution(script: ParsedScript | undefined, source: string, scope: Scope): Piece[] {
  judgeNested(script, source, scope);
  const paths = script && outputPaths(script, scope);
  if (!paths) return unknownPieces;
  return paths.map(({ text, kind, hidden }) => ({
    text,
    glob: kind === 'glob',
    unknown: false,
    hidden: hidden ?? false,
    computed: true as const,
  }));
}

function braces(text: string, scope: Scope): Piece[] {
  const inside = text.slice(1, -1);
  if (/[{}$`'"\\<>()]/.test(inside)) return notSafe({ text }, scope);
  const range = /^(-?\d{1,4})\.\.(-?\d{1,4})$/.exec(inside);
  if (range) return [...new Set([range[1]!, range[2]!, '1'])].flatMap((end) => literalPieces(end));
  if (!inside.includes(',')) {
    if (/\.\./.test(inside)) return unknownPieces;
    return literalPieces(text);
  }
  return inside.split(',').flatMap((one) => literalPieces(one, { isGlob: /[*?[]/.test(one) }));
}

/**
 * Returns whether an expression contains only numbers. Names would be looked up, and their values evaluated as code.
 */
export function arithmetic(expression: ArithmeticExpression | undefined, source: string, scope: Scope): boolean {
  const safe = (node: ArithmeticExpression): boolean => {
    spend(scope);
    switch (node.type) {
      case 'ArithmeticBinary':
        return safe(node.left) && safe(node.right);
      case 'ArithmeticUnary':
        return safe(node.operand);
      case 'ArithmeticTernary':
        return safe(node.test) && safe(node.consequent) && safe(node.alternate);
      case 'ArithmeticGroup':
        return safe(node.expression);
      case 'ArithmeticWord':
        return plainNumber(node.value.replace(/^\$\{?|\}$/g, ''), scope);
      default:
        return false;
    }
  };
  if (expression && safe(expression)) return true;
  refuse(scope, source, evaluatesNames);
  return false;
}

/** Returns whether a text is a number or a variable that this line set to a number. */
export function plainNumber(text: string, scope: Scope): boolean {
  if (/^\d+(#\w+)?$|^0x[0-9a-f]+$/i.test(text) || numericVariables.test(text)) return true;
  const value = scope.variables.get(text);
  return value?.kind === 'literal' && /^-?\d+$/.test(value.text);
}

/** Returns the paths printed by a substitution that consists of one simple command or one pipeline of them. */
function outputPaths(script: Script, scope: Scope): readonly Value[] | undefined {
  const [first, ...others] = script.commands;
  if (!first || others.length > 0) return undefined;
  const commands = first.command.type === 'Pipeline' ? first.command.commands : [first.command];
  let flow: Flow = {};
  for (const command of commands) {
    if (command.type !== 'Command') return undefined;
    const words = plainWords(command);
    if (!words) return undefined;
    flow = { paths: scope.analyser.pathsPrinted(command.name?.value ?? '', words, flow, scope) };
  }
  return flow.paths;
}

const plainParts: ReadonlySet<WordPart['type']> = new Set(['Literal', 'SingleQuoted', 'Glob', 'DoubleQuoted'] as const);

/** Returns the arguments of a command as written, or undefined if something in them is expanded. */
function plainWords(command: Command): Value[] | undefined {
  const words: Value[] = [];
  for (const argument of command.args) {
    if (argument.type !== 'Word' || /[$`]/.test(argument.text)) return undefined;
    const parts = argument.parts ?? [];
    if (!parts.every(({ type }) => plainParts.has(type))) return undefined;
    words.push(
      parts.some(({ type }) => type === 'Glob')
        ? glob(argument.value, argument.text)
        : literal(argument.value, argument.text),
    );
  }
  return words;
}

import fs from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { anyOf, repeated, sequence, exactlyOneOf } from '../../src/core/text/alternatives';
import { builtAtRunTime } from './builtAtRunTime';

/** A regular expression of the product and its location. */
export interface FoundRegex {
  readonly source: string;
  readonly flags: string;
  /** File and line, for failure messages. */
  readonly place: string;
  /** True for a single literal, false for a composed expression. */
  readonly isLiteral: boolean;
}

const parts = ['src', 'webview-ui'];
const foundBefore = new Map<string, readonly FoundRegex[]>();

/**
 * Returns every regular expression of the product: literals, and those built from constants or from the samples in
 * `builtAtRunTime`.
 */
export function foundRegexes(root: string): readonly FoundRegex[] {
  const found = foundBefore.get(root) ?? filesOf(root).flatMap((file) => regexesOf(root, file));
  foundBefore.set(root, found);
  return found;
}

/** Returns samples that match no place in the source. */
export function unusedSamples(root: string): string[] {
  const built = filesOf(root).flatMap((file) => constructionsOf(root, file).map(({ name }) => name));
  return Object.keys(builtAtRunTime).filter((beginning) => !built.some((name) => name.startsWith(beginning)));
}

function samplesFor(name: string): readonly string[] | undefined {
  const beginning = Object.keys(builtAtRunTime).find((each) => name.startsWith(each));
  return beginning === undefined ? undefined : builtAtRunTime[beginning];
}

function filesOf(root: string): string[] {
  return parts.flatMap((part) =>
    fs
      .readdirSync(path.join(root, part), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name) && !name.endsWith('.d.ts') && !name.includes('node_modules'))
      .map((name) => path.join(part, name)),
  );
}

const parsed = new Map<string, ts.SourceFile>();

function parse(root: string, file: string): ts.SourceFile {
  const full = path.join(root, file);
  const known = parsed.get(full);
  if (known) return known;
  const kind = file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const source = ts.createSourceFile(full, fs.readFileSync(full, 'utf8'), ts.ScriptTarget.Latest, true, kind);
  parsed.set(full, source);
  return source;
}

function nodesOf(source: ts.SourceFile): ts.Node[] {
  const nodes: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    nodes.push(node);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return nodes;
}

function lineOf(source: ts.SourceFile, node: ts.Node): number {
  return source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
}

/** Where lists become regular expressions: the calls of its functions are tested. */
const alternatives = path.join('src', 'core', 'text', 'alternatives.ts');
const composing: readonly string[] = ['anyOf', 'exactlyOneOf', 'sequence', 'repeated'];

function composes(node: ts.Node, source: ts.SourceFile): node is ts.CallExpression {
  return (
    ts.isCallExpression(node) &&
    composing.includes(node.expression.getText(source)) &&
    source.statements.some(
      (statement) =>
        ts.isImportDeclaration(statement) &&
        ts.isStringLiteral(statement.moduleSpecifier) &&
        path.basename(statement.moduleSpecifier.text) === 'alternatives',
    )
  );
}

function isConstruction(node: ts.Node, source: ts.SourceFile): node is ts.NewExpression | ts.CallExpression {
  const calls = ts.isNewExpression(node) || ts.isCallExpression(node);
  return (calls && node.expression.getText(source) === 'RegExp') || composes(node, source);
}

/** True if the literal is part of a longer expression: only the whole is ever run. */
function isPart(node: ts.Node, source: ts.SourceFile): boolean {
  for (let around = node.parent; around !== undefined; around = around.parent)
    if (composes(around, source)) return true;
  return false;
}

interface Construction {
  readonly node: ts.NewExpression | ts.CallExpression;
  readonly name: string;
  readonly place: string;
}

/** The places where a file calls `RegExp`, each named after its file and its first argument. */
function constructionsOf(root: string, file: string): Construction[] {
  const source = parse(root, file);
  const found: Construction[] = [];
  if (file === alternatives) return found;
  for (const node of nodesOf(source)) {
    if (!ts.isNewExpression(node) && !ts.isCallExpression(node)) continue;
    if (!isConstruction(node, source) || isPart(node, source)) continue;
    const argument = node.arguments?.[0]?.getText(source).replace(/\s+/g, ' ') ?? '';
    found.push({
      node,
      name: `${path.basename(file)} ${argument.slice(0, 40)}`,
      place: `${file}:${lineOf(source, node)}`,
    });
  }
  return found;
}

function regexesOf(root: string, file: string): FoundRegex[] {
  const source = parse(root, file);
  const literals = nodesOf(source)
    .filter(ts.isRegularExpressionLiteral)
    .filter((node) => !isPart(node, source))
    .map((node) => {
      const end = node.text.lastIndexOf('/');
      return {
        source: node.text.slice(1, end),
        flags: node.text.slice(end + 1),
        place: `${file}:${lineOf(source, node)}`,
        isLiteral: true,
      };
    });
  const built = constructionsOf(root, file).flatMap(({ node, name, place }) => {
    const [pattern, flags] = node.arguments ?? [];
    const flagsText = flags === undefined ? '' : constantOf(flags, source);
    const constant = composes(node, source) ? constantOf(node, source) : pattern && constantOf(pattern, source);
    const sources = typeof constant === 'string' ? [constant] : samplesFor(name);
    if (sources === undefined || typeof flagsText !== 'string') {
      throw new Error(
        `${place} builds a regular expression at run time. Give a sample of it in test/linear/builtAtRunTime.ts, under "${name}".`,
      );
    }
    return sources.map((text) => ({ source: text, flags: flagsText, place, isLiteral: false }));
  });
  return [...literals, ...built];
}

type Constant = string | readonly string[] | undefined;

/** Value of a constant expression; undefined if it uses anything else. */
function constantOf(node: ts.Expression, source: ts.SourceFile): Constant {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node)) return constantOf(node.expression, source);
  if (ts.isTemplateExpression(node)) return joinedTemplate(node, source, false);
  if (ts.isTaggedTemplateExpression(node) && node.tag.getText(source) === 'String.raw') {
    return ts.isTemplateExpression(node.template) ? joinedTemplate(node.template, source, true) : node.template.rawText;
  }
  if (ts.isArrayLiteralExpression(node)) {
    const items = node.elements.map((element) => constantOf(element, source));
    return items.every((item) => typeof item === 'string') ? items : undefined;
  }
  if (
    ts.isCallExpression(node) &&
    ts.isPropertyAccessExpression(node.expression) &&
    node.expression.name.text === 'join'
  ) {
    const list = constantOf(node.expression.expression, source);
    const separator = node.arguments[0] ? constantOf(node.arguments[0], source) : ',';
    return Array.isArray(list) && typeof separator === 'string' ? list.join(separator) : undefined;
  }
  if (ts.isCallExpression(node) && composing.includes(node.expression.getText(source))) return composedOf(node, source);
  if (ts.isPropertyAccessExpression(node) && node.name.text === 'source') return constantOf(node.expression, source);
  if (ts.isIdentifier(node)) return constantNamed(node.text, source);
  if (ts.isRegularExpressionLiteral(node)) return node.text.slice(1, node.text.lastIndexOf('/'));
  return undefined;
}

/** Result of a function of `alternatives.ts` with constant arguments, computed by the same function. */
function composedOf(node: ts.CallExpression, source: ts.SourceFile): string | undefined {
  const list = node.arguments[0];
  if (!list || !ts.isArrayLiteralExpression(list)) return undefined;
  const texts = list.elements.map((element) => constantOf(element, source));
  if (!texts.every((text) => typeof text === 'string')) return undefined;
  const flags = texts.some((text) => /\\[pu]\{/.test(text)) ? 'u' : '';
  const parts = list.elements.map((element, index) =>
    ts.isStringLiteralLike(element) ? texts[index]! : new RegExp(texts[index]!, flags),
  );
  const patterns = parts.filter((part) => typeof part !== 'string');
  switch (node.expression.getText(source)) {
    case 'anyOf':
      return anyOf(parts, flags).source;
    case 'exactlyOneOf':
      return exactlyOneOf(parts, flags).source;
    case 'sequence':
      return sequence(patterns, flags).source;
    default:
      return repeated(patterns).source;
  }
}

function joinedTemplate(node: ts.TemplateExpression, source: ts.SourceFile, raw: boolean): string | undefined {
  const textOf = (part: ts.TemplateLiteralLikeNode): string => (raw ? (part.rawText ?? part.text) : part.text);
  let text = textOf(node.head);
  for (const span of node.templateSpans) {
    const value = constantOf(span.expression, source);
    if (typeof value !== 'string') return undefined;
    text += value + textOf(span.literal);
  }
  return text;
}

/** Finds a constant in the same file, or in the file it is imported from. */
function constantNamed(name: string, source: ts.SourceFile): Constant {
  for (const statement of source.statements) {
    if (ts.isVariableStatement(statement)) {
      const declared = statement.declarationList.declarations.find(
        (declaration) => declaration.name.getText(source) === name,
      );
      if (declared?.initializer) return constantOf(declared.initializer, source);
    }
    if (ts.isImportDeclaration(statement) && ts.isStringLiteral(statement.moduleSpecifier)) {
      const bindings = statement.importClause?.namedBindings;
      const imported =
        bindings && ts.isNamedImports(bindings)
          ? bindings.elements.find((element) => element.name.text === name)
          : undefined;
      if (!imported) continue;
      const file = path.join(path.dirname(source.fileName), `${statement.moduleSpecifier.text}.ts`);
      return constantNamed((imported.propertyName ?? imported.name).text, parse('', file));
    }
  }
  return undefined;
}

import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

/** An import from one file of a part to another. Paths are relative to the repository. */
interface Arrow {
  readonly from: string;
  readonly to: string;
}

/** Maximum number of entries of a folder that is still easy to survey. */
const mostEntries = 25;

/** Returns the file that a relative import refers to, or undefined if it is not one of `files`. */
function targetOf(file: string, specifier: string, files: ReadonlySet<string>): string | undefined {
  if (!specifier.startsWith('.')) return undefined;
  const base = path.join(path.dirname(file), specifier);
  return [base, `${base}.ts`, `${base}.tsx`, `${base}/index.ts`].find((candidate) => files.has(candidate));
}

export function arrowsOf(
  files: readonly string[],
  importsOf: (file: string) => readonly { readonly file: string; readonly from: string }[],
): Arrow[] {
  const known = new Set(files);
  return files.flatMap(importsOf).flatMap(({ file, from }) => {
    const to = targetOf(file, from, known);
    return to === undefined || to === file ? [] : [{ from: file, to }];
  });
}

/**
 * Returns the imports that lead upwards. `floors`: folders of `part` from the bottom up. A folder with its subfolders
 * may import those before it. Files directly in `part` form the roof: they may import everything, and nothing may
 * import them.
 */
export function arrowsUpwards(part: string, floors: readonly string[], arrows: readonly Arrow[]): string[] {
  const floorOf = (file: string): number => {
    let folder = path.relative(part, path.dirname(file));
    if (folder === '') return floors.length;
    while (!floors.includes(folder) && folder !== '.') folder = path.dirname(folder);
    assert.ok(folder !== '.', `${file} lies on no floor of ${part}. Name its folder in test/architecture.test.ts.`);
    return floors.indexOf(folder);
  };
  return arrows.filter(({ from, to }) => floorOf(to) > floorOf(from)).map(({ from, to }) => `${from} → ${to}`);
}

/** Returns import cycles, one line each (Tarjan's strongly connected components). */
export function circlesAmong(files: readonly string[], arrows: readonly Arrow[]): string[] {
  const next = new Map<string, string[]>(files.map((file) => [file, []]));
  for (const { from, to } of arrows) next.get(from)?.push(to);
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const circles: string[] = [];
  const visit = (file: string): void => {
    order.set(file, order.size);
    lowest.set(file, order.get(file)!);
    stack.push(file);
    for (const other of next.get(file) ?? []) {
      if (!order.has(other)) visit(other);
      if (stack.includes(other)) lowest.set(file, Math.min(lowest.get(file)!, lowest.get(other)!));
    }
    if (lowest.get(file) !== order.get(file)) return;
    const circle = stack.splice(stack.indexOf(file));
    if (circle.length > 1) circles.push(circle.sort().join(' ↔ '));
  };
  for (const file of files) if (!order.has(file)) visit(file);
  return circles;
}

/**
 * Returns the folders below `root` with too many entries, with paths relative to `root`. Folders for which `isLeftOut`
 * returns true are skipped with their subfolders.
 */
export function crowdedFolders(root: string, isLeftOut: (folder: string) => boolean): string[] {
  const crowdedBelow = (folder: string): string[] => {
    const entries = fs.readdirSync(path.join(root, folder), { withFileTypes: true });
    const folders = entries.filter((entry) => entry.isDirectory()).map((entry) => path.posix.join(folder, entry.name));
    const own = folder !== '' && entries.length > mostEntries ? [`${folder}: ${entries.length} entries`] : [];
    return [...own, ...folders.filter((each) => !isLeftOut(each)).flatMap(crowdedBelow)];
  };
  return crowdedBelow('');
}

/** Maximum number of lines at which a file with a single importer counts as a fragment of that importer. */
const fragmentLines = 40;

interface Fragments {
  /** File path relative to the repository → text. */
  readonly texts: ReadonlyMap<string, string>;
  readonly arrows: readonly Arrow[];
  /** Returns the part of a file. A file imported by another part is separate for a reason. */
  partOf(file: string): string;
  /** Returns whether a file is loaded on use, and separate for that reason. */
  isLoadedOnUse(file: string): boolean;
}

/** Returns short files imported by only one file of the same part, except ★ lists of alternatives. */
export function fragmentsAmong({ texts, arrows, partOf, isLoadedOnUse }: Fragments): string[] {
  const importers = new Map<string, Set<string>>();
  for (const { from, to } of arrows) importers.set(to, (importers.get(to) ?? new Set()).add(from));
  return [...importers].flatMap(([file, from]) => {
    const [importer] = from;
    const isShort = texts.get(file)!.split('\n').length <= fragmentLines;
    if (!isShort || from.size > 1 || isLoadedOnUse(file)) return [];
    const isOfList = [file, importer!].some((each) => texts.get(each)!.includes('★'));
    const isApart = partOf(importer!) !== partOf(file) || isOfList;
    return isApart ? [] : [`${file} → ${importer}`];
  });
}

const isReadonlyType = (type: ts.TypeNode | undefined, source: ts.SourceFile): boolean =>
  type !== undefined && /^(Readonly|readonly )/.test(type.getText(source));

/** Returns the module-level state of a file: variables that can be reassigned, and mutable collections. */
export function moduleState(file: string, text: string): string[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const lists = source.statements.filter(ts.isVariableStatement).map(({ declarationList }) => declarationList);
  return lists.flatMap((list) => {
    const isConstant = (list.flags & ts.NodeFlags.Const) !== 0;
    return list.declarations
      .filter(({ initializer, type }) => {
        if (!isConstant) return true;
        const made = initializer && ts.isNewExpression(initializer) ? initializer.expression.getText(source) : '';
        return /^(Map|Set|WeakMap|WeakSet|Array|(vscode\.)?EventEmitter)$/.test(made) && !isReadonlyType(type, source);
      })
      .map(({ name }) => `${file}: ${name.getText(source)}`);
  });
}

/** A function, method or component. */
export interface MeasuredFunction {
  /** Such as "src/a.ts:7 name". */
  readonly place: string;
  readonly lines: number;
  /**
   * Its Cognitive Complexity: each condition, loop and `catch` counts 1, and 1 more for each level that it is nested; each
   * chain of equal logical operators counts 1. A function with a name counts by itself; others belong to the function
   * around them and nest one level.
   */
  readonly hardness: number;
}

/** Measures the functions of a file, inner ones too. */
export function functionsIn(file: string, text: string): MeasuredFunction[] {
  const kind = /x$/.test(file) ? ts.ScriptKind.TSX : undefined;
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, kind);
  const lineOf = (position: number): number => source.getLineAndCharacterOfPosition(position).line + 1;
  const found: MeasuredFunction[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node)) {
      const [from, to] = [lineOf(node.getStart(source)), lineOf(node.end)];
      const place = `${file}:${from} ${nameOf(node) ?? 'a function'}`;
      found.push({ place, lines: to - from + 1, hardness: hardnessInside(node, 0) });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function nameOf(node: ts.SignatureDeclaration): string | undefined {
  const { parent } = node;
  const isNamed =
    ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent) || ts.isPropertyDeclaration(parent);
  return (node.name ?? (isNamed ? parent.name : undefined))?.getText();
}

const isBranch = (node: ts.Node): boolean =>
  ts.isConditionalExpression(node) ||
  ts.isSwitchStatement(node) ||
  ts.isIterationStatement(node, false) ||
  ts.isCatchClause(node);

function hardnessInside(node: ts.Node, depth: number): number {
  let sum = 0;
  ts.forEachChild(node, (child) => {
    sum += hardnessOf(child, depth);
  });
  return sum;
}

function hardnessOf(node: ts.Node, depth: number): number {
  if (ts.isFunctionLike(node)) return nameOf(node) === undefined ? hardnessInside(node, depth + 1) : 0;
  if (ts.isIfStatement(node)) {
    const { expression, thenStatement, elseStatement } = node;
    const isElseIf = ts.isIfStatement(node.parent) && node.parent.elseStatement === node;
    const own = (isElseIf ? 1 : 1 + depth) + hardnessOf(expression, depth) + hardnessOf(thenStatement, depth + 1);
    if (!elseStatement) return own;
    return (
      own +
      (ts.isIfStatement(elseStatement) ? hardnessOf(elseStatement, depth) : 1 + hardnessOf(elseStatement, depth + 1))
    );
  }
  if (isBranch(node)) return 1 + depth + hardnessInside(node, depth + 1);
  if (ts.isBinaryExpression(node) && isLogical(node)) {
    const continues = ts.isBinaryExpression(node.parent) && node.parent.operatorToken.kind === node.operatorToken.kind;
    return (continues ? 0 : 1) + hardnessInside(node, depth);
  }
  return hardnessInside(node, depth);
}

const isLogical = ({ operatorToken: { kind } }: ts.BinaryExpression): boolean =>
  kind === ts.SyntaxKind.AmpersandAmpersandToken ||
  kind === ts.SyntaxKind.BarBarToken ||
  kind === ts.SyntaxKind.QuestionQuestionToken;

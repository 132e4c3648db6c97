import ts from 'typescript';

/** Objects that end by themselves, together with their listeners: a prompt that is answered, a tab that is closed. */
const endsByItself = new Set(['pick', 'picker', 'input', 'panel', 'cancelled']);
/** Objects that the user closes. */
const ownedByThePerson = /^vscode\.window\.create(WebviewPanel|Terminal)$/;
/** `OpenSessions` closes each session by its id. An inspector tab and a shell terminal end what they show. */
const endedElsewhere = new Set(['LiveSession', 'inspectorView', 'TerminalMirror']);

const makesRegistration = /^vscode\.\w+\.(on[A-Z]|register|create)\w*(<.*>)?$/s;

interface SourceText {
  readonly file: string;
  readonly text: string;
}

/** Names of the functions that return a disposable to their caller, according to their declared return type. */
function makingFunctions(sources: readonly ts.SourceFile[], classes: ReadonlySet<string>): Set<string> {
  const names = new Set<string>();
  const makes = (type: ts.TypeNode | undefined): boolean => {
    const words = type?.getText() ?? '';
    return /\bDisposable\b/.test(words) || classes.has(words);
  };
  for (const source of sources)
    for (const statement of source.statements) {
      if (ts.isFunctionDeclaration(statement) && statement.name && makes(statement.type))
        names.add(statement.name.text);
      if (!ts.isVariableStatement(statement)) continue;
      for (const { name, initializer } of statement.declarationList.declarations)
        if (initializer && ts.isArrowFunction(initializer) && makes(initializer.type)) names.add(name.getText());
    }
  return names;
}

/** Names of the disposable classes. */
function disposableClasses(sources: readonly ts.SourceFile[]): Set<string> {
  const names = new Set<string>();
  for (const source of sources)
    for (const statement of source.statements)
      if (ts.isClassDeclaration(statement) && statement.name && methodOf(statement, 'dispose'))
        names.add(statement.name.text);
  return names;
}

const methodOf = (owner: ts.ClassDeclaration, name: string): ts.MethodDeclaration | undefined =>
  owner.members.filter(ts.isMethodDeclaration).find((member) => member.name.getText() === name);

function classAround(node: ts.Node): ts.ClassDeclaration | undefined {
  let at: ts.Node = node;
  while (!ts.isSourceFile(at)) {
    if (ts.isClassDeclaration(at)) return at;
    at = at.parent;
  }
  return undefined;
}

/** Returns the function or file that is the scope of a name declared at `node`. */
function scopeAround(node: ts.Node): ts.Node {
  let at = node.parent;
  while (!ts.isSourceFile(at) && !ts.isFunctionLike(at)) at = at.parent;
  return at;
}

/**
 * True if the class disposes of the value stored under a name: its `dispose` mentions it, or it is in a list that is
 * disposed of.
 */
function classEnds(node: ts.Node, name: string, seen: ReadonlySet<ts.Node>): boolean {
  const owner = classAround(node);
  const ending = owner && methodOf(owner, 'dispose');
  if (!owner || !ending) return false;
  if (new RegExp(`\\bthis\\.${name}\\b`).test(ending.getText())) return true;
  let ends = false;
  const visit = (each: ts.Node): void => {
    const isIt = ts.isPropertyAccessExpression(each) && each.getText() === `this.${name}` && !seen.has(each);
    if (isIt && !ts.isBinaryExpression(each.parent)) ends ||= isEnded(each, new Set([...seen, each]));
    ts.forEachChild(each, visit);
  };
  visit(owner);
  return ends;
}

/** True if the called function disposes of an argument: its body calls `dispose` on the parameter. */
function functionEnds(call: ts.CallExpression, argument: ts.Node): boolean {
  const called = call.expression.getText().replace(/<.*$/s, '');
  const at = call.arguments.findIndex((each) => each === argument);
  let ends = false;
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionDeclaration(node) && node.name?.text === called) {
      const parameter = node.parameters[at]?.name.getText();
      ends ||= parameter !== undefined && new RegExp(`\\b${parameter}\\.dispose\\(`).test(node.getText());
    }
    ts.forEachChild(node, visit);
  };
  visit(call.getSourceFile());
  return ends;
}

/**
 * True if a local value is disposed of: `dispose` is called on it, or it is passed to something that disposes of it.
 */
function localEnds(declaration: ts.VariableDeclaration, seen: ReadonlySet<ts.Node>): boolean {
  if (!ts.isIdentifier(declaration.name) || seen.has(declaration)) return false;
  const name = declaration.name.text;
  let ends = false;
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && node.text === name && node !== declaration.name)
      ends ||= isEnded(node, new Set([...seen, declaration]));
    ts.forEachChild(node, visit);
  };
  visit(scopeAround(declaration));
  return ends;
}

const isStore = (call: ts.CallExpression): boolean => /(^|\.)Disposable\.from$/.test(call.expression.getText());

/** `things.push(registration)`: true if something disposes of the list. */
function pushedEnds(call: ts.CallExpression, seen: ReadonlySet<ts.Node>): boolean {
  if (!ts.isPropertyAccessExpression(call.expression) || call.expression.name.text !== 'push') return false;
  const things = call.expression.expression.getText();
  if (things === 'context.subscriptions') return true;
  return things.startsWith('this.') && classEnds(call, things.slice('this.'.length), seen);
}

/** True if the owner of the value of `node` disposes of it. Climbs from the value to where it is stored. */
function isEnded(node: ts.Node, seen: ReadonlySet<ts.Node> = new Set()): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent) && parent.expression === node) {
    if (parent.name.text === 'dispose') return true;
    // `[…].map(…)` and `list.forEach(each => each.dispose())` refer to the same objects.
    return /^(map|flatMap|filter|forEach)$/.test(parent.name.text) && /dispose/.test(parent.parent.getText());
  }
  if (ts.isReturnStatement(parent)) return true;
  if (ts.isArrowFunction(parent)) return ts.isCallExpression(parent.parent) ? isEnded(parent.parent, seen) : true;
  if (ts.isPropertyDeclaration(parent)) return classEnds(parent, parent.name.getText(), seen);
  if (ts.isVariableDeclaration(parent)) return localEnds(parent, seen);
  if (ts.isForOfStatement(parent)) return /\.dispose\(/.test(parent.statement.getText());
  if (ts.isBinaryExpression(parent) && ts.isPropertyAccessExpression(parent.left)) {
    const isOwn = parent.left.expression.kind === ts.SyntaxKind.ThisKeyword;
    return isOwn && classEnds(parent, parent.left.name.text, seen);
  }
  if (ts.isBinaryExpression(parent) && ts.isIdentifier(parent.left)) {
    // A variable of the file that is pushed to `subscriptions` nearby.
    return new RegExp(`subscriptions\\.push\\([^;]*\\b${parent.left.text}\\b`).test(parent.getSourceFile().text);
  }
  if (ts.isCallExpression(parent) && parent.expression !== node)
    return isStore(parent) ? isEnded(parent, seen) : pushedEnds(parent, seen) || functionEnds(parent, node);
  const isOnlyAround =
    ts.isArrayLiteralExpression(parent) ||
    ts.isSpreadElement(parent) ||
    ts.isParenthesizedExpression(parent) ||
    ts.isConditionalExpression(parent) ||
    ts.isAwaitExpression(parent) ||
    ts.isSatisfiesExpression(parent) ||
    ts.isAsExpression(parent);
  return isOnlyAround && isEnded(parent, seen);
}

/** Returns registrations, listeners and emitters that are never disposed of, as "file:line what". */
export function undisposed(texts: readonly SourceText[]): string[] {
  const sources = texts.map(({ file, text }) => ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true));
  const disposable = disposableClasses(sources);
  const functions = makingFunctions(sources, disposable);
  const found: string[] = [];
  const make = (node: ts.Node): boolean => {
    if (ts.isNewExpression(node)) {
      const name = node.expression.getText();
      return /(^|\.)EventEmitter$/.test(name) || (disposable.has(name) && !endedElsewhere.has(name));
    }
    if (!ts.isCallExpression(node)) return false;
    const called = node.expression.getText();
    return (
      (functions.has(called) && !endedElsewhere.has(called)) ||
      (makesRegistration.test(called) && !ownedByThePerson.test(called))
    );
  };
  /** `something.onDidChange(…)` whose returned disposable is discarded. */
  const listensForEver = (node: ts.Node): boolean => {
    if (!ts.isExpressionStatement(node) || !ts.isCallExpression(node.expression)) return false;
    const { expression } = node.expression;
    if (!ts.isPropertyAccessExpression(expression) || !/^on(Did|Will)[A-Z]/.test(expression.name.text)) return false;
    return !endsByItself.has(expression.expression.getText()) && !make(node.expression);
  };
  for (const source of sources) {
    const tell = (node: ts.Node): void => {
      const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
      found.push(`${source.fileName}:${line} ${node.getText().split(/[(\n]/)[0]}`);
    };
    const visit = (node: ts.Node): void => {
      if ((make(node) && !isEnded(node)) || listensForEver(node)) tell(node);
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return found;
}

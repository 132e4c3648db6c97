const name = String.raw`[A-Za-z_]\w*`;
const made = String.raw`(?:Path\(\s*)?(?:tempfile\.)?`;

/** Statements that bind a name to a new file or folder of the module `tempfile`. */
const madeTemporary = [
  new RegExp(String.raw`^[ \t]*(?<name>${name})\s*=\s*${made}(?:mkdtemp|NamedTemporaryFile)\(`, 'gm'),
  new RegExp(String.raw`^[ \t]*${name}\s*,\s*(?<name>${name})\s*=\s*${made}mkstemp\(`, 'gm'),
  new RegExp(
    String.raw`\bwith\s+${made}(?:TemporaryDirectory|NamedTemporaryFile)\([^\n]*\)\s+as\s+(?<name>${name})\s*:`,
    'g',
  ),
];

/** Statements that bind a name to the path of an open file, or to a path below a folder. */
const derivedPath = new RegExp(
  String.raw`^[ \t]*(?<name>${name})\s*=\s*(?:(?<file>${name})\.name|os\.path\.join\(\s*(?<folder>${name})\s*,\s*(?<below>['"][\w.-]+['"])\s*\))\s*$`,
  'gm',
);

/** Code in which the functions of `tempfile`, or the meaning of names, may be others. */
const changesNames =
  /\b(?:exec|eval|globals|locals|vars|setattr)\s*\(|\b__dict__\b|^\s*(?:global|nonlocal)\s|\b(?:tempfile(?:\.\w+)?|mkdtemp|mkstemp)\s*=[^=]|\bpatch[^\n]*(?:tempfile|shutil)|\b(?:def|class|as)\s+(?:mkdtemp|mkstemp|tempfile)\b|\bfrom\s+(?!tempfile\s)[\w.]+\s+import\b[^\n]*(?:mkdtemp|mkstemp|Temporary)/m;

/** Longer code or lines are not examined: reading them could take long. */
const maxCharacters = 20_000;
const maxStatements = 30;
const hasLongLine = /[^\n]{500}/;

/**
 * Returns Python code without the calls that delete only temporary files that it makes itself, such as
 * `shutil.rmtree(folder)` after `folder = tempfile.mkdtemp()`.
 */
export function withoutTemporaryDeletions(code: string): string {
  if (!/\b(?:mkdtemp|mkstemp|TemporaryDirectory|NamedTemporaryFile)\(/.test(code)) return code;
  if (code.length > maxCharacters || hasLongLine.test(code) || changesNames.test(code)) return code;
  const temporary = temporaryNames(code);
  const deletion = new RegExp(
    String.raw`\b(?:(?:shutil\.)?rmtree|os\.(?:unlink|remove|rmdir))\(\s*(${name})(?:\.name)?\s*(?:,\s*ignore_errors\s*=\s*True\s*)?\)`,
    'g',
  );
  return code.replace(deletion, (call, deleted: string) => (temporary.has(deleted) ? '' : call));
}

/** Returns the names that are bound only to temporary files, folders, or paths below such a folder. */
function temporaryNames(code: string): Set<string> {
  /** Where each name is bound to something temporary. */
  const temporary = new Map<string, Set<number>>();
  const bind = ({ index, groups }: RegExpExecArray): void => {
    const line = lineAt(code, index);
    temporary.set(groups!['name']!, (temporary.get(groups!['name']!) ?? new Set()).add(line));
  };
  const statements = madeTemporary.flatMap((pattern) => [...code.matchAll(pattern)]);
  const derived = [...code.matchAll(derivedPath)];
  if (statements.length + derived.length > maxStatements) return new Set();
  for (const found of statements) bind(found);
  // In the order of the code, because a path is derived from what its name meant last.
  for (const found of derived) {
    const { file, folder, below = '' } = found.groups!;
    const from = (file ?? folder)!;
    const last = linesThatBind(code, from).findLast((line) => line < lineAt(code, found.index));
    if (last !== undefined && temporary.get(from)?.has(last) && !/^.\.\.?.$/.test(below)) bind(found);
  }
  return new Set(
    [...temporary]
      .filter(([bound, lines]) => linesThatBind(code, bound).every((line) => lines.has(line)))
      .map(([bound]) => bound),
  );
}

const lineAt = (code: string, index: number): number => code.slice(0, index).split('\n').length;

/** Returns the numbers of the lines that may bind a name: assignments, loops, imports, parameters and `as`. */
function linesThatBind(code: string, bound: string): number[] {
  const word = new RegExp(String.raw`\b${bound}\b`);
  const binds = new RegExp(
    String.raw`(?:^|;)[\w\s,*()]*\b${bound}\b[\w\s,*()]*(?::[^=]*)?[-+*/%&|^@<>]{0,2}=(?!=)|\b${bound}\s*:=|\b(?:for|as|import|class|def|lambda|case)\b.*\b${bound}\b`,
  );
  return code.split('\n').flatMap((line, index) => (word.test(line) && binds.test(line) ? [index + 1] : []));
}

/** Statements that bind a name to a new file or folder of the module `tempfile`. */
const madeTemporary: readonly RegExp[] = [
  /^(\w+) *= *(?:Path\()?(?:tempfile\.)?(?:mkdtemp|NamedTemporaryFile)\(/,
  /^\w+ *, *(\w+) *= *(?:tempfile\.)?mkstemp\(/,
  /^with (?:tempfile\.)?(?:TemporaryDirectory|NamedTemporaryFile)\(.*\) as (\w+):/,
];

/** Statements that bind a name to the path of an open file, or to a path below a folder: the name, and where it is from. */
const derivedPaths: readonly RegExp[] = [
  /^(\w+) *= *(\w+)\.name$/,
  /^(\w+) *= *os\.path\.join\((\w+), *['"](?!\.\.?['"])[\w.-]+['"]\)$/,
];

/** Code in which the functions of `tempfile`, or the meaning of names, may be others. */
const changesNames: readonly RegExp[] = [
  /\b(?:exec|eval|globals|locals|vars|setattr) *\(|\b__dict__\b|\b(?:global|nonlocal) /,
  /\b(?:tempfile(?:\.\w+)?|mkdtemp|mkstemp) *=[^=]/,
  /\b(?:def|class|as) (?:mkdtemp|mkstemp|tempfile)\b/,
  /\bpatch\b[^\n]*(?:tempfile|shutil)/,
  /^ *from (?!tempfile )[\w.]+ import\b[^\n]*(?:mkdtemp|mkstemp|Temporary)/m,
];

const deletion =
  /\b(?:(?:shutil\.)?rmtree|os\.(?:unlink|remove|rmdir))\( *(\w+)(?:\.name)?(?:, *ignore_errors *= *True)? *\)/g;

/**
 * Returns Python code without the calls that delete only temporary files that it makes itself, such as
 * `shutil.rmtree(folder)` after `folder = tempfile.mkdtemp()`.
 */
export function withoutTemporaryDeletions(code: string): string {
  if (!/mkdtemp|mkstemp|TemporaryDirectory|NamedTemporaryFile/.test(code)) return code;
  if (changesNames.some((pattern) => pattern.test(code))) return code;
  const temporary = temporaryNames(code);
  return code.replace(deletion, (call, deleted: string) => (temporary.has(deleted) ? '' : call));
}

/** Returns the names that are bound only to temporary files, folders, or paths below such a folder. */
function temporaryNames(code: string): Set<string> {
  /** Whether what a name was bound to last is temporary. */
  const isTemporary = new Map<string, boolean>();
  const boundToOther = new Set<string>();
  for (const statement of code.split(/[\n;]/)) {
    const text = statement.trim();
    const made = temporaryOf(text, isTemporary);
    for (const name of namesBoundBy(text)) {
      isTemporary.set(name, name === made);
      if (name !== made) boundToOther.add(name);
    }
  }
  return new Set([...isTemporary.keys()].filter((name) => !boundToOther.has(name)));
}

/** Returns the name that a statement binds to something temporary, if it does. */
function temporaryOf(statement: string, isTemporary: ReadonlyMap<string, boolean>): string | undefined {
  for (const pattern of madeTemporary) {
    const found = pattern.exec(statement);
    if (found) return found[1];
  }
  for (const pattern of derivedPaths) {
    const found = pattern.exec(statement);
    if (found && isTemporary.get(found[2]!)) return found[1];
  }
  return undefined;
}

const wordsIn = (text: string): string[] => text.match(/[A-Za-z_]\w*/g) ?? [];

/** Returns the names that a statement may bind: by an assignment, a loop, an import, a parameter or `as`. */
function namesBoundBy(statement: string): string[] {
  const keyword = /\b(?:for|as|import|class|def|lambda|case)\b/.exec(statement);
  const afterKeyword = keyword ? statement.slice(keyword.index + keyword[0].length) : '';
  const loopEnd = keyword?.[0] === 'for' ? afterKeyword.search(/ in\b/) : -1;
  return [
    ...targetsOf(statement),
    ...wordsIn(loopEnd >= 0 ? afterKeyword.slice(0, loopEnd) : afterKeyword),
    ...[...statement.matchAll(/\b([A-Za-z_]\w*) *:=/g)].map(([, name]) => name!),
  ];
}

/** Returns the names before the equals sign of an assignment. Inside of an open bracket, it belongs to an argument. */
function targetsOf(statement: string): string[] {
  const at = /(?<![=!<>])=(?!=)/.exec(statement)?.index;
  const target = statement.slice(0, at ?? 0);
  const depth = target.split('(').length - target.split(')').length;
  return depth > 0 ? [] : wordsIn(target);
}

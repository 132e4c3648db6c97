import fs from 'node:fs';
import path from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { errorCode } from './fileProblems';
import { decodeCharacters } from './textEncoding';

/**
 * Name of the files that list what the agent neither reads nor changes, in the format of .gitignore. Each applies to
 * everything below its folder.
 */
export const agentIgnoreName = '.agentignore';

const maxBytes = 1024 * 1024;
const maxRuleLength = 1000;

/** A path with its links resolved, and the workspace folder that contains it. */
interface Place {
  readonly folder: string;
  readonly absolute: string;
}

/** The rules of a folder, and its depth below the workspace folder. */
interface RulesAt {
  readonly depth: number;
  readonly rules: Ignore;
}

/** What is known of a folder: that it is left out, or the rules in and above it. */
interface KnownFolder {
  readonly isLeftOut: boolean;
  /** Undetermined, and true, if the folder is left out. */
  readonly exists: boolean;
  readonly rules: readonly RulesAt[];
}

/** Maximum path length; no system opens a longer path. */
const maxPathLength = 4096;

/**
 * Returns a function that says whether .agentignore leaves a path out. Everything inside a folder that is left out is
 * left out too. Reads each folder only once, so create a new instance for each operation. If a rules file cannot be
 * read, everything beside and below it is left out.
 */
export function agentIgnoring(): (place: Place, isFolder?: boolean) => boolean {
  /** The folders read so far, by workspace folder and path. */
  const known = new Map<string, Map<string, KnownFolder>>();

  /** `names`: the path of the folder below the workspace folder. */
  const readFolder = (folder: string, names: readonly string[], above: readonly RulesAt[]): KnownFolder => {
    if (names.at(-1) !== agentIgnoreName && isLeftOutBy(above, names, { isFolder: true }))
      return { isLeftOut: true, exists: true, rules: [] };
    const own = readRules(path.join(folder, agentIgnoreName));
    const rules = own ? [...above, { depth: names.length, rules: own }] : above;
    return { isLeftOut: false, exists: own !== undefined || statIfExists(folder) !== undefined, rules };
  };

  return ({ folder: workspaceFolder, absolute }, isFolder = false) => {
    const relative = path.relative(workspaceFolder, absolute);
    const names = relative.split(path.sep);
    if (names[0] === '' || names[0] === '..' || path.isAbsolute(names[0]!)) return false;
    const knownBelow = known.get(workspaceFolder) ?? new Map<string, KnownFolder>();
    known.set(workspaceFolder, knownBelow);
    let folder = workspaceFolder;
    let rulesAbove: readonly RulesAt[] = [];
    for (let depth = 0; depth < names.length; depth++) {
      if (depth > 0) folder = path.join(folder, names[depth - 1]!);
      const state = knownBelow.get(folder) ?? readFolder(folder, names.slice(0, depth), rulesAbove);
      knownBelow.set(folder, state);
      if (state.isLeftOut) return true;
      rulesAbove = state.rules;
      // A missing folder has no rules below it, however long the rest of the path is.
      if (!state.exists && rulesAbove.length === 0) return false;
      if (!state.exists && relative.length > maxPathLength) return true;
    }
    // The rules files themselves can always be read.
    return names.at(-1) !== agentIgnoreName && isLeftOutBy(rulesAbove, names, { isFolder });
  };
}

/** Applies the rules above a path to the path alone; deeper rules take precedence. */
function isLeftOutBy(
  above: readonly RulesAt[],
  names: readonly string[],
  { isFolder }: { readonly isFolder: boolean },
): boolean {
  let leftOut = false;
  for (const { depth, rules } of above) {
    if (depth >= names.length) continue;
    const verdict = rules.test(names.slice(depth).join('/') + (isFolder ? '/' : ''));
    if (verdict.ignored) leftOut = true;
    else if (verdict.unignored) leftOut = false;
  }
  return leftOut;
}

/** Returns the rules of a file, or undefined if it does not exist. A file that cannot be read leaves out everything. */
function readRules(file: string): Ignore | undefined {
  const stat = statIfExists(file);
  if (!stat) return undefined;
  try {
    if (!stat.isFile() || stat.size > maxBytes) throw new Error('It is not a regular file of at most 1 MB.');
    const decoded = decodeCharacters(fs.readFileSync(file));
    if (typeof decoded === 'string') throw new Error('It is neither UTF-8 nor UTF-16 with a byte order mark.');
    const rules = ignore().add(decoded.text.split(/\r?\n/).map(withLimitedCost));
    rules.test('x'); // Fails early if a rule is invalid.
    return rules;
  } catch {
    return ignore().add('*');
  }
}

/**
 * Returns a rule that leaves out at least as much, but whose cost does not grow with the depth of a path or the number
 * of "**" in it. Throws if the rule is unreasonably long.
 */
function withLimitedCost(rule: string): string {
  if (rule.length > maxRuleLength) throw new Error('A rule is too long.');
  if ((rule.match(/\/\*\*(?=\/)/g)?.length ?? 0) <= 2) return rule;
  return rule.startsWith('!') ? '' : rule.replace(/\/\*\*\/.*\/\*\*\//, '/**/');
}

/** Like `fs.lstatSync`, but returns undefined if the path does not exist or a parent of it is a file. */
function statIfExists(file: string): fs.Stats | undefined {
  try {
    return fs.lstatSync(file, { throwIfNoEntry: false });
  } catch (error) {
    if (errorCode(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}

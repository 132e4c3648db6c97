import fs from 'node:fs';
import path from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { errorCode } from './fileProblems';
import { charactersIn } from './textEncoding';

/**
 * Files that say, as .gitignore does, what the agent neither reads nor changes. One
 * in a folder speaks of what lies below it.
 */
export const agentIgnoreName = '.agentignore';

const largest = 1024 * 1024;
const longestRule = 1000;

/** A place with its links resolved, and the workspace folder that it lies in. */
interface Place {
  readonly folder: string;
  readonly absolute: string;
}

/**
 * Tells what .agentignore leaves out. What lies in a folder that is left out is left out too. Looks at the
 * disk once for each folder, so make one for each thing that is done. A file of rules that cannot be read
 * leaves out all that lies beside and below it.
 */
export function agentIgnoring(): (place: Place, isFolder?: boolean) => boolean {
  const rules = new Map<string, Ignore | undefined>();
  const folders = new Map<string, boolean>();
  const rulesIn = (folder: string): Ignore | undefined => {
    if (!rules.has(folder)) rules.set(folder, readRules(path.join(folder, agentIgnoreName)));
    return rules.get(folder);
  };
  const isLeftOut = (top: string, absolute: string, isFolder: boolean): boolean => {
    const names = path.relative(top, absolute).split(path.sep);
    if (names[0] === '' || names[0] === '..' || path.isAbsolute(names[0]!)) return false;
    const parent = path.dirname(absolute);
    if (!folders.has(parent)) folders.set(parent, isLeftOut(top, parent, true));
    if (folders.get(parent)) return true;
    let leftOut = false;
    for (let at = 0; at < names.length; at++) {
      const verdict = rulesIn(path.join(top, ...names.slice(0, at)))?.test(
        names.slice(at).join('/') + (isFolder ? '/' : ''),
      );
      if (verdict?.ignored) leftOut = true;
      else if (verdict?.unignored) leftOut = false;
    }
    // What is left out can always be looked up where it is said.
    return leftOut && names.at(-1) !== agentIgnoreName;
  };
  return ({ folder, absolute }, isFolder = false) => isLeftOut(folder, absolute, isFolder);
}

function readRules(file: string): Ignore | undefined {
  const stat = there(file);
  if (!stat) return undefined;
  try {
    if (!stat.isFile() || stat.size > largest) throw new Error('It is no plain file of less than 1 MB.');
    const read = charactersIn(fs.readFileSync(file));
    if (typeof read === 'string') throw new Error('It is neither UTF-8 nor UTF-16 with a byte order mark.');
    const rules = ignore().add(read.text.split(/\r?\n/).map(quick));
    rules.test('x'); // a rule that cannot be one is found out here
    return rules;
  } catch {
    return ignore().add('*');
  }
}

/**
 * A rule that leaves out no less, and takes no time that grows with how deep a path is and how many "**" stand in it.
 * Throws where it is longer than anybody writes one.
 */
function quick(rule: string): string {
  if (rule.length > longestRule) throw new Error('A rule is too long.');
  if ((rule.match(/\/\*\*(?=\/)/g)?.length ?? 0) <= 2) return rule;
  return rule.startsWith('!') ? '' : rule.replace(/\/\*\*\/.*\/\*\*\//, '/**/');
}

/** Undefined also where what should be a folder is a file. */
function there(file: string): fs.Stats | undefined {
  try {
    return fs.lstatSync(file, { throwIfNoEntry: false });
  } catch (error) {
    if (errorCode(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}

import { anyOf } from '../../text/alternatives';

const rule = /^([\w./-]+(?: +[\w./-]+)*)\s*::?(?!=)([^#=|]*)(?:#.*)?$/;
const variable = /^(?:export\s+)?([A-Za-z_]\w*)\s*(?::{0,2}|\?)=([^\n]*)$/;
/** Constructs that run code while the file is read, or change how it is read. */
const computes = anyOf(
  [
    /\$[({]\s*(shell|eval|call|foreach|file|guile|wildcard)/,
    /^[ \t]*(-?include|sinclude|define|load|ifeq|ifneq|ifdef|ifndef|\.ONESHELL|override|unexport|vpath)\b/,
    /!=/,
    /^[ \t]*(SHELL|MAKEFLAGS|\.SHELLFLAGS)\b/,
    /^[^\t#\r\n\u2028\u2029]*%/,
  ],
  'm',
);

interface Rule {
  readonly needs: string[];
  readonly lines: string[];
}

/**
 * Returns the commands of a target and its prerequisites, as a shell would receive them; the first target if `wanted`
 * is empty. Returns undefined if the makefile computes something, the target is not written out in it, or a variable is
 * known only at run time.
 */
export function makeTarget(makefile: string, wanted: string): string | undefined {
  const read = computes.test(makefile) ? undefined : readMakefile(makefile);
  if (!read) return undefined;
  const target = wanted || [...read.rules.keys()].find((name) => !name.startsWith('.'));
  if (target === undefined || !read.rules.has(target)) return undefined;
  const written = spelledOut(targetLines(target, read.rules).join('\n'), read.variables);
  return written === undefined ? undefined : written || ':';
}

/** What is written out in a makefile. */
interface Makefile {
  /** By target, in the order of the file. */
  readonly rules: Map<string, Rule>;
  readonly variables: Map<string, string>;
}

/** Returns undefined if a line is none that can be read. */
function readMakefile(text: string): Makefile | undefined {
  const read: Makefile = { rules: new Map(), variables: new Map() };
  /** The rules to which the next lines with a tab belong. */
  let open: readonly Rule[] = [];
  for (const line of text.replace(/\\\n[ \t]*/g, ' ').split('\n')) {
    if (line.startsWith('\t')) {
      for (const one of open) one.lines.push(line.slice(1).replace(/^[@+-]+\s*/, ''));
      continue;
    }
    if (/^\s*(#.*)?$/.test(line)) continue;
    const opened = readLine(line, read);
    if (!opened) return undefined;
    open = opened;
  }
  return read;
}

/** Reads a line without a tab. Returns the rules that it begins; undefined if it cannot be read. */
function readLine(line: string, { rules, variables }: Makefile): readonly Rule[] | undefined {
  const [, variableName, value] = variable.exec(line) ?? [];
  if (variableName !== undefined) {
    variables.set(variableName, value!.trim());
    return [];
  }
  const [, names, needs] = rule.exec(line) ?? [];
  if (names === undefined) return /^\.[A-Z_]+\s*:/.test(line) ? [] : undefined;
  return names.split(/ +/).map((name) => {
    const one = rules.get(name) ?? { needs: [], lines: [] };
    for (const need of needs!.split(/\s+/)) if (need !== '') one.needs.push(need);
    rules.set(name, one);
    return one;
  });
}

/**
 * Returns the lines of a target after those of its prerequisites, each once. Iterative, because a chain of
 * prerequisites may exceed the call stack.
 */
function targetLines(target: string, rules: ReadonlyMap<string, Rule>): string[] {
  const lines: string[] = [];
  const begun = new Set([target]);
  const open = [{ name: target, next: 0 }];
  for (let innermost = open.at(-1); innermost; innermost = open.at(-1)) {
    const rule = rules.get(innermost.name);
    const need = rule?.needs[innermost.next++];
    if (need === undefined) {
      // Pushed one by one: a long list would exceed the argument limit of a call.
      for (const line of rule?.lines ?? []) lines.push(line);
      open.pop();
    } else if (!begun.has(need)) {
      begun.add(need);
      open.push({ name: need, next: 0 });
    }
  }
  return lines;
}

/** Maximum number of characters of a target that is judged, after expansion. */
const maxExpandedCharacters = 200_000;

function spelledOut(text: string, variables: ReadonlyMap<string, string>): string | undefined {
  let known = true;
  // Nested variables may expand to a text of any length.
  let left = maxExpandedCharacters;
  const value = (name: string, depth: number): string => {
    const found = variables.get(name);
    left -= found?.length ?? 0;
    if (found === undefined || depth > 8 || left < 0) {
      known = false;
      return '';
    }
    return fill(found, depth + 1);
  };
  const fill = (part: string, depth: number): string =>
    part.replace(/\$\$|\$[({](\w+)[)}]|\$(.)/g, (whole, name: string | undefined) => {
      if (whole === '$$') return '$';
      if (name === undefined) {
        known = false;
        return '';
      }
      return value(name, depth);
    });
  const filled = fill(text, 0);
  return known ? filled : undefined;
}

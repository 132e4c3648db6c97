import { anyOf, sequence, exactlyOneOf } from '../../../text/alternatives';
import { judgeByManual } from '../../calls/judgeByManual';
import type { Call, Judge } from '../../calls/manual';
import { type Options, optionTable, readArguments } from '../../calls/options';
import { doubt, drop, inner, note, refuse, type Scope, touch } from '../../effects/scope';
import { isBuildOutput } from '../../verdict/deletion';
import { glob, globWithDotFiles, literal, type Value } from '../../syntax/value';
import { refuseMoved } from './changing';
import { asksForSecrets } from './search';

const alone = exactlyOneOf([
  '! ( ) ,',
  sequence([
    /-/,
    anyOf([
      'not o or a and print print0 ls prune quit depth d mount xdev empty readable writable executable',
      'true false follow daystart noleaf nouser nogroup ignore_readdir_race warn nowarn L H P E X s',
    ]),
  ]),
]);

const withText = sequence([
  /^-/,
  anyOf([
    'name iname path ipath wholename regex iregex regextype type xtype maxdepth mindepth mtime atime',
    'ctime mmin amin cmin size perm user group uid gid links inum printf lname ilname used fstype',
  ]),
  /$/,
]);

const withFile = /^-(newer|anewer|cnewer|samefile|newer[aBcmt][aBcmt])$/;

const running = /^-(exec|execdir)$/;

const isExpression = ({ text }: Value): boolean => /^-./.test(text) || /^[!(),]$/.test(text);

function rootsOf(words: readonly Value[]): Value[] {
  const lead = words.findIndex(({ text }) => !/^-[LHPEXds]+$/.test(text));
  const from = lead < 0 ? words.length : lead;
  const end = words.findIndex((word, at) => at >= from && isExpression(word));
  const roots = words.slice(from, end < 0 ? words.length : end);
  return roots.length > 0 ? [...roots] : [literal('.')];
}

/** Returns the paths that `find` prints, as patterns with `hidden`, because it finds dot files. */
export function findPattern(words: readonly Value[]): Value[] {
  const at = words.findIndex(({ text }) => /^-(i?name)$/.test(text));
  const negated = at > 0 && /^(!|-not)$/.test(words[at - 1]!.text);
  const either = words.some(({ text }) => /^-(o|or)$|^,$/.test(text));
  const single = at >= 0 && !negated ? [words[at + 1]] : [];
  const names = either ? namesOfEach(words) : single;
  const plain =
    names.length > 0 &&
    !words.some(
      ({ text }, index) =>
        /^(!|-not)$/.test(text) && !/^-(path|ipath|wholename|type|size|empty)$/.test(words[index + 1]?.text ?? ''),
    )
      ? names
      : [undefined];
  return rootsOf(words).flatMap((root) =>
    plain.map((name) =>
      root.kind === 'unknown' || name?.kind === 'unknown'
        ? root
        : globWithDotFiles(`${root.text}/**/${name?.text ?? '*'}`, root.source),
    ),
  );
}

/**
 * Returns the names that the alternatives ask for. Empty if one of them matches any name, unless it is a pruned folder.
 */
function namesOfEach(words: readonly Value[]): Value[] {
  const branches: Value[][] = [[]];
  for (const word of words)
    if (/^-(o|or)$|^,$/.test(word.text)) branches.push([]);
    else branches.at(-1)!.push(word);
  const names = branches.map((branch) => ({
    name: branch[branch.findIndex(({ text }) => /^-(i?name)$/.test(text)) + 1],
    named: branch.some(({ text }) => /^-(i?name)$/.test(text)),
    leavesOut: branch.some(({ text }) => text === '-prune') && !branch.some(({ text }) => running.test(text)),
  }));
  return names.every(({ named, leavesOut }) => named || leavesOut)
    ? names.flatMap(({ name, named, leavesOut }) => (named && !leavesOut && name ? [name] : []))
    : [];
}

/** Returns the paths that `fd` prints, as patterns. */
export function fdPattern(words: readonly Value[], table: Options): Value[] {
  const { operands } = readArguments(words, optionTable(table), 'letters');
  const hidden = words.some(({ text }) => /^-[a-zA-Z]*[HIu]|^--(hidden|no-ignore|unrestricted)/.test(text));
  const kinds = words.flatMap(({ text }, index) =>
    /^(-e|--extension)$/.test(text) && words[index + 1] ? [`*.${words[index + 1]!.text}`] : [],
  );
  const names = kinds.length > 0 ? kinds : ['*'];
  const pattern = hidden ? globWithDotFiles : glob;
  return (operands.length > 1 ? operands.slice(1) : [literal('.')]).flatMap((root) =>
    names.map((name) => (root.kind === 'unknown' ? root : pattern(`${root.text}/**/${name}`, root.source))),
  );
}

/** Judges `fd PATTERN -x COMMAND`. The paths found replace `{}` or are appended to the command. */
export const judgeFd: Judge = ({ name, words, scope, flow, whole, manual }) => {
  const at = words.findIndex(({ text }) => /^(-x|-X|--exec|--exec-batch)$/.test(text));
  if (at < 0)
    return words.some(
      ({ text }) => /^--exec(?:-batch)?=/.test(text) || (text.length > 3 && '--exec-batch'.startsWith(text)),
    )
      ? (doubt(scope, whole, 'Runs a command that could not be read.'), 'done')
      : undefined;
  const command = words.slice(at + 1);
  const { judge, ...table } = manual;
  judgeByManual({ manual: table, name, words: words.slice(0, at), scope, flow, whole });
  if (command.length === 0 || command.some(({ text }) => text === ';' || /\{[./]+\}/.test(text))) {
    doubt(scope, whole, 'Runs a command that could not be read.');
    return 'done';
  }
  if (/^(.*\/)?(ba|z|da|k|a|fi)?sh$/.test(command[0]!.text))
    refuse(scope, whole, 'Starts a shell for each file that it finds.');
  for (const found of fdPattern(words.slice(0, at), manual.options ?? []))
    scope.analyser.judgeCall(
      command.some(({ text }) => text.includes('{}')) ? withFound(command, found) : [...command, found],
      inner(scope),
      flow,
    );
  return 'done';
};

/** Replaces `{}` in a command by the path found. A word that contains more than `{}` becomes unknown. */
const withFound = (command: readonly Value[], found: Value): Value[] =>
  command.map((word) => {
    if (word.text === '{}') return found;
    return word.text.includes('{}') ? { ...word, kind: 'unknown', text: '' } : word;
  });

/** Returns whether `find` only prints paths, and selects them by names that are not those of secrets. */
function onlyFindsNames(words: readonly Value[]): boolean {
  const first = words.findIndex(isExpression);
  if (first < 0) return true;
  return words.slice(first).every(({ kind, text }, at, expression) => {
    const before = expression[at - 1]?.text ?? '';
    if (/^-i?name$/.test(before)) return kind === 'literal' && !asksForSecrets(text);
    if (/^-(type|maxdepth|mindepth)$/.test(before)) return kind === 'literal';
    return /^-(i?name|type|maxdepth|mindepth|o|or|not|print)$|^[!()]$/.test(text);
  });
}

/** `find dist … -delete` deletes no more than `rm -r dist`, unless it follows links. */
function dropFound(words: readonly Value[], scope: Scope, whole: string): void {
  const roots = rootsOf(words);
  const followsLinks = words.some(({ text }) => /^-[LH]$|^-follow$/.test(text));
  const areOutput = roots.every(({ kind, text }) => kind === 'literal' && isBuildOutput(text));
  for (const root of roots) refuseMoved(root, scope, whole);
  if (!followsLinks && areOutput) for (const root of roots) drop(scope, root, { recursive: true }, whole);
  else for (const found of findPattern(words)) drop(scope, found, { recursive: /\/\*$/.test(found.text) }, whole);
}

export const judgeFind: Judge = (call) => {
  const { words, scope, whole } = call;
  note(scope, 'low', whole);
  const effect = onlyFindsNames(words) ? 'lists' : 'searches';
  for (const root of rootsOf(words)) touch(scope, root.text === '/' ? 'searches' : effect, root);
  for (let at = words.findIndex(isExpression); at >= 0 && at < words.length;) at = judgePart(call, at);
  return 'done';
};

/** Judges the part of an expression that begins at an index. Returns the index after it. */
function judgePart(call: Call, at: number): number {
  const { words, scope, whole } = call;
  const { kind, text, source } = words[at]!;
  if (kind === 'unknown') {
    doubt(scope, source, 'Uses an argument that is only known when it runs.');
    return at + 1;
  }
  if (alone.test(text)) return at + 1;
  if (withText.test(text)) return at + 2;
  if (withFile.test(text)) {
    const file = words[at + 1];
    if (file && !/t$/.test(text)) touch(scope, 'lists', file);
    return at + 2;
  }
  if (text === '-delete') {
    dropFound(words, scope, whole);
    return at + 1;
  }
  if (!running.test(text)) {
    refuse(scope, source, 'Makes "find" do more than search.');
    return at + 1;
  }
  const end = endOfCommand(words, at);
  if (end === undefined) {
    doubt(scope, source, 'Runs something that could not be read.');
    return words.length;
  }
  if (startsShell(words.slice(at + 1, end))) refuse(scope, whole, 'Starts a shell for each file that it finds.');
  if (text === '-execdir') doubt(scope, source, 'Runs a command in folders that are only known when it runs.');
  const filled = findPattern(words).map((found) => withFound(words.slice(at + 1, end), found));
  for (const one of filled) scope.analyser.judgeCall(one, scope, call.flow);
  return end + 1;
}

/** Returns the index of the `;` or `+` that ends the command of `-exec`. */
function endOfCommand(words: readonly Value[], at: number): number | undefined {
  const end = words.findIndex(
    ({ text }, index) => index > at && (text === ';' || (text === '+' && words[index - 1]?.text === '{}')),
  );
  return end < 0 ? undefined : end;
}

/** Returns whether a command is a shell. `sh -n {}` only checks the syntax. */
function startsShell([program, ...words]: readonly Value[]): boolean {
  const onlyChecks = words.length === 2 && words[0]!.text === '-n' && words[1]!.text === '{}';
  return program !== undefined && /^(.*\/)?(ba|z|da|k|a|fi)?sh$/.test(program.text) && !onlyChecks;
}

import { anyOf, sequence } from '../../text/alternatives';
import { isGuarded, matchingRules, secretReads } from '../../risk/pathRules';
import { programAlarm } from '../files/programAlarm';
import { doubt, note, refuse, refuseFloor, refuseKind, touch, type Scope } from '../effects/scope';
import type { Value } from '../syntax/value';
import { codeBelowFloor } from '../verdict/codeFloor';
import { commandBelowFloor } from './commandBelowFloor';

const text = String.raw`(?:"[\w .,:!?/-]*"|'[\w .,:!?/-]*')`;
const number = String.raw`[\d\s.+*%()/-]+`;
/** One-liners that print a constant. */
const constant = [
  new RegExp(String.raw`^\s*(?:print|console\.log|puts|echo)(?:\s*(?:\(\s*)?${text}\s*(?:\)\s*)?|${number})(?:;\s*)?$`),
  new RegExp(String.raw`^(?:\s*${text}\s*|${number})(?:;\s*)?$`),
  /^\s*(?:console\.log\()?process\.(?:version|versions(?:\.\w+)?|platform|arch)\)?\s*(?:;\s*)?$/,
  /^\s*(?:console\.log\()?require\((["'])\.\/package(?:-lock)?\.json\1\)(?:\.[A-Za-z]\w*)+\)?\s*(?:;\s*)?$/,
  /^\s*import (?:sys|platform)\s*;\s*print\((?:sys\.(?:version(?:_info)?|platform|executable)|platform\.\w+\(\))\)\s*$/,
  // Constants of the language, except `ENV`.
  /^\s*(?:print|puts|p|echo)\s*(?:\(\s*)?(?!ENV\b)[A-Z][A-Z0-9_:]*(?:\s*[,.]\s*(?:PHP_EOL|"\\n"))?\s*(?:\)\s*)?(?:;\s*)?$/,
  // Imports of a module, as a test of whether it is installed.
  sequence([
    /^\s*import (?!(?:os|sys|subprocess|socket|ctypes|antigravity)\b)[a-z_][\w.]*(?:\s*,\s*[a-z_][\w.]*)*\s*/,
    /(?:;\s*print\(\s*(?:'[\w .!]*'|"[\w .!]*")\s*\)\s*)?$/,
  ]),
  /^\s*import ([a-z]\w*)\s*;\s*print\(\1\.(?:__version__|VERSION)\)\s*$/,
];

const strings = /\\.|(["'`])((?:\\.|(?!\1)[^\\\n])*)\1/g;

/** Code that starts another program. */
const startsProgram = anyOf([
  sequence([
    /\b/,
    anyOf([
      'subprocess child_process execSync spawnSync',
      /execFile\w*/,
      /popen\w*/,
      'proc_open shell_exec passthru Open3',
    ]),
    /\b/,
  ]),
  /\bos\.(system|exec\w*|spawn\w*|fork)\b/,
  /\b(Deno\.(run|Command)|Bun\.(spawn\w*|\$))/,
  /(?<![.\w])(system|exec|qx|eval)\s*[('"{]/,
  /%x[{([]/,
]);

/** Patterns in inline code that require approval, even in a sandbox. */
const alarms: readonly (readonly [RegExp, string])[] = [
  [
    anyOf([
      /\b(rmtree|removedirs|rmdir\w*|unlink\w*|rmSync|rm_rf?|truncate\w*)\b/,
      /\bos\.remove\b/,
      /\bfs(\.promises)?\.rm\b/,
      /\bfile_put_contents\b/,
      /\b(File\.delete|FileUtils\.rm|Deno\.remove)/,
    ]),
    'Deletes files with code in the command.',
  ],
  [startsProgram, 'Starts other programs from code in the command.'],
  [
    /(?<!in )\bos\.environ\b(?!\s*(\[|\.(get|setdefault|pop|update)\b))|\bprocess\.env\b(?!\s*[.[])|\bENV\.(to_h|each|inspect|map)\b|%ENV/,
    'Shows the environment, which may contain secrets.',
  ],
];

/** Languages in which text between backquotes runs as a command. */
const withBackquotes = /^(ruby|perl|php)$/;

const runsBackquotes = (code: string, language: string): boolean => withBackquotes.test(language) && code.includes('`');

function alarmIn(code: string, language: string): string | undefined {
  const named = [...code.matchAll(strings)]
    .map(([, , text]) => text ?? '')
    .filter((text) => text !== '' && !/\s/.test(text));
  if (named.some((text) => matchingRules(text, secretReads).some(({ level }) => level === 'high')))
    return 'Uses a file that may contain secrets, in code in the command.';
  if (named.some(isGuarded))
    return 'Uses a file that tells agents, editors or hooks what to do, in code in the command.';
  if (runsBackquotes(code, language)) return 'Starts other programs from code in the command.';
  return programAlarm(code) ?? alarms.find(([pattern]) => pattern.test(code))?.[1];
}

interface InlineCode {
  /** Name of the program that runs the code. */
  readonly language: string;
  /** Undefined if nothing follows the option. */
  readonly code: Value | undefined;
  readonly scope: Scope;
  readonly whole: string;
}

/**
 * Judges code in the command itself. In a sandbox it can do no more than a file with the same text, so it runs unless
 * it contains something alarming.
 */
export function judgeInlineCode({ language, code, scope, whole }: InlineCode): void {
  const isWritten = code?.kind === 'literal' && !code.computed;
  const destroys =
    code &&
    codeBelowFloor(code.text, (command) => commandBelowFloor(command, scope), runsBackquotes(code.text, language));
  if (destroys !== undefined) return refuseFloor(scope, whole, destroys);
  const alarm = isWritten ? alarmIn(code.text, language) : undefined;
  if (alarm !== undefined) return refuse(scope, whole, alarm);
  if (!scope.context.confined && isWritten)
    return refuseKind(scope, 'inline-code', whole, 'Runs code that is written in the command.');
  if (!scope.context.confined) return refuse(scope, whole, 'Runs code that is written in the command.');
  if (!isWritten) return doubt(scope, whole, 'Runs code that is only known when it runs.');
  note(
    scope,
    'medium',
    whole,
    'Runs code that is written in the command, in the sandbox, without network, and can write only the workspace.',
  );
}

interface OneLiner extends InlineCode {
  /** Words before the option that introduces the code. */
  readonly options: readonly Value[];
  /** Words after the code, passed to it as arguments. */
  readonly files: readonly Value[];
}

/** Judges `python3 -c CODE`, `perl -ne CODE file`. */
export function judgeOneLiner(one: OneLiner): void {
  const { code, options, files, scope, whole } = one;
  const arePlain = options.every(
    ({ kind, text }) =>
      kind === 'literal' && /^(?:-[uBsSEIOq]+|-[XW]|importtime|dev|ignore|error|default|utf8)$/.test(text),
  );
  const isPlain = arePlain && files.length === 0 && code?.kind === 'literal' && code.text.length < 200;
  if (isPlain && constant.some((pattern) => pattern.test(code.text)))
    return note(scope, 'medium', whole, 'Prints one value.');
  judgeInlineCode(one);
  for (const option of options)
    if (option.kind !== 'literal' || /[/\\]/.test(option.text)) refuse(scope, option.source, 'Loads code.');
  for (const file of files) {
    if (file.kind === 'unknown')
      doubt(scope, file.source, 'Gives the code an argument that is only known when it runs.');
    else if (/[./~\\]/.test(file.text)) for (const kind of ['reads', 'writes'] as const) touch(scope, kind, file);
  }
}

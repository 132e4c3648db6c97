import { neverCutOff, TookTooLong } from '../ports/cutOff';
import { parse } from 'unbash';
import { harmless, assessmentOf, worst, type Judged } from '../risk/assessment';
import { isGuarded } from '../risk/pathRules';
import { newScope } from './analyser';
import { isPowerShell, type CommandContext } from './effects/context';
import type { Effect, SimpleCommand } from './effects/effect';
import { judgeCmd } from './cmd/judgeCmd';
import { judgePowerShell, treeOf } from './powershell/judgePowerShell';
import { hiddenIn } from './posix/hiddenText';
import type { Harm } from '../risk/finding';
import { cardSentence } from './verdict/sentences';
import { TooMuch, type Scope } from './effects/scope';
import { folderAfterCd } from './syntax/place';
import { mayFind, mayFindPath, protectedPaths, protectedSamples } from './syntax/globs';
import { verdictOn } from './verdict/verdict';
import { possibleTexts } from './posix/possibleTexts/possibleTexts';
import { judgeScript, judgeUnread } from './posix/judgeScript';

const MAX_WORK = 20_000;
const MAX_CHARACTERS = 100_000;
const readableShells = /^(bash|sh|zsh|dash|ksh)$/;

/** The verdict on a command and the effects found in it, in text order. */
interface Examination {
  readonly assessment: Judged;
  readonly effects: readonly Effect[];
}

/** Rates a whole line as high. `harm` defaults to `unknown`. */
function high(reason: string, culprit?: string, harm: Harm = 'unknown'): Judged {
  return assessmentOf({
    level: 'high',
    harm,
    reason: cardSentence(reason),
    ground: reason,
    ...(culprit && { part: culprit }),
  });
}

/**
 * Judges the exact text that a shell will run, from its syntax tree. The level is below high only if everything is
 * understood: a syntax error, an unknown node, word, tool or option, an empty command, or a failure to read it counts as
 * high, and so does a text that `context.cutOff` stops.
 */
export const assessCommand = (text: string, context: CommandContext = {}): Judged =>
  examineCommand(text, context).assessment;

/** Like `assessCommand`, but also returns the effects found. */
export function examineCommand(text: string, context: CommandContext = {}): Examination {
  const { cutOff = neverCutOff } = context;
  try {
    return cutOff(text, () => examineText(text, context));
  } catch (error) {
    if (!(error instanceof TookTooLong)) throw error;
    // The effect is unknown, so no mode and no rule may allow it.
    return { assessment: { ...high('Takes too long to judge.', text), guarded: true }, effects: [] };
  }
}

function examineText(text: string, context: CommandContext): Examination {
  const hidden = hiddenIn(text, context.shell === undefined || readableShells.test(context.shell));
  if (!hidden) return examineWritten(text, context);
  // The guarded and floor checks still run on text that hides something.
  const { assessment: found, effects } =
    text.length < MAX_CHARACTERS ? examineWritten(text, context) : { assessment: harmless, effects: [] };
  const judgedHidden = high(hidden.reason, hidden.culprit, hidden.unsure ? 'unknown' : 'runs');
  if (found.floor) return { assessment: worst(found, judgedHidden), effects };
  return { assessment: { ...judgedHidden, ...(found.guarded && { guarded: true }) }, effects };
}

function examineWritten(text: string, context: CommandContext): Examination {
  const read = readerFor(context);
  if (!read)
    return { assessment: high(`Uses the shell ${context.shell}, whose commands cannot be judged.`, text), effects: [] };
  const folder = context.folder ?? '.';
  const scope: Scope = {
    ...newScope(text, context, MAX_WORK),
    cwd: folder !== '.' && context.linkTargets?.(folder, false).length ? undefined : folder,
  };
  const { effects } = scope;
  try {
    read(text, scope);
  } catch (error) {
    const found = verdictOf(scope);
    const isTooMuch = error instanceof TooMuch;
    const unread = high(isTooMuch ? error.message : 'Contains something that Waymark could not read.', text);
    // The part that was not read is unknown, so no mode and no rule may allow it.
    return { assessment: { ...(found.floor ? worst(found, unread) : unread), guarded: true }, effects };
  }
  if (effects.length === 0 && /^[\s!]*$/.test(text)) return { assessment: high('Contains no command.'), effects };
  const assessment = verdictOf(scope);
  // A command that is not fully understood and names a guarded file counts as changing it.
  const unclear = effects.filter(
    (effect) =>
      (effect.kind === 'other' && effect.level === 'high') ||
      ((effect.kind === 'writes' || effect.kind === 'deletes') && effect.place.where === 'unknown'),
  );
  const mayChangeGuarded =
    !assessment.guarded &&
    unclear.length > 0 &&
    (namesGuarded(text, context) ||
      unclear.some(({ by }) => namesGuarded(wordsAsRead(by), context)) ||
      (isReadable(context.shell) && possibleTexts(text, scope).some((possible) => namesGuarded(possible, context))));
  return { assessment: mayChangeGuarded ? { ...assessment, guarded: true } : assessment, effects };
}

/**
 * The words of a command without quotation marks and with the values of variables, as its program gets them, and as
 * paths below the folder that it starts in.
 */
function wordsAsRead(command: SimpleCommand | undefined): string {
  const texts = (command?.words ?? []).map(({ text }) => text);
  const folder = command?.folder ?? '.';
  const paths =
    folder === '.' ? [] : texts.flatMap((text) => text.split('=')).map((text) => folderAfterCd(folder, text));
  return [...texts, ...paths].join(' ');
}

/** Maximum number of words that are looked up as links. */
const MAX_LINK_WORDS = 100;

function namesGuarded(text: string, { linkTargets }: CommandContext): boolean {
  const plain = text.replaceAll('\\', '/');
  // In PowerShell and cmd.exe, "`" and "^" escape the next character.
  const words = [plain, plain.replace(/[`^]/g, '')].flatMap((one) => one.split(/[\s'"`^=(){}<>|;&,:]+/));
  // A value may follow the letter of an option: `-o.vscode/settings.json`.
  const values = words.flatMap((word) => /^-[a-zA-Z](.+)$/.exec(word)?.[1] ?? []);
  const names = [...new Set([...words, ...values])];
  if (names.some((word) => isGuarded(word) || mayBeGuarded(word))) return true;
  const paths = names.filter((word) => /^[\w./-]*\w\/?$/.test(word)).slice(0, MAX_LINK_WORDS);
  return linkTargets !== undefined && paths.some((path) => linkTargets(path, false).some(isGuarded));
}

/**
 * `.g*t` and `.g?t/config` match protected files. A pattern without a leading dot matches too much by chance, and
 * `.env*` means files with secrets.
 */
const mayBeGuarded = (word: string): boolean =>
  /(?:^|\/)\.[^/]*[*?[]/.test(word) &&
  !mayFind(word, ['.env'], { hidden: false }) &&
  (mayFind(word, protectedSamples.filter(isGuarded), { hidden: false }) ||
    mayFindPath(word, protectedPaths.filter(isGuarded), { hidden: false }));

const isReadable = (shell: string | undefined): boolean => shell === undefined || readableShells.test(shell);

/** Returns the reader for a shell's syntax, or undefined if the shell cannot be analysed. */
function readerFor({ shell, powershell }: CommandContext): ((text: string, scope: Scope) => void) | undefined {
  if (shell === undefined || isReadable(shell)) {
    return (text, scope) => {
      const { cwd, context } = scope;
      judgeScript(parse(text), scope, text);
      judgeUnread(scope, (possible) => ({ ...newScope(possible, context, MAX_WORK), cwd }));
    };
  }
  if (/^cmd(\.exe)?$/i.test(shell)) return judgeCmd;
  if (isPowerShell(shell) && powershell) return (text, scope) => judgePowerShell(treeOf(text, powershell), scope);
  return undefined;
}

const verdictOf = ({ effects, context, text }: Scope): Judged => verdictOn(effects, context, text);

import type { Script } from 'unbash';
import { doubt, inner, refuse, refuseFloor, type Scope } from '../effects/scope';
import type { Effect } from '../effects/effect';
import { judgePossibleText, withKnownValues } from './unreadText';
import { belowFloor, mayDestroyVital } from '../verdict/floor';
import { commandsWithin, isNotUnderstood, mayDestroyNamed } from './commandsWithin';
import { possibleTexts } from './possibleTexts/possibleTexts';
import { hiddenIn } from './hiddenText';
import { judgeStatements } from './statements';

/** Judges every statement of a script. Throws `TooMuch` if the script has too many parts to judge. */
export function judgeScript(script: Script, scope: Scope, text = ''): void {
  const problem = (script as { errors?: readonly { message: string }[] }).errors?.[0];
  if (problem) {
    doubt(scope, '', `Contains shell syntax that could not be read: ${problem.message}.`);
    judgePieces(text, scope);
  }
  if (script.commands.length === 0 && !isComment(text, scope)) refuse(scope, '', 'Contains no command.');
  judgeStatements(script.commands, scope);
}

/**
 * Looks for commands below the floor in what was not read as a whole: `((x=$(rm -rf ~)))`, `read x <<< /; rm -rf $x`. To
 * be called after the rest is judged. `newScope`: returns one in which nothing of a text has happened yet.
 */
export function judgeUnread(scope: Scope, newScope: (text: string) => Scope): void {
  for (const text of new Set(scope.effects.flatMap(unreadIn))) judgePieces(text, scope);
  if (scope.effects.some((effect) => belowFloor(effect) !== undefined)) return;
  const possible = possibleTexts(scope.text, scope);
  for (const text of possible) judgePossibleText(text, { ...newScope(text), effects: scope.effects });
  judgeNotUnderstood([scope.text, ...possible], scope, newScope);
}

/** Looks for commands below the floor anywhere in the texts of a line of which a part is not understood. */
function judgeNotUnderstood(texts: readonly string[], scope: Scope, newScope: (text: string) => Scope): void {
  const isSafe = (): boolean => !scope.effects.some((effect) => belowFloor(effect) !== undefined);
  if (!isSafe() || !scope.effects.some(isNotUnderstood)) return;
  for (const command of new Set(texts.flatMap(commandsWithin)))
    judgePossibleText(command, { ...newScope(command), effects: scope.effects });
  if (isSafe() && mayDestroyNamed(scope.text, scope.effects, texts.slice(1)))
    refuseFloor(scope, scope.text, mayDestroyVital);
}

/** Returns the texts that an effect comes from, if it is high because it is not understood. */
function unreadIn(effect: Effect): string[] {
  const isUnknownPlace = (effect.kind === 'writes' || effect.kind === 'deletes') && effect.place.where === 'unknown';
  if (!isUnknownPlace && !(effect.kind === 'other' && effect.level === 'high')) return [];
  const command = (effect.by?.words ?? []).map(({ source }) => source).join(' ');
  return [effect.culprit, command].filter((text) => text !== '');
}

function judgePieces(text: string, scope: Scope): void {
  const known = withKnownValues(text, scope);
  for (const piece of piecesOf(known)) if (piece !== text) judgePossibleText(piece, scope);
}

const separators = /[;&|\n(){}`]|\]\]/;
const leadingKeyword = /^\s*(?:do|then|else|elif|if|while|until|always|!)\s+/;

/**
 * Returns the commands of a text that could not be read as a whole, as far as its signs separate them: zsh has forms
 * such as `for x (*) rm -rf ~` that the parser does not know.
 */
function piecesOf(text: string): string[] {
  const commands = text.split(separators).map((piece) =>
    piece
      .replace(leadingKeyword, '')
      .trim()
      .replace(/^"([^"]*)"$/, '$1'),
  );
  return commands.filter((command) => /\s/.test(command));
}

/** Judges text that a nested shell runs, as in `bash -c TEXT`. */
export function judgeText(text: string, scope: Scope): void {
  const hidden = hiddenIn(text);
  if (hidden) (hidden.unsure ? doubt : refuse)(scope, hidden.culprit ?? text, hidden.reason);
  judgeScript(scope.parse(text), { ...inner(scope), text }, text);
}

/** True if the text consists of comments only. An interactive zsh runs comments as commands. */
const isComment = (text: string, { context }: Scope): boolean =>
  context.shell !== 'zsh' && /^(?:\s*#[^\n]*(?:\n|$))+\s*$/.test(text);

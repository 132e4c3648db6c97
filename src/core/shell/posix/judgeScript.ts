import type { Script } from 'unbash';
import { doubt, inner, refuse, type Scope } from '../effects/scope';
import { onlyBelowFloor } from '../verdict/floor';
import { hiddenIn } from './prescan';
import { judgeStatements } from './statements';

/** Judges every statement of a script. Throws `TooMuch` if the script has too many parts to judge. */
export function judgeScript(script: Script, scope: Scope, text = ''): void {
  const problem = (script as { errors?: readonly { message: string }[] }).errors?.[0];
  if (problem) {
    doubt(scope, '', `Contains shell syntax that could not be read: ${problem.message}.`);
    for (const piece of piecesOf(text)) onlyBelowFloor(scope, (inside) => judgeText(piece, inside));
  }
  if (script.commands.length === 0 && !isComment(text, scope)) refuse(scope, '', 'Contains no command.');
  judgeStatements(script.commands, scope);
}

const separators = /[;&|\n(){}`]|\]\]/;
const leadingKeyword = /^\s*(?:do|then|else|elif|if|while|until|always|!)\s+/;

/**
 * Returns the commands of a text that could not be read as a whole, as far as its signs separate them: zsh has forms
 * such as `for x (*) rm -rf ~` that the parser does not know.
 */
function piecesOf(text: string): string[] {
  const pieces = text.replace(/\$\{(\w+)\}/g, '$$$1').split(separators);
  const commands = pieces.map((piece) => piece.replace(leadingKeyword, '').trim());
  return commands.filter((command) => /\s/.test(command) && command !== text);
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

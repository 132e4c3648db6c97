import { parse } from 'unbash';
import { newScope } from './analyser';
import { hiddenIn } from './posix/hiddenText';
import type { Scope } from './effects/scope';
import type { Value } from './syntax/value';
import { resolve, writtenOut } from './posix/words';

/** Words of one plain command. Null for a word that the tables allow to vary without more risk. */
type Shape = readonly (string | null)[];

/**
 * Returns the shape of a command, or undefined unless it is one plain command with literal words: no operator,
 * redirection, variable, pattern or substitution. The shape does not say what the words do, only which may differ.
 */
export function commandShape(text: string): Shape | undefined {
  if (hiddenIn(text)) return undefined;
  try {
    const script = parse(text);
    const [statement, ...more] = script.commands;
    if (
      !statement ||
      more.length > 0 ||
      statement.background ||
      statement.command.type !== 'Command' ||
      ('errors' in script && (script.errors as readonly unknown[] | undefined)?.length)
    )
      return undefined;
    const { name, args, prefix, redirects } = statement.command;
    if (!name || prefix.length > 0 || redirects.length > 0) return undefined;
    const words = [name, ...args.flatMap((argument) => (argument.type === 'Word' ? [argument] : []))];
    if (words.length !== args.length + 1 || !words.every(({ parts }) => writtenOut(parts))) return undefined;
    const free = new Set<Value>();
    const scope: Scope = { ...newScope(text, {}, 2000), free };
    const values = words.flatMap((word) => resolve(word, scope));
    if (values.length !== words.length || values.some(({ kind }) => kind !== 'literal') || scope.effects.length > 0)
      return undefined;
    scope.analyser.judgeCall(values, scope, {});
    return values.map((value) => (free.has(value) && !value.text.startsWith('-') ? null : value.text));
  } catch {
    return undefined;
  }
}

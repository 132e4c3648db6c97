import { inner, type Scope } from '../effects/scope';
import type { Effect } from '../effects/effect';
import { belowFloor } from '../verdict/floor';
import { textBelowFloor } from '../verdict/programFloor';

/** Texts without one of these words are not read as shell text: a long program may contain very many texts. */
const mayDestroy = /\b(?:rm|find|dd|mv|git|chmod|chown|rsync|shred|mkfs[\w.]*|sudo)\s/;

/** Returns why a command in a text is below the floor, or undefined if it is not. */
export function commandBelowFloor(command: string, scope: Scope): string | undefined {
  const why = textBelowFloor(command);
  if (why !== undefined || !mayDestroy.test(command)) return why;
  const effects: Effect[] = [];
  scope.analyser.judgeText(command, { ...inner(scope), effects, variables: new Map(), budget: { ...scope.budget } });
  return effects.map(belowFloor).find((found) => found !== undefined);
}

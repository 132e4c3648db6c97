import type { Tool } from '../../ports/tool';
import { ownsItsNames } from '../toolsets';
import { claude } from './claude';
import { codex } from './codex';
import type { Dialect, DialectChoice } from './dialect';
import { gemini } from './gemini';
import { waymark } from './waymark';

/** ★ The dialects that tools can be offered in. Of those that know a model, the first is used; the last knows all. */
export const dialects: readonly Dialect[] = [codex, claude, gemini, waymark];

/** The dialect of this name; Waymark's own where there is none, as in logs of earlier versions. */
export const dialectNamed = (name: string | undefined): Dialect =>
  dialects.find((dialect) => dialect.name === name) ?? waymark;

/**
 * The dialect for a session that begins. Tools with the names of another agent keep
 * them, and so does everything beside them.
 */
export function dialectFor(choice: DialectChoice, model: string, tools: readonly Tool[]): Dialect {
  if (tools.some(ownsItsNames)) return waymark;
  if (choice !== 'auto') return dialectNamed(choice);
  return dialects.find(({ models }) => models.test(model)) ?? waymark;
}

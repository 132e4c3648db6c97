import type { Tool } from '../../ports/tool';
import { ownsItsNames } from '../toolsets';
import { claudeDialect } from './claude';
import { codexDialect } from './codex';
import type { Dialect, DialectChoice } from './dialect';
import { geminiDialect } from './gemini';
import { waymarkDialect } from './waymark';

/**
 * ★ The dialects in which tools can be offered. If several match a model, the first is used; the last one matches every
 * model.
 */
export const dialects: readonly Dialect[] = [codexDialect, claudeDialect, geminiDialect, waymarkDialect];

/** Returns the dialect of this name, or Waymark's own if there is none, as in logs of earlier versions. */
export const dialectNamed = (name: string | undefined): Dialect =>
  dialects.find((dialect) => dialect.name === name) ?? waymarkDialect;

/**
 * Returns the dialect for a new session. If any tool has the name of another agent's tool, all tools keep their names.
 */
export function dialectFor(choice: DialectChoice, model: string, tools: readonly Tool[]): Dialect {
  if (tools.some(ownsItsNames)) return waymarkDialect;
  if (choice !== 'auto') return dialectNamed(choice);
  return dialects.find(({ models }) => models.test(model)) ?? waymarkDialect;
}

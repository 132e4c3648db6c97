import { blockAnchor } from './blockAnchor';
import { contextAware } from './contextAware';
import { escapeNormalised } from './escapeNormalised';
import { exact } from './exact';
import { indentationFlexible } from './indentationFlexible';
import { lineTrimmed } from './lineTrimmed';
import type { Strategy } from './strategy';
import { trimmedBoundary } from './trimmedBoundary';
import { unicodeNormalised } from './unicodeNormalised';
import { whitespaceNormalised } from './whitespaceNormalised';

/** ★ The ways to find a quoted text, from the strictest on. The first that finds anything decides. */
export const strategies: readonly Strategy[] = [
  exact,
  lineTrimmed,
  whitespaceNormalised,
  indentationFlexible,
  escapeNormalised,
  trimmedBoundary,
  unicodeNormalised,
  blockAnchor,
  contextAware,
];

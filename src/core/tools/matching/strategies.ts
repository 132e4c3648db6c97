import { blockAnchor } from './blockAnchor';
import { contextAware } from './contextAware';
import {
  exact,
  lineTrimmed,
  whitespaceNormalised,
  indentationFlexible,
  escapeNormalised,
  trimmedBoundary,
  unicodeNormalised,
} from './normalisedText';
import type { Strategy } from './strategy';

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

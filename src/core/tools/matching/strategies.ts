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

/** ★ Strategies for finding a quoted text, from strictest to loosest. The first that finds anything wins. */
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

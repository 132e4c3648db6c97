import type { RiskLevel } from '../../../protocol/event';
import type { Place } from './place';

export type Level = Exclude<RiskLevel, 'unknown'>;

/** One thing that a command does. `policy.ts` turns each into a level; the worst counts. */
export type Effect =
  /** `reads`: shows what is in it. `searches`: shows lines or numbers of it. `lists`: shows names and sizes. */
  | { readonly kind: 'reads' | 'searches' | 'lists' | 'writes'; readonly place: Place; readonly culprit: string }
  | { readonly kind: 'deletes'; readonly place: Place; readonly recursive: boolean; readonly culprit: string }
  | { readonly kind: 'fetches'; readonly url: string; readonly culprit: string }
  /** Runs a script of the project, by its name or path. */
  | { readonly kind: 'runs'; readonly name: string; readonly culprit: string }
  | { readonly kind: 'other'; readonly level: Level; readonly reason?: string; readonly culprit: string; /** See floor.ts. */ readonly floor?: boolean; /** Asked about in every mode. */ readonly guarded?: true; /** High only because it is not understood. */ readonly unsure?: boolean };

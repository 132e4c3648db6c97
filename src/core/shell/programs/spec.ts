import type { Level } from '../effects/effect';

/** What is known of one tool, or of one verb of it. The tables in `tools/` are made of these. */
export interface Spec {
  /** What it does when no option says otherwise. */
  readonly level: Level;
  /** Why it is not low, for the card. */
  readonly reason?: string;
  /** In the notation of `optionTable`. */
  readonly options?: string;
  /** What an option that is not in the table means: `high` unless said otherwise. */
  readonly others?: Level;
  /** Options that are not in the table and do no more than the program does anyway, as they are written. */
  readonly mild?: RegExp;
  /** `words`: one dash begins a whole word, as in `find -name`. */
  readonly style?: 'words';
  /** Roles of the plain words in order; the last one repeats when it ends in `…`; more words than roles: high. Absent: text, any number. */
  readonly operands?: string;
  /** Options that give the first operand's part (`grep -e`), so that every operand has the next role. */
  readonly insteadOfFirst?: readonly string[];
  /** The last operand has this role instead: `cp a b`. */
  readonly last?: 'write' | 'read';
  /** Without any operand it reads a program from its input. */
  readonly needsOperand?: true;
  /** The first plain word chooses; keys hold one or more names apart by blanks. A word that is missing here is high. */
  readonly verbs?: Readonly<Record<string, Spec>>;
  /** What it is without a verb. */
  readonly bare?: Spec;
  /** Begins of its plain words, as a pattern, that only ask a service; for the special `asks`. */
  readonly asks?: RegExp;
  /** Judged by code too: a name in `special/all.ts`. Runs before the table. */
  readonly special?: string;
  /** The tool that is given what stands behind `--`. */
  readonly handsOnTo?: string;
  /** Words only known when it runs are harmless to it. */
  readonly loose?: true;
  /** It only changes the shell it runs in: a script of its own may do that. */
  readonly ownShell?: true;
  /** A program that projects declare: `npx NAME` and `node_modules/.bin/NAME` are the same. */
  readonly declared?: true;
}

export type Tools = Readonly<Record<string, Spec>>;

/** One entry per name of the keys. */
export function byName(tools: Tools): ReadonlyMap<string, Spec> {
  return new Map(
    Object.entries(tools).flatMap(([names, spec]) => names.split(' ').map((name) => [name, spec] as const)),
  );
}

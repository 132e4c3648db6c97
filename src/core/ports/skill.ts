/**
 * When a skill is given to the model. `always`: from the first request on. `keyword`: when a word of it stands in a
 * message of the person. `paths`: when a tool touches a matching file. `command`: when the person types `/name`.
 * `skill`: an Agent Skill, of which the model sees name and description and asks for the rest. `persona`: who works,
 * chosen for a run or called by `delegate`.
 */
export type SkillKind = 'always' | 'keyword' | 'paths' | 'command' | 'skill' | 'persona';

/** A place in a file, both counted from 1; columns in UTF-16 units. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** What would mend a problem: the text from `from` to `to` becomes `text`. */
export interface SkillFix {
  readonly title: string;
  readonly from: Position;
  readonly to: Position;
  readonly text: string;
}

/** What is wrong with a skill's file. `error`: it, or a part of it, is not used; `warning`: it is. */
export interface SkillProblem {
  readonly severity: 'error' | 'warning';
  /** "name-format": stable, for tests and for fixes. */
  readonly code: string;
  readonly message: string;
  readonly from: Position;
  readonly to: Position;
  readonly fix?: SkillFix;
}

/** The codes of what keeps a whole file from being read. */
export const unreadable = ['too-large', 'not-utf8', 'not-permitted'] as const;

/** A value that the person is asked for. */
export interface SkillInput {
  readonly name: string;
  readonly description: string;
  readonly fallback?: string;
}

/** What a persona asks for. All of it can only narrow what the person allows anyway. */
export interface Persona {
  /** Names of tools or toolsets, as written; absent: all that the run has. */
  readonly tools?: readonly string[];
  /** Names of tools that it does not have, as written. */
  readonly without?: readonly string[];
  readonly mode?: 'plan';
  /** By its name alone. */
  readonly model?: string;
  readonly profile?: string;
  readonly steps?: number;
  /** US dollars. */
  readonly cost?: number;
  readonly seconds?: number;
  readonly confirmation?: 'always' | 'risky' | 'never';
}

/** A file that teaches the agent. Data only: nothing in it can change what is asked about. */
export interface Skill {
  /**
   * Unique among the Agent Skills and among the personas that are used, and of others in each folder that they are for.
   * Of two with one name the first in `inventory` wins.
   */
  readonly name: string;
  /** What a person types behind "/" where another file is called by its name; see `commandName`. */
  readonly command?: string;
  readonly kind: SkillKind;
  /** What it is for; may be empty except for Agent Skills and personas. */
  readonly description: string;
  /** Without front matter. */
  readonly body: string;
  /** The whole file. */
  readonly source: string;
  /**
   * Of no other file. As tools show it: relative to the first workspace folder, led by the
   * name of another one, or absolute; with "/".
   */
  readonly path: string;
  /** The `id` of its location. */
  readonly location: string;
  /** The folder that contains it; the workspace folder when absent. */
  readonly root?: Exclude<SkillRoot, 'workspace'>;
  /** The folder whose rules it holds, relative to the workspace folder; "" for all of it. */
  readonly base: string;
  /** Folders between its place and the file: "team" for `.agent/team/deploy.md`. */
  readonly within?: string;
  readonly triggers: readonly string[];
  /** Globs, relative to `base`. */
  readonly paths: readonly string[];
  readonly inputs: readonly SkillInput[];
  readonly persona?: Persona;
  /** Whether the model may ask for it by itself. */
  readonly modelMayUse: boolean;
  /** Everything that the front matter says, unknown fields too. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** SHA-256 of the file, hexadecimal; empty where it was too large to be read. */
  readonly hash: string;
  /** Estimated tokens of the body. */
  readonly tokens: number;
  readonly problems: readonly SkillProblem[];
}

export type SkillRoot = 'workspace' | 'above' | 'home';

/** A skill's file as it was found. */
export interface SkillFile {
  /** As people are shown it: relative to the workspace folder, or absolute. */
  readonly path: string;
  readonly text: string;
  readonly hash: string;
  /**
   * What it lies below: the workspace folder when absent, a folder above it in the same repository, or the home folder.
   */
  readonly root?: SkillRoot;
  /** Its path below that, with "/"; `path` when absent. */
  readonly below?: string;
  /**
   * How paths in its workspace folder begin, for the folders after the first: the folder's name, or
   * its whole path where that name is taken.
   */
  readonly folder?: string;
}

/** A skill and whether it is used. */
export interface Listed {
  readonly skill: Skill;
  /** Why it is not, in words for a person; absent where it is used. */
  readonly unused?: string;
  /** Set where it would be used, had it not changed since it was last used. */
  readonly waits?: true;
}

/**
 * When a skill is given to the model. `always`: from the first request. `keyword`: when a message of the person
 * contains one of its words. `paths`: when a tool touches a matching file. `command`: when the person types `/name`.
 * `skill`: an Agent Skill; the model sees its name and description and requests the rest. `persona`: a role, chosen for
 * a run or by `delegate`.
 */
export type SkillKind = 'always' | 'keyword' | 'paths' | 'command' | 'skill' | 'persona';

/** A position in a file. Line and column are 1-based; columns count UTF-16 units. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Fix for a problem: replaces the text from `from` to `to` with `text`. */
export interface SkillFix {
  readonly title: string;
  readonly from: Position;
  readonly to: Position;
  readonly text: string;
}

/** A problem in a skill's file. `error`: the skill, or part of it, is not used. `warning`: it is used. */
export interface SkillProblem {
  readonly severity: 'error' | 'warning';
  /** Stable code for tests and fixes, such as "name-format". */
  readonly code: string;
  readonly message: string;
  readonly from: Position;
  readonly to: Position;
  readonly fix?: SkillFix;
}

/** Codes of problems that make a whole file unreadable. */
export const unreadable = ['too-large', 'not-utf8', 'not-permitted'] as const;

/** A value that the person is asked for. */
export interface SkillInput {
  readonly name: string;
  readonly description: string;
  readonly fallback?: string;
}

/** Settings requested by a persona. They can only narrow what the person allows. */
export interface Persona {
  /** Names of tools or toolsets, as written. Defaults to all of the run. */
  readonly tools?: readonly string[];
  /** Names of tools to exclude, as written. */
  readonly without?: readonly string[];
  readonly mode?: 'plan';
  /** Name of the model, without a server. */
  readonly model?: string;
  readonly profile?: string;
  readonly steps?: number;
  /** Cost limit in US dollars. */
  readonly cost?: number;
  readonly seconds?: number;
  readonly confirmation?: 'always' | 'risky' | 'never';
}

/** A file with instructions for the agent. It is data only and cannot change what needs approval. */
export interface Skill {
  /**
   * Name. Unique among Agent Skills in use and among personas in use; for other kinds, unique per folder they apply to.
   * If two have the same name, the first one of `listSkills` wins.
   */
  readonly name: string;
  /** Name to type after "/" if another file has the plain name; see `commandName`. */
  readonly command?: string;
  readonly kind: SkillKind;
  /** Purpose. May be empty except for Agent Skills and personas. */
  readonly description: string;
  /** Text without front matter. */
  readonly body: string;
  /** Text of the whole file. */
  readonly source: string;
  /**
   * Unique path, as tools write it, with "/": relative to the first workspace folder, prefixed with the name of another
   * folder, or absolute.
   */
  readonly path: string;
  /** `id` of its location. */
  readonly location: string;
  /** Where the file is, if not in the workspace folder. */
  readonly root?: Exclude<SkillRoot, 'workspace'>;
  /** Folder it applies to, relative to the workspace folder. "" for the whole workspace folder. */
  readonly base: string;
  /** Folders between its location and the file, such as "team" for `.agent/team/deploy.md`. */
  readonly within?: string;
  readonly triggers: readonly string[];
  /** Globs, relative to `base`. */
  readonly paths: readonly string[];
  readonly inputs: readonly SkillInput[];
  readonly persona?: Persona;
  /** True if the model may request it by itself. */
  readonly modelMayUse: boolean;
  /** All fields of the front matter, including unknown ones. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** SHA-256 of the file in hexadecimal. Empty if the file was too large to read. */
  readonly hash: string;
  /** Estimated tokens of the body. */
  readonly tokens: number;
  readonly problems: readonly SkillProblem[];
}

/** Where a skill was found: in a workspace folder, in a parent folder of one, or in the home folder. */
export type SkillRoot = 'workspace' | 'above' | 'home';

/** A file of a skill, as found on disk. */
export interface SkillFile {
  /** Path for display: relative to the workspace folder, or absolute. */
  readonly path: string;
  readonly text: string;
  readonly hash: string;
  /** What it is in: the workspace folder by default, a folder above it in the same repository, or the home folder. */
  readonly root?: SkillRoot;
  /** Path relative to `root`, with "/". Defaults to `path`. */
  readonly below?: string;
  /**
   * Prefix of paths in its workspace folder, for folders after the first: the folder's name, or its absolute path if
   * that name is taken.
   */
  readonly folder?: string;
}

/** A skill and whether it is used. */
export interface ListedSkill {
  readonly skill: Skill;
  /** Why it is not used, worded for people. Absent if it is used. */
  readonly unused?: string;
  /** True if it would be used, but its file changed since it was last used. */
  readonly waits?: true;
}

/** Instructions for the agent from the repository and the person. */
export interface Skills {
  /** Skills used with the model of that name, in order of precedence. */
  listUsed(model: string): Promise<readonly Skill[]>;
  /** All skills that were found, with the reason for those not used. */
  listAll?(model: string): Promise<readonly ListedSkill[]>;
  /** Paths of the files that belong to an Agent Skill, relative to its folder. At most 100. */
  resources(skill: Skill): Promise<readonly string[]>;
  /** Returns the text of one of these files. Throws a `FileProblem` with code missing, outside, binary or too_large. */
  resource(skill: Skill, path: string): Promise<string>;
}

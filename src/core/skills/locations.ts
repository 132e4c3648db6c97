import type { SkillRoot } from '../ports/skill';

/**
 * How a file is read. `rules`: text with optional front matter. `instructions`: for all agents, or those of one model
 * family. `skill`: by the rules of Agent Skills.
 */
export type SkillReading = 'rules' | 'instructions' | 'skill' | 'persona';

/**
 * What a path says about its file. `base`: the folder that the file applies to, "" for the workspace. `within`: folders
 * between the location and the file. `name`: set if the path contains it.
 */
export interface Located {
  readonly base: string;
  readonly within?: string;
  readonly name?: string;
}

/** A location of skills. */
export interface SkillLocation {
  readonly id: string;
  /**
   * The pattern in the form people know, for the table in the documentation. "~/" marks locations that exist only in
   * the home folder.
   */
  readonly where: string;
  readonly reads: SkillReading;
  /** Where else it is searched, outside the workspace. */
  readonly also?: readonly Exclude<SkillRoot, 'workspace'>[];
  /**
   * Model families that it is for, as texts that the model's name contains; all models if absent. Used for other
   * models, too, if there is no AGENTS.md for the same folder.
   */
  readonly family?: readonly string[];
  /** Name of the `paths` field in its files, if other agents call it differently. */
  readonly pathsField?: 'globs' | 'applyTo';
  /**
   * When a file is used that does not say so. Defaults to `always`. `asked`: the model requests it by its description.
   * `called`: a person calls it.
   */
  readonly defaultUse?: 'asked' | 'called';
  /** Parses a path with "/", relative to the workspace or the home folder. */
  locate(path: string): Located | undefined;
}

/**
 * Creates a location for paths that match a pattern. The named groups are the fields of `Located`; folders end with
 * "/".
 */
function locationMatching(
  id: string,
  { pattern, ...fields }: Omit<SkillLocation, 'id' | 'locate'> & { readonly pattern: RegExp },
): SkillLocation {
  return {
    id,
    ...fields,
    locate(path) {
      const found = pattern.exec(path);
      if (!found) return undefined;
      const { base = '', within = '', name } = found.groups!;
      return {
        base: base.replace(/\/$/, ''),
        ...(within !== '' && { within: within.replace(/\/$/, '') }),
        ...(name !== undefined && { name }),
      };
    },
  };
}

const anyFolder = '(?<base>(?:[^/]+/)*?)';
const inAnyFolder = (rest: string): RegExp => new RegExp(`^${anyFolder}${rest}$`, 'i');
/** Folder of a skill, at any depth below the location. */
const skillFile = '(?:[^/]+/)*?(?<name>[^/]+)/SKILL\\.md';

/**
 * ★ All locations of skills, in order of precedence. A file is read by the first entry that matches it. If two skills
 * have the same name, the earlier location wins; within a location, the one nearer to the workspace root. Before that,
 * the workspace precedes the folders above it (nearest first), and these precede the home folder.
 */
export const skillLocations: readonly SkillLocation[] = [
  locationMatching('agent-skills', {
    where: '.agent/skills/<name>/SKILL.md',
    reads: 'skill',
    pattern: inAnyFolder(`\\.agent/skills/${skillFile}`),
    also: ['home'],
  }),
  locationMatching('agent-personas', {
    where: '.agent/agents/*.md, .agent/personas/*.md',
    reads: 'persona',
    pattern: inAnyFolder('\\.agent/(?:agents|personas)/(?<name>[^/]+?)\\.(?:agent\\.md|agent|md)'),
    also: ['home'],
  }),
  locationMatching('agent-folder', {
    where: '.agent/**/*.md',
    reads: 'rules',
    pattern: inAnyFolder(
      '\\.agent/(?!skills/[^/]+/|agents/|personas/)(?:skills/)?(?<within>(?:[^/]+/)*)(?<name>[^/]+?)\\.(?:agent\\.md|agent|md)',
    ),
    also: ['home'],
  }),
  locationMatching('github-agents', {
    where: '.github/agents/*.md, .github/agents/*.agent.md',
    reads: 'persona',
    pattern: inAnyFolder('\\.github/agents/(?<name>[^/]+?)(?:\\.agent)?\\.md'),
  }),
  locationMatching('agent-files', {
    where: '*.agent, *.agent.md',
    reads: 'rules',
    pattern: inAnyFolder('(?<name>[^/]*?)\\.agent(?:\\.md)?'),
  }),
  locationMatching('github-skills', {
    where: '.github/skills/<name>/SKILL.md',
    reads: 'skill',
    pattern: inAnyFolder(`\\.github/skills/${skillFile}`),
    also: ['above'],
  }),
  locationMatching('copilot-skills', {
    where: '~/.copilot/skills/<name>/SKILL.md',
    reads: 'skill',
    pattern: inAnyFolder(`\\.copilot/skills/${skillFile}`),
    also: ['home'],
  }),
  locationMatching('agents-skills', {
    where: '.agents/skills/<name>/SKILL.md',
    reads: 'skill',
    pattern: inAnyFolder(`\\.agents/skills/${skillFile}`),
    also: ['above', 'home'],
  }),
  locationMatching('agents-personas', {
    where: '.agents/agents/*.md',
    reads: 'persona',
    pattern: inAnyFolder('\\.agents/agents/(?<name>[^/]+?)(?:\\.agent)?\\.md'),
    also: ['home'],
  }),
  locationMatching('agents-rules', {
    where: '.agents/skills/*.md',
    reads: 'rules',
    pattern: inAnyFolder('\\.agents/skills/(?<name>[^/]+)\\.md'),
    also: ['home'],
  }),
  locationMatching('openhands-skills', {
    where: '.openhands/skills/<name>/SKILL.md',
    reads: 'skill',
    pattern: inAnyFolder(`\\.openhands/skills/(?:installed/)?${skillFile}`),
    also: ['home'],
  }),
  locationMatching('openhands-rules', {
    where: '.openhands/skills/*.md',
    reads: 'rules',
    pattern: inAnyFolder('\\.openhands/skills/(?<within>(?:[^/]+/)*)(?<name>[^/]+)\\.md'),
    also: ['home'],
  }),
  locationMatching('openhands-microagents', {
    where: '.openhands/microagents/*.md',
    reads: 'rules',
    pattern: inAnyFolder('\\.openhands/microagents/(?<within>(?:[^/]+/)*)(?<name>[^/]+)\\.md'),
    also: ['home'],
  }),
  locationMatching('claude-skills', {
    where: '.claude/skills/<name>/SKILL.md',
    reads: 'skill',
    pattern: inAnyFolder(`\\.claude/skills/${skillFile}`),
    also: ['home'],
  }),
  locationMatching('openhands-personas', {
    where: '.openhands/agents/*.md',
    reads: 'persona',
    pattern: inAnyFolder('\\.openhands/agents/(?<name>[^/]+)\\.md'),
    also: ['home'],
  }),
  locationMatching('claude-personas', {
    where: '.claude/agents/**/*.md',
    reads: 'persona',
    pattern: inAnyFolder('\\.claude/agents/(?:[^/]+/)*(?<name>[^/]+)\\.md'),
    also: ['home'],
  }),
  locationMatching('claude-commands', {
    where: '.claude/commands/**/*.md',
    reads: 'rules',
    pattern: inAnyFolder('\\.claude/commands/(?<within>(?:[^/]+/)*)(?<name>[^/]+)\\.md'),
    also: ['home'],
    defaultUse: 'called',
  }),
  locationMatching('github-prompts', {
    where: '.github/prompts/*.prompt.md',
    reads: 'rules',
    pattern: inAnyFolder('\\.github/prompts/(?<within>(?:[^/]+/)*)(?<name>[^/]+)\\.prompt\\.md'),
    defaultUse: 'called',
  }),
  locationMatching('github-instructions', {
    where: '.github/instructions/**/*.instructions.md',
    reads: 'rules',
    pattern: inAnyFolder('\\.github/instructions/(?<within>(?:[^/]+/)*)(?<name>[^/]+)\\.instructions\\.md'),
    pathsField: 'applyTo',
    defaultUse: 'asked',
  }),
  locationMatching('cursor-rules', {
    where: '.cursor/rules/**/*.mdc',
    reads: 'rules',
    pattern: inAnyFolder('\\.cursor/rules/(?<within>(?:[^/]+/)*)(?<name>[^/]+)\\.mdc'),
    pathsField: 'globs',
    defaultUse: 'asked',
  }),
  locationMatching('agents-md', {
    where: 'AGENTS.md, agent.md',
    reads: 'instructions',
    pattern: inAnyFolder('(?:AGENTS|agent)\\.md'),
    also: ['above'],
  }),
  locationMatching('claude-md', {
    where: 'CLAUDE.md',
    reads: 'instructions',
    pattern: inAnyFolder('CLAUDE\\.md'),
    family: ['claude'],
  }),
  locationMatching('gemini-md', {
    where: 'GEMINI.md',
    reads: 'instructions',
    pattern: inAnyFolder('GEMINI\\.md'),
    family: ['gemini'],
  }),
  locationMatching('cursorrules', {
    where: '.cursorrules',
    reads: 'instructions',
    pattern: inAnyFolder('\\.cursorrules'),
  }),
  locationMatching('copilot-instructions', {
    where: '.github/copilot-instructions.md',
    reads: 'instructions',
    pattern: inAnyFolder('\\.github/copilot-instructions\\.md'),
  }),
];

/**
 * Returns whether a file is a resource, not a skill: README.md anywhere, and within an Agent Skill its resource
 * folders, changelog and license. Elsewhere, files with these names may be commands.
 */
function isResource(path: string): boolean {
  if (/(?:^|\/)readme\.md$/i.test(path)) return true;
  const skills = /(?:^|\/)skills\//i.exec(path);
  if (!skills) return false;
  const below = path.slice(skills.index + skills[0].length);
  return /(?:^|\/)(?:scripts|references|assets|resources|templates|examples)\/|\/(?:changelog|license)\.md$/i.test(
    below,
  );
}

const ofHome = '~/';

/**
 * Returns whether a location is searched below a root. In a workspace, a folder with the name of a home location may be
 * anything.
 */
function isSearchedBelow(root: SkillRoot, { where, also }: SkillLocation): boolean {
  if (root === 'workspace') return !where.startsWith(ofHome);
  return also?.includes(root) === true;
}

/** Maximum length of a path that any system opens (PATH_MAX). */
const maxPathLength = 4096;

/** Returns the location that a path belongs to, or undefined if the file is not a skill. */
export function locationOf(
  path: string,
  root: SkillRoot = 'workspace',
): { readonly location: SkillLocation; readonly found: Located } | undefined {
  if (path.length > maxPathLength) return undefined;
  for (const location of skillLocations) {
    if (!isSearchedBelow(root, location)) continue;
    const found = location.locate(path);
    if (!found) continue;
    if (location.reads !== 'instructions' && !/SKILL\.md$/i.test(path) && (isResource(path) || isSkillPage(path)))
      return undefined;
    return { location, found: root === 'workspace' ? found : { ...found, base: '' } };
  }
  return undefined;
}

/**
 * Judging by its path, `.openhands/skills/pdf/forms.md` is a page of the skill `pdf`. But folders there may also
 * contain loose rules, so only deeper files are left out.
 */
const isSkillPage = (path: string): boolean =>
  /\.md$(?<=\.(?:agents|claude|copilot|github)\/skills\/[^/]+\/.+)/i.test(path) ||
  /\.md$(?<=\.openhands\/skills\/[^/]+\/[^/]+\/.+)/i.test(path);

/**
 * A pattern in the form used for searching: a folder that contains files, or a file. `path` is relative to the root
 * folder.
 */
interface Place {
  readonly path: string;
  readonly isFolder: boolean;
  readonly location: SkillLocation;
}

/**
 * ".agent/skills/<name>/SKILL.md" becomes the folder ".agent/skills". A file without a wildcard is searched by its
 * path, one with a wildcard by its name.
 */
const places: readonly Place[] = skillLocations.flatMap((location) =>
  location.where.split(', ').map((pattern): Place => {
    const path = pattern.startsWith(ofHome) ? pattern.slice(ofHome.length) : pattern;
    const folder = /^(.*?)\/[^/]*[*<]/.exec(path)?.[1];
    return { path: folder ?? path, isFolder: folder !== undefined, location };
  }),
);

const placesIn = (root: SkillRoot): readonly Place[] =>
  places.filter(({ location }) => isSearchedBelow(root, location));

/** Removes duplicates, and folders inside other ones. */
function pathsOf(found: readonly Place[]): string[] {
  const paths = [...new Set(found.map(({ path }) => path))];
  return paths.filter((path) => !paths.some((other) => path.startsWith(`${other}/`)));
}

/** Workspace folders that contain skills, at any depth. */
export const skillFolders: readonly string[] = pathsOf(placesIn('workspace').filter(({ isFolder }) => isFolder));

/** Names of workspace files that may be skills anywhere. */
export const skillFileNames: readonly string[] = pathsOf(placesIn('workspace').filter(({ isFolder }) => !isFolder)).map(
  (path) => path.slice(path.lastIndexOf('/') + 1),
);

/** Returns the folders and files to search, relative to a root of this kind. */
export const skillPlacesIn = (root: SkillRoot): readonly string[] =>
  pathsOf(placesIn(root).filter(({ path }) => !path.includes('*')));

const namesInAnyCase = [...new Set(skillFileNames.flatMap((name) => [name, name.toLowerCase()]))];
const everythingBelow = skillFolders.map((folder) => `${folder}/**`);

/** Glob of the files that VS Code watches for Waymark. VS Code tracks all changes in the workspace anyway. */
export const watchedSkills = `**/{${[...namesInAnyCase, '.agentignore', ...everythingBelow].join(',')}}`;

import type { SkillRoot } from '../ports/skill';

/**
 * How a file is read. `rules`: text, with front matter if any; `instructions`: for all agents, or those of one model
 * family; `skill`: by the rules of Agent Skills.
 */
export type SkillReading = 'rules' | 'instructions' | 'skill' | 'persona';

/**
 * What a path says of the file that stands there. `base`: the folder whose rules it holds, "" for all of the workspace;
 * `within`: folders between the place and the file; `name` where the path gives it.
 */
export interface Located {
  readonly base: string;
  readonly within?: string;
  readonly name?: string;
}

/** A place where skills lie. */
export interface SkillLocation {
  readonly id: string;
  /**
   * The pattern as people know it, for the table in the documentation. One that begins with
   * "~/" names a place of the home folder only.
   */
  readonly where: string;
  readonly reads: SkillReading;
  /** Where it is looked for outside the workspace. */
  readonly also?: readonly Exclude<SkillRoot, 'workspace'>[];
  /**
   * Model families, by how their names begin, that it is meant for; all when absent. Without a file for
   * all agents beside it, it is used anyway.
   */
  readonly family?: readonly string[];
  /** What its files call `paths`, as other agents do. */
  readonly pathsField?: 'globs' | 'applyTo';
  /**
   * When a file is used that does not say when. `always` when absent; `asked`: the model asks for it by its
   * description; `called`: a person calls it.
   */
  readonly unsaid?: 'asked' | 'called';
  /** From a path with "/", relative to the workspace or the home folder. */
  locate(path: string): Located | undefined;
}

/** A file whose whole path matches; its groups are called as what they give, folders with "/" at the end. */
function place(
  id: string,
  where: string,
  reads: SkillReading,
  pattern: RegExp,
  more: Pick<SkillLocation, 'also' | 'family' | 'pathsField' | 'unsaid'> = {},
): SkillLocation {
  return {
    id,
    where,
    reads,
    ...more,
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
const within = (rest: string): RegExp => new RegExp(`^${anyFolder}${rest}$`, 'i');
/** A skill's folder, at any depth below the place for skills. */
const skillFile = '(?:[^/]+/)*?(?<name>[^/]+)/SKILL\\.md';

/**
 * ★ Every place that is looked at, the first wins: a file is read by the first entry that knows it, and of two
 * skills of one name the one whose place stands higher is used; of two in one place the one nearer to the
 * workspace's root. Before all of that, the workspace comes before the folders above it, the nearest of them
 * first, and these before the home folder.
 */
export const skillLocations: readonly SkillLocation[] = [
  place('agent-skills', '.agent/skills/<name>/SKILL.md', 'skill', within(`\\.agent/skills/${skillFile}`), {
    also: ['home'],
  }),
  place(
    'agent-personas',
    '.agent/agents/*.md, .agent/personas/*.md',
    'persona',
    within('\\.agent/(?:agents|personas)/(?<name>[^/]+?)\\.(?:agent\\.md|agent|md)'),
    { also: ['home'] },
  ),
  place(
    'agent-folder',
    '.agent/**/*.md',
    'rules',
    within(
      '\\.agent/(?!skills/[^/]+/|agents/|personas/)(?:skills/)?(?<within>(?:[^/]+/)*)(?<name>[^/]+?)\\.(?:agent\\.md|agent|md)',
    ),
    { also: ['home'] },
  ),
  place(
    'github-agents',
    '.github/agents/*.md, .github/agents/*.agent.md',
    'persona',
    within('\\.github/agents/(?<name>[^/]+?)(?:\\.agent)?\\.md'),
  ),
  place('agent-files', '*.agent, *.agent.md', 'rules', within('(?<name>[^/]*?)\\.agent(?:\\.md)?')),
  place('github-skills', '.github/skills/<name>/SKILL.md', 'skill', within(`\\.github/skills/${skillFile}`), {
    also: ['above'],
  }),
  place('copilot-skills', '~/.copilot/skills/<name>/SKILL.md', 'skill', within(`\\.copilot/skills/${skillFile}`), {
    also: ['home'],
  }),
  place('agents-skills', '.agents/skills/<name>/SKILL.md', 'skill', within(`\\.agents/skills/${skillFile}`), {
    also: ['above', 'home'],
  }),
  place(
    'agents-personas',
    '.agents/agents/*.md',
    'persona',
    within('\\.agents/agents/(?<name>[^/]+?)(?:\\.agent)?\\.md'),
    { also: ['home'] },
  ),
  place('agents-rules', '.agents/skills/*.md', 'rules', within('\\.agents/skills/(?<name>[^/]+)\\.md'), {
    also: ['home'],
  }),
  place(
    'openhands-skills',
    '.openhands/skills/<name>/SKILL.md',
    'skill',
    within(`\\.openhands/skills/(?:installed/)?${skillFile}`),
    { also: ['home'] },
  ),
  place(
    'openhands-rules',
    '.openhands/skills/*.md',
    'rules',
    within('\\.openhands/skills/(?<within>(?:[^/]+/)*)(?<name>[^/]+)\\.md'),
    { also: ['home'] },
  ),
  place(
    'openhands-microagents',
    '.openhands/microagents/*.md',
    'rules',
    within('\\.openhands/microagents/(?<within>(?:[^/]+/)*)(?<name>[^/]+)\\.md'),
    { also: ['home'] },
  ),
  place('claude-skills', '.claude/skills/<name>/SKILL.md', 'skill', within(`\\.claude/skills/${skillFile}`), {
    also: ['home'],
  }),
  place('openhands-personas', '.openhands/agents/*.md', 'persona', within('\\.openhands/agents/(?<name>[^/]+)\\.md'), {
    also: ['home'],
  }),
  place(
    'claude-personas',
    '.claude/agents/**/*.md',
    'persona',
    within('\\.claude/agents/(?:[^/]+/)*(?<name>[^/]+)\\.md'),
    { also: ['home'] },
  ),
  place(
    'claude-commands',
    '.claude/commands/**/*.md',
    'rules',
    within('\\.claude/commands/(?<within>(?:[^/]+/)*)(?<name>[^/]+)\\.md'),
    { also: ['home'], unsaid: 'called' },
  ),
  place(
    'github-prompts',
    '.github/prompts/*.prompt.md',
    'rules',
    within('\\.github/prompts/(?<within>(?:[^/]+/)*)(?<name>[^/]+)\\.prompt\\.md'),
    { unsaid: 'called' },
  ),
  place(
    'github-instructions',
    '.github/instructions/**/*.instructions.md',
    'rules',
    within('\\.github/instructions/(?<within>(?:[^/]+/)*)(?<name>[^/]+)\\.instructions\\.md'),
    { pathsField: 'applyTo', unsaid: 'asked' },
  ),
  place(
    'cursor-rules',
    '.cursor/rules/**/*.mdc',
    'rules',
    within('\\.cursor/rules/(?<within>(?:[^/]+/)*)(?<name>[^/]+)\\.mdc'),
    { pathsField: 'globs', unsaid: 'asked' },
  ),
  place('agents-md', 'AGENTS.md, agent.md', 'instructions', within('(?:AGENTS|agent)\\.md'), { also: ['above'] }),
  place('claude-md', 'CLAUDE.md', 'instructions', within('CLAUDE\\.md'), { family: ['claude'] }),
  place('gemini-md', 'GEMINI.md', 'instructions', within('GEMINI\\.md'), { family: ['gemini'] }),
  place('cursorrules', '.cursorrules', 'instructions', within('\\.cursorrules')),
  place(
    'copilot-instructions',
    '.github/copilot-instructions.md',
    'instructions',
    within('\\.github/copilot-instructions\\.md'),
  ),
];

/**
 * Folders inside an Agent Skill hold what it refers to, not skills; README.md is for people, and so are what changed
 * and the licence beside a skill. Elsewhere those may be commands.
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
 * Whether files of a place are looked for below such a folder. A place of the
 * home folder may be anything in a workspace.
 */
function isLookedForIn(root: SkillRoot, { where, also }: SkillLocation): boolean {
  if (root === 'workspace') return !where.startsWith(ofHome);
  return also?.includes(root) === true;
}

/** No system opens a file by a longer path. */
const longestPath = 4096;

/** The place that a path belongs to; undefined for a file that is no skill. */
export function locationOf(
  path: string,
  root: SkillRoot = 'workspace',
): { readonly location: SkillLocation; readonly found: Located } | undefined {
  if (path.length > longestPath) return undefined;
  for (const location of skillLocations) {
    if (!isLookedForIn(root, location)) continue;
    const found = location.locate(path);
    if (!found) continue;
    if (location.reads !== 'instructions' && !/SKILL\.md$/i.test(path) && (isResource(path) || besideSkill(path)))
      return undefined;
    return { location, found: root === 'workspace' ? found : { ...found, base: '' } };
  }
  return undefined;
}

/**
 * `.openhands/skills/pdf/forms.md` is a page of the skill `pdf` as far as a path can tell, but loose rules may lie in
 * folders there too: only deeper ones are left out.
 */
const besideSkill = (path: string): boolean =>
  /\.md$(?<=\.(?:agents|claude|copilot|github)\/skills\/[^/]+\/.+)/i.test(path) ||
  /\.md$(?<=\.openhands\/skills\/[^/]+\/[^/]+\/.+)/i.test(path);

/**
 * A pattern of the list as it is looked for: a folder that holds files, or a file.
 * `path` is relative to the folder of a root.
 */
interface Place {
  readonly path: string;
  readonly isFolder: boolean;
  readonly location: SkillLocation;
}

/**
 * ".agent/skills/<name>/SKILL.md" lies in ".agent/skills"; a file without a pattern is looked
 * for by its path, one with it by its name.
 */
const places: readonly Place[] = skillLocations.flatMap((location) =>
  location.where.split(', ').map((pattern): Place => {
    const path = pattern.startsWith(ofHome) ? pattern.slice(ofHome.length) : pattern;
    const folder = /^(.*?)\/[^/]*[*<]/.exec(path)?.[1];
    return { path: folder ?? path, isFolder: folder !== undefined, location };
  }),
);

const placesIn = (root: SkillRoot): readonly Place[] => places.filter(({ location }) => isLookedForIn(root, location));

/** Each once; a folder inside another one is searched with that one. */
function pathsOf(found: readonly Place[]): string[] {
  const paths = [...new Set(found.map(({ path }) => path))];
  return paths.filter((path) => !paths.some((other) => path.startsWith(`${other}/`)));
}

/** Folders of the workspace that hold skills, at any depth. */
export const skillFolders: readonly string[] = pathsOf(placesIn('workspace').filter(({ isFolder }) => isFolder));

/** Names of files of the workspace that may be skills wherever they are. */
export const skillFileNames: readonly string[] = pathsOf(placesIn('workspace').filter(({ isFolder }) => !isFolder)).map(
  (path) => path.slice(path.lastIndexOf('/') + 1),
);

/** Folders and files to look at, relative to a folder of this kind. */
export const skillPlacesIn = (root: SkillRoot): readonly string[] =>
  pathsOf(placesIn(root).filter(({ path }) => !path.includes('*')));

const namesInAnyCase = [...new Set(skillFileNames.flatMap((name) => [name, name.toLowerCase()]))];
const everythingBelow = skillFolders.map((folder) => `${folder}/**`);

/** The files that VS Code watches for us, as one pattern: it knows of every change in the workspace anyway. */
export const watchedSkills = `**/{${[...namesInAnyCase, '.agentignore', ...everythingBelow].join(',')}}`;

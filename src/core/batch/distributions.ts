/** Toolsets with the probability that each is offered to a task, in percent. */
export interface Distribution {
  readonly name: string;
  /** One sentence for a person who chooses. */
  readonly description: string;
  readonly toolsets: Readonly<Record<string, number>>;
}

const everything = ['web', 'vision', 'image_gen', 'terminal', 'file', 'moa', 'browser'];
const eachAt = (percent: number): Record<string, number> =>
  Object.fromEntries(everything.map((toolset) => [toolset, percent]));

/** ★ The distributions of Hermes Agent, with its names and numbers. */
export const distributions: readonly Distribution[] = [
  { name: 'default', description: 'Every toolset, always.', toolsets: eachAt(100) },
  {
    name: 'image_gen',
    description: 'Mostly image generation and vision.',
    toolsets: { image_gen: 90, vision: 90, web: 55, terminal: 45, moa: 10 },
  },
  {
    name: 'research',
    description: 'Web research with vision.',
    toolsets: { web: 90, browser: 70, vision: 50, moa: 40, terminal: 10 },
  },
  {
    name: 'science',
    description: 'Web, shell and files, sometimes a browser.',
    toolsets: { web: 94, terminal: 94, file: 94, vision: 65, browser: 50, image_gen: 15, moa: 10 },
  },
  {
    name: 'development',
    description: 'Mostly shell and files.',
    toolsets: { terminal: 80, file: 80, moa: 60, web: 30, vision: 10 },
  },
  {
    name: 'safe',
    description: 'Everything except a shell.',
    toolsets: { web: 80, browser: 70, vision: 60, image_gen: 60, moa: 50 },
  },
  { name: 'balanced', description: 'Each toolset in half of the tasks.', toolsets: eachAt(50) },
  { name: 'minimal', description: 'The web only.', toolsets: { web: 100 } },
  { name: 'terminal_only', description: 'Shell and files.', toolsets: { terminal: 100, file: 100 } },
  { name: 'terminal_web', description: 'Shell, files and the web.', toolsets: { terminal: 100, file: 100, web: 100 } },
  { name: 'creative', description: 'Images.', toolsets: { image_gen: 90, vision: 90, web: 30 } },
  {
    name: 'reasoning',
    description: 'Several models that jointly answer.',
    toolsets: { moa: 90, web: 30, terminal: 20 },
  },
  { name: 'browser_use', description: 'A browser, with search.', toolsets: { browser: 100, web: 80, vision: 70 } },
  { name: 'browser_only', description: 'A browser and nothing else.', toolsets: { browser: 100 } },
  {
    name: 'browser_tasks',
    description: 'Tasks in a browser, a few with a shell.',
    toolsets: { browser: 97, vision: 12, terminal: 15 },
  },
  {
    name: 'terminal_tasks',
    description: 'Tasks in a shell, most with the web.',
    toolsets: { terminal: 97, file: 97, web: 97, browser: 75, vision: 50, image_gen: 10 },
  },
  {
    name: 'mixed_tasks',
    description: 'A browser and a shell.',
    toolsets: { browser: 92, terminal: 92, file: 92, web: 35, vision: 15, image_gen: 15 },
  },
];

/**
 * Returns the distribution with this name. Throws an `Error` with a message for people if there is none, or if it
 * contains no known toolset.
 */
export function distributionNamed(name: string, isKnown: (toolset: string) => boolean): Distribution {
  const found = distributions.find((distribution) => distribution.name === name);
  if (!found) {
    const all = distributions.map((distribution) => distribution.name).join(', ');
    throw new Error(`There is no distribution ${name}. Distributions: ${all}.`);
  }
  const toolsets = Object.keys(found.toolsets);
  if (!toolsets.some(isKnown))
    throw new Error(
      `The distribution ${name} offers only ${toolsets.join(', ')}, which Waymark does not have. Choose another distribution.`,
    );
  return found;
}

/** Toolsets of a distribution that Waymark does not have. */
export const unknownToolsets = ({ toolsets }: Distribution, isKnown: (toolset: string) => boolean): string[] =>
  Object.keys(toolsets).filter((toolset) => !isKnown(toolset));

/**
 * Draws each toolset by its own probability. If none was drawn, takes the most probable one, as Hermes Agent does.
 * `random` returns 0 ≤ x < 1.
 */
export function sampleToolsets(
  { toolsets }: Distribution,
  isKnown: (toolset: string) => boolean,
  random: () => number,
): string[] {
  const available = Object.entries(toolsets).filter(([toolset]) => isKnown(toolset));
  const drawn = available.filter(([, percent]) => random() * 100 < percent);
  const likeliest = available.toSorted(([, a], [, b]) => b - a).slice(0, 1);
  return (drawn.length > 0 ? drawn : likeliest).map(([toolset]) => toolset);
}

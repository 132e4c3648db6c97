import { inYaml } from './agentSkillRules';

/** Template for a new skill file. `name` is in the form that `slug` returns. */
export interface SkillTemplate {
  readonly id: 'skill' | 'paths' | 'keyword' | 'command' | 'persona' | 'instructions';
  /** True if the file is called by a name. */ readonly isNamed: boolean;
  /** Returns the path relative to the workspace folder, with "/". */ file(name: string): string;
  text(name: string): string;
}

const front = (...lines: string[]): string => ['---', ...lines, '---', '', ''].join('\n');

/** Available templates, most used first. */
export const skillTemplates: readonly SkillTemplate[] = [
  {
    id: 'skill',
    isNamed: true,
    file: (name) => `.agent/skills/${name}/SKILL.md`,
    text: (name) =>
      `${front(`name: ${inYaml(name)}`, 'description: What it does. Use when it is needed.')}# ${name}\n\n`,
  },
  { id: 'paths', isNamed: true, file: (name) => `.agent/${name}.md`, text: () => front('paths: ["src/**"]') },
  {
    id: 'keyword',
    isNamed: true,
    file: (name) => `.agent/${name}.md`,
    text: (name) => front(`triggers: [${inYaml(name)}]`),
  },
  {
    id: 'command',
    isNamed: true,
    file: (name) => `.agent/${name}.md`,
    text: (name) =>
      `${front(`name: ${inYaml(name)}`, 'description: What it does.', 'inputs:', '  - name: what', '    description: what it is about')}Do this with \${what}.\n`,
  },
  {
    id: 'persona',
    isNamed: true,
    file: (name) => `.agent/agents/${name}.md`,
    text: (name) =>
      `${front(`name: ${inYaml(name)}`, 'description: What it is for.', 'tools: [readOnly]', 'limits: { steps: 30 }')}You are …\n`,
  },
  { id: 'instructions', isNamed: false, file: () => 'AGENTS.md', text: () => '# Working here\n\n' },
];

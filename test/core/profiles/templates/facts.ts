import { profileNamed } from '../../../../src/core/profiles/profiles';
import { runVariables, type TemplateFacts, type Variables } from '../../../../src/core/profiles/templates/variables';

/** Run facts for rendering templates. */
export const facts = (changes: Partial<TemplateFacts> = {}): TemplateFacts => ({
  task: 'Make it work.',
  profile: profileNamed('mini'),
  limits: { steps: 7, cost: 3, seconds: 0 },
  mode: 'confirm',
  model: { name: 'small', provider: 'test', contextWindow: 1000 },
  folder: { root: '/project', otherFolders: [], shell: 'bash', mayAct: true },
  platform: { system: 'Linux', release: '6.1', version: '#1', machine: 'x86_64' },
  tools: [
    {
      name: 'bash',
      description: 'Run a command.',
      parameters: { type: 'object', properties: { command: { type: 'string' } } },
    },
  ],
  spent: { steps: 2, cost: 2, seconds: 1.5 },
  ...changes,
});

export const run = (changes: Partial<TemplateFacts> = {}): Variables => runVariables(facts(changes));

import type { RiskAnalyzer } from './analyzers';

/** Judges the exact text that a shell will run. The parser is loaded with the first command. */
export const commandAnalyzer: RiskAnalyzer = {
  name: 'command',
  async assess({ call: { touches: { command } } }) {
    if (command === undefined) return undefined;
    const { assessCommand } = await import('./command/assessCommand');
    return assessCommand(command);
  },
};

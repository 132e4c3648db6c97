import { listOf, textOf } from './fields';
import type { Persona, SkillProblem } from './skill';

type Report = (severity: SkillProblem['severity'], code: string, key: string, message: string) => void;

const confirmations: Readonly<Record<string, Persona['confirmation']>> = {
  always: 'always', risky: 'risky', never: 'never', always_confirm: 'always', confirm_risky: 'risky', never_confirm: 'never',
};

/** What the front matter asks for, in the words of Waymark, OpenHands' file agents and VS Code's custom agents. */
export function personaOf(fields: Readonly<Record<string, unknown>>, report: Report): Persona {
  const tools = 'tools' in fields ? listOf(typeof fields['tools'] === 'string' ? fields['tools'].split(/[\s,]+/) : fields['tools'], value => report('error', 'persona-tools', 'tools', `A tool must be a name, not ${JSON.stringify(value)}.`)) : undefined;
  const limits = typeof fields['limits'] === 'object' && fields['limits'] !== null ? fields['limits'] as Record<string, unknown> : {};
  const limit = (key: string, ...values: unknown[]): number | undefined => {
    const value = values.find(each => each !== undefined && each !== null);
    if (value === undefined) return undefined;
    if (typeof value === 'number' && Number.isFinite(value) && value > 0) return value;
    report('error', 'persona-limit', key, `The limit must be a number above 0, not ${JSON.stringify(value)}.`);
    return undefined;
  };
  const asked = textOf(fields['confirmation'] ?? fields['permission_mode']);
  const confirmation = asked === undefined ? undefined : confirmations[asked];
  if (asked !== undefined && confirmation === undefined) report('error', 'persona-confirmation', 'confirmation' in fields ? 'confirmation' : 'permission_mode', `"${asked}" is not a way to ask: always, risky or never.`);
  const model = textOf(Array.isArray(fields['model']) ? fields['model'][0] : fields['model']);
  const profile = textOf(fields['profile']);
  const steps = limit('limits', limits['steps'], fields['max_iteration_per_run'], fields['max_steps']);
  const cost = limit('limits', limits['cost'], fields['max_budget_per_run']);
  const seconds = limit('limits', limits['seconds']);
  return {
    ...(tools && { tools }), ...(model !== undefined && model !== 'inherit' && { model }), ...(profile !== undefined && { profile }), ...(confirmation && { confirmation }),
    ...(steps !== undefined && { steps }), ...(cost !== undefined && { cost }), ...(seconds !== undefined && { seconds }),
  };
}

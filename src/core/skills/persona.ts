import { containsUrl } from '../model/modelNames';
import { textList, scalarText } from './fieldValues';
import type { Persona, SkillProblem } from '../ports/skill';

type Report = (severity: SkillProblem['severity'], code: string, key: string, message: string) => void;

const confirmations: Readonly<Record<string, Persona['confirmation']>> = {
  always: 'always',
  risky: 'risky',
  never: 'never',
  always_confirm: 'always',
  confirm_risky: 'risky',
  never_confirm: 'never',
};

/** Permission modes of Claude that would grant more or change nothing. */
const permissionModes = ['default', 'acceptEdits', 'bypassPermissions', 'dontAsk', 'auto', 'delegate'];

/** Splits a list of tools at white space and commas, except inside parentheses. */
function listedTools(text: string): string[] {
  const tools = [''];
  const lastClosing = text.lastIndexOf(')');
  let isInBrackets = false;
  for (const [index, sign] of [...text].entries()) {
    if (sign === '(' && index < lastClosing) isInBrackets = true;
    else if (sign === ')') isInBrackets = false;
    if (!isInBrackets && /[\s,]/.test(sign)) tools.push('');
    else tools[tools.length - 1] += sign;
  }
  return tools.filter((tool) => tool !== '');
}

/** Reads the front matter of personas: Waymark's, OpenHands' file agents and VS Code's custom agents. */
export function personaOf(frontMatter: Readonly<Record<string, unknown>>, tell: Report): Persona {
  const fields = inLowerCase(frontMatter);
  const report: Report = (severity, code, key, message) =>
    tell(severity, code, Object.keys(frontMatter).find((each) => each.toLowerCase() === key) ?? key, message);
  const twice = Object.keys(frontMatter).find(
    (key, index, all) => all.findIndex((each) => each.toLowerCase() === key.toLowerCase()) !== index,
  );
  if (twice !== undefined) tell('error', 'persona-twice', twice, `"${twice}" is listed twice. Remove one of them.`);
  const toolsIn = (key: string): string[] | undefined =>
    key in fields
      ? textList(typeof fields[key] === 'string' ? listedTools(fields[key]) : fields[key], (value) =>
          report('error', 'persona-tools', key, `A tool must be a name, not ${JSON.stringify(value)}.`),
        )
      : undefined;
  const [tools, without] = [toolsIn('tools'), toolsIn('disallowedtools')];
  const isLimits =
    typeof fields['limits'] === 'object' && fields['limits'] !== null && !Array.isArray(fields['limits']);
  const limits = isLimits ? inLowerCase(fields['limits'] as Record<string, unknown>) : {};
  const unknown = Object.keys(limits).find((key) => !['steps', 'cost', 'seconds'].includes(key));
  if ('limits' in fields && (!isLimits || unknown !== undefined))
    report(
      'error',
      'persona-limit',
      'limits',
      `${unknown === undefined ? JSON.stringify(fields['limits']) : `"${unknown}"`} is not a limit. Write for example "limits: { steps: 30 }". Limits are steps, cost and seconds.`,
    );
  const limit = (key: string, value: unknown): number | undefined => {
    if (value === undefined || (value === null && key !== 'limits')) return undefined;
    if (typeof value === 'number' && Number.isFinite(value) && value > 0) return value;
    report('error', 'persona-limit', key, `The limit must be a number above 0, not ${JSON.stringify(value)}.`);
    return undefined;
  };
  const asks = 'confirmation' in fields ? 'confirmation' : 'permission_mode';
  const asked = scalarText(fields[asks])?.trim().toLowerCase() ?? '';
  const confirmation = Object.hasOwn(confirmations, asked) ? confirmations[asked] : undefined;
  if (asks in fields && confirmation === undefined)
    report(
      'error',
      'persona-confirmation',
      asks,
      `${JSON.stringify(fields[asks])} is not valid here. Use always, risky or never.`,
    );
  const models = [fields['model']].flat().map(scalarText);
  if (models.some((name) => name !== undefined && containsUrl(name)))
    report(
      'error',
      'persona-model',
      'model',
      'A file cannot choose the model server: only the user can. Write only the name of a model.',
    );
  const [model] = models;
  const profile = scalarText(fields['profile']);
  const permission = scalarText(fields['permissionmode'])?.trim() ?? '';
  if ('permissionmode' in fields && permission !== 'plan') {
    if (permissionModes.includes(permission))
      report(
        'warning',
        'persona-permission-mode',
        'permissionmode',
        `"${permission}" is not used: a persona can only reduce what it may do without approval. Write "plan", or "confirmation: always".`,
      );
    else
      report(
        'error',
        'persona-permission-mode',
        'permissionmode',
        `${JSON.stringify(fields['permissionmode'])} is not a mode. Write "plan", or omit it.`,
      );
  }
  const ofOthers = (name: string, key: string): number | undefined =>
    name in limits ? limit('limits', limits[name]) : limit(key, fields[key]);
  const steps = ofOthers(
    'steps',
    fields['max_iteration_per_run'] === undefined ? 'max_steps' : 'max_iteration_per_run',
  );
  const cost = ofOthers('cost', 'max_budget_per_run');
  const seconds = limit('limits', limits['seconds']);
  return {
    ...(tools && { tools }),
    ...(without && { without }),
    ...(permission === 'plan' && { mode: 'plan' as const }),
    ...(model !== undefined && model.toLowerCase() !== 'inherit' && { model }),
    ...(profile !== undefined && { profile }),
    ...(confirmation && { confirmation }),
    ...(steps !== undefined && { steps }),
    ...(cost !== undefined && { cost }),
    ...(seconds !== undefined && { seconds }),
  };
}

const inLowerCase = (fields: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).map(([key, value]) => [key.toLowerCase(), value]));

import { containsUrl } from '../model/modelNames';
import { isRecord } from '../text/parseJson';
import { textList, scalarText } from './fieldValues';
import type { Persona, SkillProblem } from '../ports/skill';

/** Reports a problem of a skill file. `key`: the field that it is about. */
export type Report = (severity: SkillProblem['severity'], code: string, key: string, message: string) => void;

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
  const keys = Object.keys(frontMatter);
  const fields = inLowerCase(frontMatter);
  const report: Report = (severity, code, key, message) =>
    tell(severity, code, keys.find((each) => each.toLowerCase() === key) ?? key, message);
  const lowerKeys = keys.map((key) => key.toLowerCase());
  const twice = keys.find((_, index) => lowerKeys.indexOf(lowerKeys[index]!) !== index);
  if (twice !== undefined) tell('error', 'persona-twice', twice, `"${twice}" is listed twice. Remove one of them.`);
  const [tools, without] = [toolsIn('tools', fields, report), toolsIn('disallowedtools', fields, report)];
  const limits = limitFields(fields, report);
  const confirmation = confirmationIn(fields, report);
  const model = modelIn(fields, report);
  const profile = scalarText(fields['profile']);
  const isPlan = asksForPlan(fields, report);
  const limitOf = (name: string, otherKey: string): number | undefined =>
    name in limits ? limitIn('limits', limits[name], report) : limitIn(otherKey, fields[otherKey], report);
  const steps = limitOf('steps', fields['max_iteration_per_run'] === undefined ? 'max_steps' : 'max_iteration_per_run');
  const cost = limitOf('cost', 'max_budget_per_run');
  const seconds = limitIn('limits', limits['seconds'], report);
  return {
    ...(tools && { tools }),
    ...(without && { without }),
    ...(isPlan && { mode: 'plan' as const }),
    ...(model !== undefined && model.toLowerCase() !== 'inherit' && { model }),
    ...(profile !== undefined && { profile }),
    ...(confirmation && { confirmation }),
    ...(steps !== undefined && { steps }),
    ...(cost !== undefined && { cost }),
    ...(seconds !== undefined && { seconds }),
  };
}

/** The fields of the front matter, with keys in lower case. */
type Fields = Readonly<Record<string, unknown>>;

function toolsIn(key: string, fields: Fields, report: Report): string[] | undefined {
  if (!(key in fields)) return undefined;
  const value = fields[key];
  return textList(typeof value === 'string' ? listedTools(value) : value, (entry) =>
    report('error', 'persona-tools', key, `A tool must be a name, not ${JSON.stringify(entry)}.`),
  );
}

/** Returns the fields of `limits`; none if it has none. Reports those that are not known. */
function limitFields(fields: Fields, report: Report): Fields {
  if (!('limits' in fields)) return {};
  const value = fields['limits'];
  const limits = isRecord(value) ? inLowerCase(value) : undefined;
  const unknown = Object.keys(limits ?? {}).find((key) => !['steps', 'cost', 'seconds'].includes(key));
  if (limits && unknown === undefined) return limits;
  report(
    'error',
    'persona-limit',
    'limits',
    `${unknown === undefined ? JSON.stringify(value) : `"${unknown}"`} is not a limit. Write for example "limits: { steps: 30 }". Limits are steps, cost and seconds.`,
  );
  return limits ?? {};
}

function limitIn(key: string, value: unknown, report: Report): number | undefined {
  if (value === undefined || (value === null && key !== 'limits')) return undefined;
  if (typeof value === 'number' && Number.isFinite(value) && value > 0) return value;
  report('error', 'persona-limit', key, `The limit must be a number above 0, not ${JSON.stringify(value)}.`);
  return undefined;
}

function confirmationIn(fields: Fields, report: Report): Persona['confirmation'] {
  const key = 'confirmation' in fields ? 'confirmation' : 'permission_mode';
  const asked = scalarText(fields[key])?.trim().toLowerCase() ?? '';
  if (Object.hasOwn(confirmations, asked)) return confirmations[asked];
  if (key in fields)
    report(
      'error',
      'persona-confirmation',
      key,
      `${JSON.stringify(fields[key])} is not valid here. Use always, risky or never.`,
    );
  return undefined;
}

function modelIn(fields: Fields, report: Report): string | undefined {
  const models = [fields['model']].flat().map(scalarText);
  if (models.some((name) => name !== undefined && containsUrl(name)))
    report(
      'error',
      'persona-model',
      'model',
      'A file cannot choose the model server: only the user can. Write only the name of a model.',
    );
  return models[0];
}

/** Returns whether Claude's permission mode is "plan". Other modes are not used. */
function asksForPlan(fields: Fields, report: Report): boolean {
  const mode = scalarText(fields['permissionmode'])?.trim() ?? '';
  if (mode === 'plan' || !('permissionmode' in fields)) return mode === 'plan';
  if (permissionModes.includes(mode))
    report(
      'warning',
      'persona-permission-mode',
      'permissionmode',
      `"${mode}" is not used: a persona can only reduce what it may do without approval. Write "plan", or "confirmation: always".`,
    );
  else
    report(
      'error',
      'persona-permission-mode',
      'permissionmode',
      `${JSON.stringify(fields['permissionmode'])} is not a mode. Write "plan", or omit it.`,
    );
  return false;
}

const inLowerCase = (fields: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).map(([key, value]) => [key.toLowerCase(), value]));

import {
  elicitedValue,
  type Elicitation,
  type Elicited,
  type ElicitedField,
  type ElicitedValue,
} from '../../core/mcp/elicitation';
import { isYes } from './ask';
import { commaSeparated } from '../output/optionValues';
import { stderr } from '../output/output';
import { escapeForTerminal, printToStderr } from '../output/masked';

type Answered = (question: string) => Promise<string>;

/** Asks a question of a server at the terminal. If nobody is there, prints that and declines. */
export async function elicit(
  { message, fields }: Elicitation,
  server: string,
  answered: Answered | undefined,
): Promise<Elicited> {
  stderr.write(`\nThe MCP server ${escapeForTerminal(server)} asks: ${escapeForTerminal(message)}\n`);
  for (const field of fields) stderr.write(`  ${describeField(field)}\n`);
  if (!answered) {
    stderr.write('There is no terminal to ask at, so Waymark declines.\n');
    return { action: 'decline' };
  }
  if (fields.some(({ secret }) => secret))
    stderr.write(
      'It probably asks for a secret. Your answer is sent to the server, and your typing is visible here.\n',
    );
  if (!isYes(await answered(`${fields.length > 0 ? 'Answer it?' : 'Agree?'} y = yes, anything else = decline: `)))
    return { action: 'decline' };
  const content: Record<string, ElicitedValue> = {};
  for (const field of fields) {
    const value = await valueFor(field, answered);
    if (value === 'gave up') return { action: 'cancel' };
    if (value.value !== undefined) content[field.name] = value.value;
  }
  return { action: 'accept', content };
}

const attempts = 3;

async function valueFor(
  field: ElicitedField,
  answered: Answered,
): Promise<{ readonly value: ElicitedValue | undefined } | 'gave up'> {
  const usual = field.fallback === undefined ? '' : ` [${escapeForTerminal(String(field.fallback))}]`;
  for (let attempt = 0; attempt < attempts; attempt++) {
    const words = await answered(`${escapeForTerminal(field.title)}${usual}: `);
    const isDefault = words.trim() === '' && field.fallback !== undefined;
    const typed = field.kind === 'several' ? commaSeparated(words) : words;
    try {
      return { value: elicitedValue(field, isDefault ? field.fallback : typed) };
    } catch (error) {
      printToStderr((error as Error).message);
    }
  }
  return 'gave up';
}

function describeField({ title, description, required, kind, options }: ElicitedField): string {
  const choices =
    kind === 'yes_no'
      ? 'yes / no'
      : options.map(({ value }) => escapeForTerminal(value)).join(kind === 'several' ? ', ' : ' / ');
  return [
    escapeForTerminal(title),
    escapeForTerminal(description),
    choices === '' ? '' : `(${choices})`,
    required ? '' : '(optional)',
  ]
    .filter(Boolean)
    .join(' ');
}

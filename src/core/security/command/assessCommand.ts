import { parse, type Command, type Redirection, type Statement, type Word } from 'unbash';
import type { Assessment } from '../../../protocol/event';
import { harmless, worst } from '../assessment';
import { protectedWrites, rulesFor, secretReads } from '../pathRules';
import { askedBecause, knownCommands, plainVariables } from './knownCommands';

const MAX_BYTES = 8192;
/** Control, invisible, direction-changing and odd white-space characters: what is shown would not be what runs. */
const DECEPTIVE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00a0\u1680\u180e\u2000-\u200f\u2028-\u202f\u205f-\u2064\u2066-\u206f\u3000\ufeff]|\p{Co}|[\u{e0000}-\u{e007f}]/u;

const high = (reason: string, culprit?: string): Assessment => ({ level: 'high', reasons: [reason], ...(culprit !== undefined && { culprit }) });

/**
 * Judges a shell command from its syntax tree. Everything must be understood to be rated below high: an error, an unknown word,
 * an expansion whose value is not written down, or no command at all counts as high.
 */
export function assessCommand(text: string): Assessment {
  if (text.length > MAX_BYTES) return high('The command is too long to judge.');
  const hidden = DECEPTIVE.exec(text);
  if (hidden) return high('It contains invisible or control characters.', hidden[0]);
  const script = parse(text);
  if (script.errors && script.errors.length > 0) return high(`The shell syntax could not be read: ${script.errors[0]!.message}.`);
  if (script.commands.length === 0) return high('No command was found in it.');
  return script.commands.map(statement => judgeStatement(statement, text)).reduce(worst);
}

function judgeStatement({ background, command, pos, end }: Statement, text: string): Assessment {
  return background ? high('It leaves a process running in the background.', text.slice(pos, end)) : judgeNode(command, text);
}

function judgeNode(node: Statement['command'], text: string): Assessment {
  switch (node.type) {
    case 'AndOr': return node.commands.map(part => judgeNode(part, text)).reduce(worst, harmless);
    case 'Pipeline': return node.commands.map(part => judgeNode(part, text)).reduce(worst, harmless);
    case 'Command': return judgeCommand(node, text);
    default: return high('This shell construct is not judged as safe.', text.slice(node.pos, node.end));
  }
}

function judgeCommand({ name, prefix, args, redirects, pos, end }: Command, text: string): Assessment {
  const whole = text.slice(pos, end);
  for (const part of prefix) {
    if (part.type === 'Assignment' && !(name && plainVariables.test(part.name) && part.value.type === 'Word' && literal(part.value) !== undefined)) {
      return high('It sets a variable that can change what runs.', part.text);
    }
  }
  const command = name && literal(name);
  if (command === undefined) return high('What it runs is only known when it runs.', whole);
  const values = args.map(argument => (argument.type === 'Word' ? literal(argument) : undefined));
  const unknownAt = values.indexOf(undefined);
  if (unknownAt >= 0) return high('An argument is only known when it runs.', text.slice(args[unknownAt]!.pos, args[unknownAt]!.end));
  return worst(judgeRedirects(redirects, text), judgeArguments(command, values as string[], whole));
}

function judgeArguments(command: string, values: readonly string[], whole: string): Assessment {
  const entries = Object.hasOwn(knownCommands, command) ? knownCommands[command]! : [];
  const entry = entries.find(({ first }) => !first || first.includes(values[0] ?? ''));
  if (!entry) return high(Object.hasOwn(askedBecause, command) ? askedBecause[command]! : `"${command}" is not a command whose effect is known.`, whole);
  const changing = entry.unless && values.find(value => entry.unless!.test(value));
  if (changing !== undefined) return high(`The argument ${changing} makes "${command}" do more than usual.`, changing);
  const base: Assessment = { level: entry.level, reasons: entry.reason ? [entry.reason] : [] };
  if (entry.operands === 'none') return base;
  return values.filter(value => !value.startsWith('-')).map(path => judgePath(path, entry.operands === 'writes')).reduce(worst, base);
}

function judgeRedirects(redirects: readonly Redirection[], text: string): Assessment {
  return redirects.map((redirect): Assessment => {
    const whole = text.slice(redirect.pos, redirect.end);
    if (redirect.type !== 'Redirect') return high('Text inside a command is not judged as safe.', whole);
    const { operator, target } = redirect;
    const path = target && literal(target);
    if (path === undefined) return high('It redirects to a place that is not written down.', whole);
    if (path === '/dev/null' || (/^[<>]&$/.test(operator) && /^[0-2]$/.test(path))) return harmless;
    if (operator === '<') return judgePath(path, false);
    if (operator === '>' || operator === '>>') return worst({ level: 'medium', reasons: ['It writes a file.'], culprit: whole }, judgePath(path, true));
    return high('This redirection is not judged as safe.', whole);
  }).reduce(worst, harmless);
}

function judgePath(path: string, writes: boolean): Assessment {
  const [rule] = rulesFor(path, writes ? [...protectedWrites, ...secretReads] : secretReads);
  if (rule && rule.level === 'high') return high(rule.reason, path);
  const outside = /^[~/]|(^|\/)\.\.(\/|$)/.test(path);
  return outside ? high(`It ${writes ? 'writes' : 'reads'} outside the workspace.`, path) : harmless;
}

/** The value of a word, when it is written down in full; globs of readers included as they stand. */
function literal(word: Word): string | undefined {
  const known = (parts: Word['parts']): boolean => (parts ?? []).every(part => {
    if (part.type === 'DoubleQuoted') return known(part.parts);
    return part.type === 'Literal' || part.type === 'SingleQuoted';
  });
  return known(word.parts) ? word.value : undefined;
}

import { isLocal } from '../address';
import { secretive } from '../asksOnly';
import { judgeSpec } from '../judgeTool';
import { optionTable, readArguments } from '../options';
import { doubt, note, refuse, touch } from '../scope';
import type { Value } from '../value';
import type { Special } from './all';

const reaching = /:\/\/|^@|^fileb?:|(^|=)[~/]|\.\.\//;

/**
 * Programs of clouds and services, whose plain words say what they do: only those that ask are rated below high. Options that are not
 * in the table only choose and filter, unless they name a file, an address or a secret.
 */
export const asks: Special = ({ name, words, scope, whole, spec }) => {
  const { options, operands } = readArguments(words, optionTable(spec.options ?? ''), spec.style ?? 'letters', false);
  const said = operands.map(({ text }) => text).join(' ');
  if (words.some(({ kind }) => kind === 'unknown')) doubt(scope, whole, 'An argument is only known when it runs.');
  if (operands.length === 0 && options.length === 1 && /^(--version|-v|-V|--help|-h)$/.test(options[0]!.name)) { note(scope, 'low', whole); return 'done'; }
  if (!spec.asks!.test(said)) { doubt(scope, whole, spec.reason ?? `What "${name}" does with this is not known.`); return 'done'; }
  if (words.some(({ text }) => secretive.test(text))) refuse(scope, whole, 'It shows secrets.');
  for (const word of words) if (reaching.test(word.text)) refuse(scope, word.source, 'It names a file or an address of its own.');
  for (const { option, culprit, value } of options) {
    if (option?.level === 'high' || (!option && spec.others === 'high')) refuse(scope, culprit, 'This option makes it do more than ask.');
    else if (value && option?.role === 'read') touch(scope, 'reads', value);
  }
  note(scope, spec.level === 'high' ? 'medium' : spec.level, whole, 'It asks a service for what it knows.');
  return 'done';
};

/** Programs that only see whether a machine answers. A name that is asked for can carry data away, so only this machine is harmless. */
export const probes: Special = ({ name, words, scope, whole, spec }) => {
  const { options, operands } = readArguments(words, optionTable(spec.options ?? ''), 'letters', false);
  for (const { option, name: given, culprit } of options) if (!option || option.level === 'high') doubt(scope, culprit, `What the option ${given.slice(0, 60)} of "${name}" does is not known.`);
  const [host, ...more] = operands;
  const opens = /^(nc|ncat|netcat)$/.test(name);
  if (opens && !options.some(({ name: given }) => given === '-z')) refuse(scope, whole, 'It talks to another machine.');
  if (!host || more.some(({ text, kind }) => kind !== 'literal' || !(opens ? /^\d{1,5}(-\d{1,5})?$/ : /^(a|aaaa|mx|txt|ns|cname|soa|srv|ptr|any|\+short|\+noall|\+answer)$/i).test(text))) refuse(scope, whole, 'It talks to another machine.');
  else if (isHere(host)) note(scope, 'low', whole);
  else refuse(scope, whole, 'It talks to another machine.');
  return 'done';
};

const isHere = ({ kind, text }: Value): boolean => kind === 'literal' && isLocal(text);

/** Programs that plant or control what runs elsewhere, and can also list it. */
export const listsOnly: Special = ({ words, scope, whole, spec }) => {
  const said = words.map(({ kind, text }) => (kind === 'literal' ? text : '?')).join(' ');
  if (/^(-l|ls|-ls|list|list-(sessions|windows|panes|clients)( -a)?|-V|--version)$/.test(said)) note(scope, 'low', whole);
  else refuse(scope, whole, spec.reason!);
  return 'done';
};

/** The same letters install where no query is asked for. */
export const queriesOnly: Special = ({ words, scope, whole }) => {
  if (!words.some(({ text }) => /^-[a-zA-Z]*[qV]|^--(query|verify|version|help)$/.test(text))) refuse(scope, whole, 'It changes what is installed.');
  return undefined;
};

/** Only shows what would change. */
export const dryRun: Special = ({ name, words, scope, flow, whole, spec }) => {
  const only = words.filter(({ text }) => /^--dry-run(=(client|server))?$/.test(text)).length === 1 && !words.some(({ text }) => text === '--dry-run=none');
  if (!only) { refuse(scope, whole, spec.reason!); return 'done'; }
  judgeSpec({ level: 'medium', reason: 'It compares with the cluster.', operands: 'text…', options: '-n= --namespace= -f=search -k=search -o= --dry-run? --filename=search --validate? -R --recursive' }, name, words, scope, flow, whole);
  return 'done';
};

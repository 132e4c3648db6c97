import { isLocal } from '../../verdict/address';
import { optionTable, readArguments, type GivenOption } from '../../calls/options';
import { doubt, note, refuse } from '../../effects/scope';
import type { Judge } from '../../calls/manual';

const secretive = /passw|token|secret|credential|api_?key|session|pg_shadow|pg_authid|mysql\.user/i;
/** Functions that only count and choose; others may write, wait or run. */
const called = /(?<![\w.])([\w.]+)\s*\(/gi;
const harmlessFunction =
  /^(count|sum|avg|min|max|coalesce|lower|upper|length|round|now|date|date_trunc|distinct|in|exists|version|current_database|database|values|and|or|not|where|on|as|extract|abs|cast|concat|substring|trim|any)$/i;
const statement = /^\s*(select|show|explain(?!\s+analy)|describe|desc|table)\b[^;\\]*(?:;\s*)?$/i;
const listing = /^\\(d|dt|di|dv|dn|du|df|l|dx|ds|conninfo)[+S]?( [\w.*]+)?$/;

/** One query that only reads a database of this machine. */
export const judgeQuery: Judge = ({ words, scope, whole, manual }) => {
  const { options, operands } = readArguments(words, optionTable(manual.options ?? []), 'letters', false);
  const ask = options.filter(({ name }) => /^(-c|-e|--command|--execute)$/.test(name));
  if (options.length === 1 && operands.length === 0 && /^(--version|-V)$/.test(options[0]!.name)) {
    note(scope, 'low', whole);
    return 'done';
  }
  const lists = options.some(({ name }) => /^(-l|--list)$/.test(name));
  if (
    !strict(options) ||
    operands.some(
      ({ kind, text }) =>
        kind !== 'literal' ||
        !/^(?:postgres(?:ql)?:\/\/(?:\w+@)?(?:localhost|127\.0\.0\.1)(?::\d+)?\/)?\w[\w-]*$/.test(text),
    ) ||
    operands.length > 2
  )
    refuse(scope, whole, 'It reaches another database, or in a way that is not judged as safe.');
  else if (!lists && ask.length !== 1) refuse(scope, whole, manual.reason!);
  else if (lists || ask.every(({ value }) => value?.kind === 'literal' && reads(value.text)))
    note(scope, 'medium', whole, 'It reads a database of this machine.');
  else refuse(scope, whole, manual.reason!);
  return 'done';
};

const reads = (text: string): boolean =>
  listing.test(text) ||
  (statement.test(text) &&
    !secretive.test(text) &&
    !/\b(into|outfile|dumpfile|for update|lock)\b/i.test(text) &&
    [...text.matchAll(called)].every(([, name]) => harmlessFunction.test(name!)));

/** Only known options, and the server of this machine. */
const strict = (options: readonly GivenOption[]): boolean =>
  options.every(
    ({ option, name, value }) =>
      option !== undefined && (!/^(-h|--host)$/.test(name) || (value?.kind === 'literal' && isLocal(value.text))),
  );

const redisAsks = /^(ping|info|dbsize|exists|ttl|pttl|type|time|llen|scard|hlen|zcard|strlen|memory|object|lastsave)$/i;
const redisReads =
  /^(get|mget|keys|scan|hget|hgetall|hkeys|lrange|smembers|zrange|sismember|command|client_list|slowlog)$/i;

export const judgeRedis: Judge = ({ words, scope, whole, manual }) => {
  const { options, rest } = readArguments(words, optionTable(manual.options ?? []), 'letters', true);
  const [verb, ...more] = rest;
  if (!strict(options)) refuse(scope, whole, 'It reaches another database, or in a way that is not judged as safe.');
  else if (!verb && options.some(({ name }) => name === '--scan'))
    note(scope, 'medium', whole, 'It reads a database of this machine.');
  else if (!verb) {
    if (options.some(({ name }) => /version|^-v$/.test(name))) note(scope, 'low', whole);
    else doubt(scope, whole, 'It reads commands from its input.');
  } else if (verb.kind !== 'literal' || more.some(({ kind, text }) => kind === 'unknown' || secretive.test(text)))
    refuse(scope, whole, manual.reason!);
  else if (redisAsks.test(verb.text)) note(scope, 'low', whole);
  else if (redisReads.test(verb.text)) note(scope, 'medium', whole, 'It reads a database of this machine.');
  else refuse(scope, whole, manual.reason!);
  return 'done';
};

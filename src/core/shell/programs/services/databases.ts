import { exactlyOneOf } from '../../../text/alternatives';
import { claim, type Claims } from '../../calls/claims';
import { eachNamed, type Family, type Judge, type Manual } from '../../calls/manual';
import {
  flags,
  type GivenOption,
  high,
  optionTable,
  readArguments,
  readLeadingOptions,
  takes,
  values,
} from '../../calls/options';
import { doubt, note, refuse, type Scope, touch } from '../../effects/scope';
import { glob, literal, type Value } from '../../syntax/value';
import { isLocal } from '../../verdict/address';

/** Allows one query that only reads. */
const judgeSqlite: Judge = ({ name, words, scope, whole }) => {
  if (words.length === 1 && /^--?version$/.test(words[0]!.text)) return undefined;
  const plain = words.filter(
    ({ kind, text }) =>
      !/^-(readonly|header|column|json|csv|line|box|markdown)$/.test(text) &&
      !(
        kind === 'literal' &&
        /^\.(?:mode (?:ascii|box|column|csv|json|line|list|markdown|table|tabs)|headers? (?:on|off)|timer (?:on|off))$/.test(
          text,
        )
      ),
  );
  const [file, query, ...more] = plain;
  const reads =
    query?.kind === 'literal' &&
    (/^\.(tables|schema|indexes|databases)( [\w%]+)?$/.test(query.text) ||
      (/^\s*(select|explain|pragma (table_info|index_list|table_list|user_version))\b[^;]*(?:;\s*)?$/i.test(
        query.text,
      ) &&
        !/load_extension|writefile|readfile|edit\s*\(|fts3_tokenizer|attach|\binto\b|passw|token|secret|credential|key/i.test(
          query.text,
        )));
  if (
    name === 'duckdb' &&
    file?.text === '-c' &&
    query !== undefined &&
    more.length === 0 &&
    queriesFiles(query, scope, whole)
  )
    return 'done';
  // Functions and tables that read files of the disk.
  const readsFiles =
    name === 'duckdb' &&
    /\b(read_\w+|glob|getenv|parquet_\w+|sniff_csv|duckdb_secrets)\b|['"][^'"./\\~:]*[./\\~:][^'"]*['"]|\/\*|--|explain\s+analyze/i.test(
      query?.text ?? '',
    );
  if (!file || file.text.startsWith('-') || !reads || readsFiles || more.length > 0)
    refuse(scope, whole, 'Can change data or run commands.');
  else {
    touch(scope, 'reads', file);
    note(scope, 'low', whole);
  }
  return 'done';
};

/**
 * Judges one query about workspace files: `duckdb -c "select count(*) from 'data.csv'"`. Returns false for anything
 * else.
 */
function queriesFiles(query: Value, scope: Scope, whole: string): boolean {
  const files = [...query.text.matchAll(/'([\w./*-]+\.(?:csv|tsv|parquet|json|jsonl|ndjson)(?:\.gz)?)'/g)].map(
    ([, file]) => file!,
  );
  const rest = query.text.replace(/'[\w./*-]+\.(?:csv|tsv|parquet|json|jsonl|ndjson)(?:\.gz)?'/g, 'x');
  const isQuestion = /^\s*(?:select|describe|summarize|from|show)\b[^;'"\\]*(?:;\s*)?$/i.test(rest);
  const doesMore =
    /\b(?:into|copy|attach|install|load|export|import|pragma|set|call|getenv|glob|read_text|read_blob|write\w*|secret\w*|http\w*)\b/i.test(
      rest,
    );
  if (query.kind !== 'literal' || !isQuestion || doesMore) return false;
  for (const file of files)
    touch(scope, 'reads', /\*/.test(file) ? glob(file, query.source) : literal(file, query.source));
  note(scope, 'low', whole);
  return true;
}

const secretive = /passw|token|secret|credential|api_?key|session|pg_shadow|pg_authid|mysql\.user/i;

/**
 * Matches function calls. Only functions that count and select are allowed; others may write, wait or run something.
 */
const called = /(?<![\w.])([\w.]+)\s*\(/gi;

const harmlessFunction = exactlyOneOf(
  [
    'count sum avg min max coalesce lower upper length round now date date_trunc distinct in exists',
    'version current_database database values and or not where on as extract abs cast concat',
    'substring trim any',
  ],
  'i',
);

const statement = /^\s*(select|show|explain(?!\s+analy)|describe|desc|table)\b[^;\\]*(?:;\s*)?$/i;

const listing = /^\\(d|dt|di|dv|dn|du|df|l|dx|ds|conninfo)[+S]?( [\w.*]+)?$/;

/** Allows one query that only reads a database of this machine. */
const judgeQuery: Judge = ({ words, scope, whole, manual }) => {
  const { options, operands } = readArguments(words, optionTable(manual.options ?? []), 'letters');
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
    refuse(scope, whole, 'Connects to another database, or in a way that is not known to be safe.');
  else if (!lists && ask.length !== 1) refuse(scope, whole, manual.reason!);
  else if (lists || ask.every(({ value }) => value?.kind === 'literal' && reads(value.text)))
    note(scope, 'medium', whole, 'Reads a database of this machine.');
  else refuse(scope, whole, manual.reason!);
  return 'done';
};

const reads = (text: string): boolean =>
  listing.test(text) ||
  (statement.test(text) &&
    !secretive.test(text) &&
    !/\b(into|outfile|dumpfile|for update|lock)\b/i.test(text) &&
    [...text.matchAll(called)].every(([, name]) => harmlessFunction.test(name!)));

/** Returns whether all options are known and the server is on this machine. */
const strict = (options: readonly GivenOption[]): boolean =>
  options.every(
    ({ option, name, value }) =>
      option !== undefined && (!/^(-h|--host)$/.test(name) || (value?.kind === 'literal' && isLocal(value.text))),
  );

const redisQueries =
  /^(ping|info|dbsize|exists|ttl|pttl|type|time|llen|scard|hlen|zcard|strlen|memory|object|lastsave)$/i;

const redisReads =
  /^(get|mget|keys|scan|hget|hgetall|hkeys|lrange|smembers|zrange|sismember|command|client_list|slowlog)$/i;

const judgeRedis: Judge = ({ words, scope, whole, manual }) => {
  const { options, rest } = readLeadingOptions(words, optionTable(manual.options ?? []), 'letters');
  const [verb, ...more] = rest;
  if (!strict(options)) refuse(scope, whole, 'Connects to another database, or in a way that is not known to be safe.');
  else if (!verb && options.some(({ name }) => name === '--scan'))
    note(scope, 'medium', whole, 'Reads a database of this machine.');
  else if (!verb) {
    if (options.some(({ name }) => /version|^-v$/.test(name))) note(scope, 'low', whole);
    else doubt(scope, whole, 'Reads commands from its input.');
  } else if (verb.kind !== 'literal' || more.some(({ kind, text }) => kind === 'unknown' || secretive.test(text)))
    refuse(scope, whole, manual.reason!);
  else if (redisQueries.test(verb.text)) note(scope, 'low', whole);
  else if (redisReads.test(verb.text)) note(scope, 'medium', whole, 'Reads a database of this machine.');
  else refuse(scope, whole, manual.reason!);
  return 'done';
};

const change: Manual = {
  level: 'medium',
  reason: 'Changes files of the workspace.',
  operands: { rest: 'write' },
  others: 'high',
};

const readsOnly: Manual = { level: 'low', others: 'high', operands: { rest: 'read' } };

const sql: Claims = ({ program, all }) => {
  const query = all.find((word) =>
    /\b(drop|delete|truncate|alter|update|insert|create|grant|copy|\\copy)\b/i.test(word),
  );
  if (query === undefined) return undefined;
  const gone =
    /\b(drop|delete|truncate)\b(?:\s+(?:from|table|database|schema|index|view|if|exists|only))*\s+["`]?([\w.]+)?/i.exec(
      query,
    );
  return gone
    ? claim('destroys', `Deletes ${gone[2] ?? 'data'} in the database.`)
    : claim('changes', `Changes data through ${program}.`);
};

const redis: Claims = ({ plain }) => {
  const verb = plain
    .find((word) => /^(flushall|flushdb|del|unlink|set|config|shutdown|eval)$/i.test(word))
    ?.toLowerCase();
  if (verb === undefined) return undefined;
  return /^(flush|del|unlink)/.test(verb)
    ? claim('destroys', `Deletes ${verb.startsWith('flush') ? 'all keys' : 'keys'} of the Redis database.`)
    : claim('changes', 'Changes the Redis database.');
};

const sqlfluffOptions = [
  flags('-v --verbose -n --nocolor --disable-progress-bar --ignore-local-config --bench -h --help'),
  values(
    '-d --dialect -f --format -r --rules -e --exclude-rules -t --templater --encoding -p --processes --stdin-filename',
  ),
  values('--ignore -i --warn-unused-ignores --disable-noqa'),
  takes('search', '--config'),
  high(values('--library-path')),
];

export const databasesFamily: Family = {
  programs: {
    psql: {
      level: 'high',
      reason: 'Can change data or run commands.',
      judge: judgeQuery,
      options: [
        values('-c -U -d -h -p --command --username --dbname --host --port'),
        flags(`
          -A -t -x -q -X -l -w -1 --list --version -V --no-align --tuples-only --csv --no-psqlrc
        `),
      ],
    },
    ...eachNamed('mysql mariadb', {
      level: 'high',
      reason: 'Can change data or run commands.',
      judge: judgeQuery,
      options: [
        flags('-N -B -t -s --version -V --table --batch'),
        values('-e -u -h -P -D --execute --user --host --port --database'),
      ],
    }),
    ...eachNamed('redis-cli valkey-cli', {
      level: 'high',
      reason: 'Can change data.',
      judge: judgeRedis,
      options: [flags('--scan --raw --no-raw --version -v -3'), values('--pattern --count -h -p -n')],
    }),
    pg_isready: {
      level: 'low',
      operands: [],
      options: [
        flags('-q --quiet --version -V --help'),
        values('-p --port -U --username -d --dbname -t --timeout'),
        takes('url', '-h --host'),
      ],
    },
    duckdb: {
      level: 'high',
      reason: 'Can change data or run commands.',
      options: [flags('--version')],
      judge: judgeSqlite,
    },
    sqlc: {
      level: 'high',
      verbs: {
        ...eachNamed('generate compile vet', { level: 'medium', reason: 'Generates code.', operands: [], options: [] }),
        version: readsOnly,
      },
    },
    sqlfluff: {
      level: 'high',
      verbs: {
        lint: {
          level: 'low',
          operands: { rest: 'search' },
          options: [
            ...sqlfluffOptions,
            values('--annotation-level'),
            flags('--nofail'),
            takes('write', '--write-output --persist-timing'),
          ],
        },
        parse: {
          level: 'low',
          operands: { rest: 'search' },
          options: [...sqlfluffOptions, takes('write', '--write-output')],
        },
        ...eachNamed('fix format', {
          ...change,
          options: [
            ...sqlfluffOptions,
            flags('-f --force --check -q --quiet --show-lint-violations --FIX-EVEN-UNPARSABLE'),
            values('-x --fixed-suffix'),
          ],
        }),
        ...eachNamed('dialects rules version', { level: 'low', operands: [], options: [flags('-v')] }),
      },
    },
    sqlite3: {
      level: 'high',
      reason: 'Can change data or run commands.',
      judge: judgeSqlite,
      options: [flags('-version --version')],
    },
  },
  claims: {
    ...eachNamed('psql mysql mariadb sqlite3 duckdb', sql),
    ...eachNamed('redis-cli valkey-cli', redis),
    dropdb: ({ program, plain }) =>
      claim('destroys', `Deletes the ${program.slice(4) === 'db' ? 'database' : 'user'} ${plain.at(-1) ?? ''}.`),
    dropuser: ({ program, plain }) =>
      claim('destroys', `Deletes the ${program.slice(4) === 'db' ? 'database' : 'user'} ${plain.at(-1) ?? ''}.`),
  },
};

import { secretive } from '../../calls/isQuery';
import { judgeByManual } from '../../calls/judgeByManual';
import type { Judge, Manual } from '../../calls/manual';
import { flags, optionalValues, type Options, optionTable, readArguments, takes, values } from '../../calls/options';
import { doubt, note, refuse, touch } from '../../effects/scope';

const reaching = /:\/\/|^@|^fileb?:|(^|=)[~/]|\.\.\//;

/**
 * Judges programs of clouds and services, whose plain words say what they do. Only queries are rated below high.
 * Unlisted options are taken to select and filter, unless they name a file, an address or a secret.
 */
export const judgeQueries: Judge = ({ name, words, scope, whole, manual }) => {
  const { options, operands } = readArguments(words, optionTable(manual.options ?? []), manual.style ?? 'letters');
  const operandText = operands.map(({ text }) => text).join(' ');
  if (words.some(({ kind }) => kind === 'unknown'))
    doubt(scope, whole, 'Uses an argument that is only known when it runs.');
  if (operands.length === 0 && options.length === 1 && /^(--version|-v|-V|--help|-h)$/.test(options[0]!.name)) {
    note(scope, 'low', whole);
    return 'done';
  }
  if (!manual.asks!.test(operandText)) {
    doubt(scope, whole, manual.reason ?? `Uses "${name}" in an unknown way.`);
    return 'done';
  }
  if (words.some(({ text }) => secretive.test(text))) refuse(scope, whole, 'Shows secrets.');
  for (const word of words) {
    // Names of buckets and log groups look like addresses and paths.
    const ownName = name === 'aws' ? /^(?:s3:\/\/|\/)(?=[\w./-]+$)/ : /^(?:gs|s3):\/\/(?=[\w./-]+$)/;
    if (reaching.test(word.text.replace(ownName, ''))) refuse(scope, word.source, 'Names its own file or address.');
  }
  for (const { option, culprit, value } of options) {
    if (option?.level === 'high' || (!option && manual.others === 'high'))
      refuse(scope, culprit, 'Uses an option that makes it do more than ask.');
    else if (value && option?.role === 'read') touch(scope, 'reads', value);
  }
  note(scope, manual.level === 'high' ? 'medium' : manual.level, whole, 'Asks a service for information.');
  return 'done';
};

/** Judges `ansible-playbook site.yml --syntax-check`. Without such an option, it works on other machines. */
export const judgePlaybook: Judge = ({ name, words, scope, flow, whole, manual }) => {
  const onlyReads = words.some(({ text }) => /^--(?:syntax-check|list-tasks|list-hosts|list-tags|version)$/.test(text));
  if (!onlyReads) {
    refuse(scope, whole, manual.reason!);
    return 'done';
  }
  const options = [
    flags('--syntax-check --list-tasks --list-hosts --list-tags --version -v -vv -vvv'),
    values('-l --limit -t --tags --skip-tags -e --extra-vars'),
    takes('search', '-i --inventory'),
  ];
  judgeByManual({
    manual: {
      level: 'medium',
      reason: 'Reads the playbook and its inventory, which may be code.',
      operands: { rest: 'search' },
      options,
    },
    name,
    words,
    scope,
    flow,
    whole,
  });
  return 'done';
};

/** Programs that control what runs elsewhere, or schedule it, and can also list it. */
export const judgeListsOnly: Judge = ({ words, scope, whole, manual }) => {
  const typedWords = words.map(({ kind, text }) => (kind === 'literal' ? text : '?')).join(' ');
  if (/^(-l|ls|-ls|list|list-(sessions|windows|panes|clients)( -a)?|-V|--version)$/.test(typedWords))
    note(scope, 'low', whole);
  else refuse(scope, whole, manual.reason!);
  return 'done';
};

/** Without a query option, the same letters install packages. */
export const judgeQueriesOnly: Judge = ({ words, scope, whole }) => {
  if (!words.some(({ text }) => /^-[a-zA-Z]*[qV]|^--(query|verify|version|help)$/.test(text)))
    refuse(scope, whole, 'Changes installed software.');
  return undefined;
};

/** Allows only dry runs, which show what would change. */
export const judgeDryRun: Judge = ({ name, words, scope, flow, whole, manual }) => {
  const only =
    words.filter(({ text }) => /^--dry-run(=(client|server))?$/.test(text)).length === 1 &&
    !words.some(({ text }) => text === '--dry-run=none');
  if (!only) {
    refuse(scope, whole, manual.reason!);
    return 'done';
  }
  judgeByManual({
    manual: {
      level: 'medium',
      reason: 'Compares with the cluster.',
      operands: { rest: 'text' },
      options: [
        flags('-R --recursive'),
        values('-n --namespace -o'),
        optionalValues('--dry-run --validate'),
        takes('search', '-f -k --filename'),
      ],
    },
    name,
    words,
    scope,
    flow,
    whole,
  });
  return 'done';
};

export const judgeNotSecret: Judge = ({ words, scope, whole }) => {
  if (
    words.some(({ text }) =>
      /secret|token|passw|auth|credential|--raw|_key\b|\.env\b|:\/\/|(^|=)[~/]|\.\.\//i.test(text),
    )
  )
    refuse(scope, whole, 'Shows secrets.');
  return undefined;
};

export const changesServer = 'Changes things on a server or shows its secrets.';

export const service = (asks: RegExp, options: Options = []): Manual => ({
  level: 'high',
  reason: changesServer,
  judge: judgeQueries,
  asks,
  options,
});

export const secretName = /secret|token|credential|password|kubeconfig|access-key|private-key/i;

import { judgeRole } from '../../calls/judgeByManual';
import { claim, type Claims } from '../../calls/claims';
import { eachNamed, type Family, type Judge, type Manual } from '../../calls/manual';
import {
  flags,
  high,
  optionalValues,
  type Options,
  optionTable,
  readArguments,
  saying,
  takes,
  values,
} from '../../calls/options';
import { readsWith, readsWithoutWords } from '../shared/readsWith';
import { refusePlanted } from '../shared/planted';

/** Version control systems other than Git. */

const pushes: Claims = ({ program, plain: [verb, verbOfGit] }) => {
  const isPush =
    (program === 'hg' && verb === 'push') ||
    (program === 'svn' && /^(?:commit|ci|import)$/.test(verb ?? '')) ||
    (program === 'jj' && verb === 'git' && verbOfGit === 'push');
  return isPush ? claim('unusual', 'Sends commits to a server.') : undefined;
};

/** A repository given by an option. */
const judgeChosen: Judge = ({ words, scope, manual }) => {
  const { options } = readArguments(words, optionTable(manual.options ?? []), 'letters');
  refusePlanted(options, /^(?:-R|--repository|--cwd)$/, scope);
  return undefined;
};

const ofMercurial: Options = [
  takes('search', '-R --repository --cwd'),
  flags('-q --quiet -v --verbose -y --noninteractive --debug --traceback --time --profile -h --help'),
  values('--encoding --color --pager -I --include -X --exclude'),
  // Settings may name programs, also as extensions, hooks and editors.
  high(values('--config --tool -t')),
];
const mercurialReads: Manual = {
  level: 'low',
  operands: { rest: 'search' },
  options: [
    flags(`
      -p --patch --git -g --stat -G --graph -f --follow --no-merges -M -m --modified -a --added -r --removed -d --deleted
      -c --clean -u --unknown -i --ignored -n --no-status -A --all -C --copies -w -b -B -0 --print0 --text
      -l --list --active --closed --topo --user --number --date --line-number -id --id --num --branch --tags
    `),
    ...ofMercurial,
    values('--rev --change --limit --keyword --template -T --unified -U --only-branch --from --to --style -k'),
  ],
};
/** The letters of options depend on the verb. */
const mercurialLog: Manual = {
  ...mercurialReads,
  options: [...mercurialReads.options!, values('-r -l -u -b -d -c --prune -P --date --user --branch')],
};
const mercurialDiff: Manual = { ...mercurialReads, options: [...mercurialReads.options!, values('-r -c')] };
const mercurialChanges: Manual = {
  level: 'medium',
  reason: 'Changes the local repository.',
  operands: { rest: 'write' },
  options: [
    ...ofMercurial,
    flags('-A --addremove -f --force -n --dry-run -s --secret -i --interactive --close-branch --after'),
    values('-m --message -u --user -d --date -r --rev -l --logfile --similarity'),
    saying('Rewrites a commit.', high(flags('--amend'))),
  ],
};

/** An operand of Subversion may be an address. */
const judgeAddresses: Judge = ({ words, scope, whole }) => {
  for (const word of words) if (/^[\w+]+:\/\//.test(word.text)) judgeRole('url', word, scope, whole);
  return undefined;
};
const ofSubversion: Options = [
  flags('-q --quiet -v --verbose --non-interactive --no-ignore --xml --incremental -N --non-recursive -R --recursive'),
  values('--depth --changelist --cl'),
  high(
    values(`
      --config-dir --config-option --diff-cmd --diff3-cmd --editor-cmd --username --password --trust-server-cert-failures
    `),
  ),
];
const subversionReads: Manual = {
  level: 'low',
  judge: judgeAddresses,
  operands: { rest: 'rev' },
  options: [
    ...ofSubversion,
    flags('-u --show-updates --summarize --git --stop-on-copy --diff --no-diff-deleted --internal-diff -g'),
    values('-r --revision -c --change -l --limit -x --extensions --show-item --search --old --new'),
  ],
};
const subversionChanges: Manual = {
  level: 'medium',
  reason: 'Changes the working copy, and no server.',
  operands: { rest: 'write' },
  options: [
    ...ofSubversion,
    flags('--parents --keep-local --force --auto-props --no-auto-props'),
    values('--accept -r'),
  ],
};

const ofJujutsu: Options = [
  takes('search', '-R --repository'),
  flags('--no-pager --quiet --ignore-working-copy --debug -h --help --no-integrate-operation'),
  values('--color --at-operation --at-op'),
  // Settings may name programs.
  high(values('--config --config-file --config-toml --tool')),
];
const jujutsuReads: Manual = {
  level: 'low',
  operands: { rest: 'rev' },
  options: [
    ...ofJujutsu,
    flags('-p --patch -s --summary --stat --git --types --name-only --no-graph -G --reversed --color-words -w -b -l'),
    values('-r --revisions --revision -n --limit -T --template -f --from -t --to --context -B --branch'),
  ],
};
const jujutsuSettings: Manual = {
  ...jujutsuReads,
  operands: ['text'],
  options: [...jujutsuReads.options!, flags('--user --repo --workspace --include-defaults --include-overridden')],
};
const jujutsuChanges: Manual = {
  level: 'medium',
  reason: 'Changes the local repository, which "jj undo" takes back.',
  operands: { rest: 'rev' },
  options: [
    ...ofJujutsu,
    flags('-i --interactive --no-edit --stdin --reset-author -u --use-destination-message -k --keep-emptied'),
    values(
      '-m --message -r --revision -f --from -t --into --to -A --insert-after -B --insert-before -d -o --destination',
    ),
  ],
};

/** Without a verb, `jj` shows the log. */
const showsLog = readsWithoutWords({ ...jujutsuReads, operands: [], others: 'high' });

const connects = 'Connects to another repository or discards work.';

/** Only reads without options that change something, such as `hg branch` and `hg bookmark`. */
const showsOr = (reads: Manual, changes: Manual): Manual => ({
  ...changes,
  judge: readsWithoutWords({ ...reads, operands: [], others: 'high' }),
});

export const versionControlFamily: Family = {
  takesData: ['hg', 'svn', 'jj', 'fossil'],
  programs: {
    hg: {
      judge: judgeChosen,
      level: 'high',
      reason: connects,
      options: [flags('--version'), ...ofMercurial],
      verbs: {
        ...eachNamed(
          `
          status st summary sum cat annotate blame files locate manifest heads tip parents branches identify id root
          version help grep verify
        `,
          { ...mercurialReads, options: [...mercurialReads.options!, takes('write', '-o --output')] },
        ),
        ...eachNamed('log history', mercurialLog),
        ...eachNamed('diff export', {
          ...mercurialDiff,
          options: [...mercurialDiff.options!, takes('write', '-o --output')],
        }),
        tags: { ...mercurialReads, operands: [] },
        ...eachNamed(
          'branch bookmark bookmarks',
          showsOr(mercurialReads, { ...mercurialChanges, operands: { rest: 'text' } }),
        ),
        ...eachNamed('add addremove commit ci rename mv move copy cp forget remove rm graft backout shelve unshelve', {
          ...mercurialChanges,
        }),
        tag: { ...mercurialChanges, operands: { rest: 'text' } },
        init: mercurialChanges,
        ...eachNamed('update up checkout co', {
          ...mercurialChanges,
          operands: ['text'],
          options: [
            ...mercurialChanges.options!,
            flags('-c --check -m --merge'),
            saying('Drops uncommitted changes.', high(flags('-C --clean'))),
          ],
        }),
        ...eachNamed('pull incoming in outgoing out', {
          level: 'medium',
          reason: 'Asks another repository for commits.',
          operands: [],
          options: [
            ...ofMercurial,
            flags('-u --update -p --patch -G --graph --stat -M'),
            values('-r --rev -b -B -l -T'),
          ],
        }),
      },
    },
    svn: {
      level: 'high',
      reason: connects,
      options: [flags('--version -q --quiet')],
      verbs: {
        ...eachNamed(
          'status st stat info log diff di list ls cat blame praise annotate ann proplist pl propget pg help',
          subversionReads,
        ),
        ...eachNamed('add delete del remove rm move mv rename ren copy cp mkdir resolve resolved changelist cl', {
          ...subversionChanges,
        }),
        ...eachNamed('update up', { ...subversionChanges, reason: 'Downloads changes into the working copy.' }),
        cleanup: { ...subversionChanges, operands: { rest: 'search' } },
      },
    },
    jj: {
      level: 'high',
      reason: connects,
      options: [flags('--version'), ...ofJujutsu],
      judge: (call) => judgeChosen(call) ?? showsLog(call),
      verbs: {
        ...eachNamed('status st log diff show evolog obslog interdiff root version help', jujutsuReads),
        ...eachNamed('new commit ci describe desc squash edit next prev duplicate absorb undo redo', jujutsuChanges),
        file: {
          level: 'high',
          reason: connects,
          verbs: {
            ...eachNamed('list show annotate search', jujutsuReads),
            ...eachNamed('track untrack', { ...jujutsuChanges, operands: { rest: 'write' } }),
          },
        },
        ...eachNamed('op operation', {
          level: 'high',
          reason: connects,
          verbs: { ...eachNamed('log show diff', jujutsuReads) },
        }),
        ...eachNamed('bookmark b', {
          level: 'high',
          reason: connects,
          verbs: {
            ...eachNamed('list l', {
              ...jujutsuReads,
              options: [...jujutsuReads.options!, flags('-a --all-remotes -t')],
            }),
            ...eachNamed('create c set s move m', jujutsuChanges),
          },
        }),
        config: {
          level: 'high',
          reason: 'Changes settings, which may name programs.',
          verbs: {
            ...eachNamed('get path', jujutsuSettings),
            list: { ...jujutsuSettings, level: 'medium', reason: 'Shows every setting.' },
          },
        },
        ...eachNamed('tag workspace', {
          level: 'high',
          reason: connects,
          verbs: { list: jujutsuReads, root: jujutsuReads },
        }),
        resolve: {
          level: 'high',
          reason: 'Starts the merge tool.',
          judge: readsWith('-l --list', {
            ...jujutsuReads,
            options: [...ofJujutsu, flags('-l --list'), values('-r --revision')],
          }),
        },
        git: {
          level: 'high',
          reason: connects,
          verbs: {
            init: {
              ...jujutsuChanges,
              operands: ['write'],
              options: [...ofJujutsu, flags('--colocate --no-colocate')],
            },
            fetch: {
              level: 'medium',
              reason: 'Asks another repository for commits.',
              operands: [],
              options: [...ofJujutsu, flags('--all-remotes --tracked'), values('-b --branch --remote')],
            },
            root: jujutsuReads,
          },
        },
      },
    },
    fossil: {
      judge: judgeChosen,
      level: 'high',
      reason: connects,
      verbs: {
        ...eachNamed('status changes diff timeline info ls extras finfo version help', {
          level: 'low',
          operands: { rest: 'search' },
          options: [
            flags('-v --verbose --brief -b -i --internal --differ --all --age --extra --missing --edited'),
            values('-n -t -W --limit --from --to -r -c --context --branch'),
            takes('search', '-p --path -R --repository'),
            high(values('--command --diff-binary --exec-abs-paths'), optionalValues('--tk --by')),
          ],
        }),
        ...eachNamed('add mv rename', {
          level: 'medium',
          reason: 'Changes the local repository.',
          operands: { rest: 'write' },
        }),
      },
    },
  },
  claims: { ...eachNamed('hg svn jj', pushes) },
};

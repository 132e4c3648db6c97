import { claim } from '../../calls/claims';
import { judgeByManual } from '../../calls/judgeByManual';
import type { Judge, Manual } from '../../calls/manual';
import { flags, high, optionalValues, optionTable, readArguments, takes, values } from '../../calls/options';
import { judgePatchFiles, onlyShowsPatch } from '../shared/patches';
import { changesRepository, type GitTheme, losesOrPublishes } from './kinds';

const judgeApply: Judge = (call) => {
  const { judge, ...plain } = call.manual;
  if (!onlyShowsPatch(readArguments(call.words, optionTable(plain.options ?? []), 'letters').options))
    return judgePatchFiles(call);
  judgeByManual({ ...call, manual: { ...plain, level: 'low' } });
  return 'done';
};

const apply: Manual = {
  level: 'medium',
  reason: 'Changes files.',
  judge: judgeApply,
  operands: { rest: 'read' },
  options: [
    flags(`
      -R -3 -v -N -q -z --apply --check --stat --numstat --summary --reverse --index --cached --3way --reject
      --verbose --quiet --recount --no-add --intent-to-add --allow-overlap --allow-empty --no-index
      --inaccurate-eof --ignore-space-change --ignore-whitespace --unidiff-zero --binary
      --allow-binary-replacement --ours --theirs --union
    `),
    values('-p -C --whitespace --include --exclude'),
    high(flags('--unsafe-paths'), values('--directory')),
  ],
};

const am: Manual = {
  ...changesRepository,
  judge: judgePatchFiles,
  operands: { rest: 'read' },
  options: [
    flags(`
      -3 -s -k -c -u -m -q -r -b --abort --continue --skip --quit --resolved --retry --3way --no-3way --signoff --reject
      --keep --keep-non-patch --no-keep-cr --keep-cr --scissors --no-scissors --utf8 --no-utf8
      --message-id --no-message-id --quiet --ignore-space-change --ignore-whitespace
      --committer-date-is-author-date --ignore-date --allow-empty --rerere-autoupdate
    `),
    optionalValues('--show-current-patch'),
    values('-p -C --whitespace --include --exclude --patch-format --quoted-cr --empty'),
    high(flags('-n --no-verify'), values('--directory')),
  ],
};

const formatPatch: Manual = {
  ...changesRepository,
  operands: { rest: 'rev' },
  options: [
    flags(`
      --stdout -n -N -k -s -p -q -1 -2 -3 -# --cover-letter --no-stat --stat --numbered --no-numbered --keep-subject
      --signoff --root --no-signature --no-renames --full-index --binary --ignore-if-in-upstream --always
      --numbered-files --zero-commit --no-attach --progress --quiet --no-thread --no-base
    `),
    values('-v --reroll-count --subject-prefix --suffix --start-number --filename-max-length --creation-factor'),
    optionalValues('--thread --from --base --rfc --interdiff --range-diff --signature'),
    takes('write', '-o --output-directory'),
  ],
};

const archive: Manual = {
  level: 'medium',
  reason: 'Packs files.',
  operands: { rest: 'rev' },
  options: [
    flags('-l --list -v -# --verbose --worktree-attributes'),
    values('--format --prefix --mtime'),
    takes('write', '-o --output'),
    takes('read', '--add-file'),
    high(values('--exec --remote')),
  ],
};

/** Commits as files and mails: `git apply`, `git am`, `git format-patch`, `git archive`. */
export const patches: GitTheme = {
  verbs: {
    apply,
    am,
    'format-patch': formatPatch,
    archive,
    bundle: {
      level: 'high',
      verbs: {
        verify: { level: 'low', operands: ['read'], options: [flags('-q --quiet')] },
        'list-heads': { level: 'low', operands: { first: ['read'], rest: 'text' } },
        create: {
          level: 'medium',
          reason: 'Packs commits.',
          operands: { first: ['write'], rest: 'rev' },
          options: [
            flags('-# -q --quiet --progress --all-progress --all --branches --tags --remotes --not --reverse'),
            values('-n --max-count --since --until --after --before --version'),
          ],
        },
        unbundle: { ...changesRepository, operands: { first: ['read'], rest: 'text' }, options: [flags('--progress')] },
      },
    },
    mailinfo: {
      ...changesRepository,
      operands: ['write', 'write'],
      options: [flags('-k -b -m -u -n --scissors --no-scissors --message-id'), values('--encoding --quoted-cr')],
    },
    'send-email': losesOrPublishes,
  },
  claims: { 'send-email': () => claim('leaks', 'Sends commits by e-mail.') },
};

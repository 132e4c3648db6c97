import { claim, type Claims } from '../../calls/claims';
import { eachNamed, type Family, type Manual } from '../../calls/manual';
import { flags, high, takes, values } from '../../calls/options';
import { runsProjectStrictly, strictReadingManual } from '../shared/kinds';

/** DVC, which keeps the versions of data beside the repository. */

const common = [flags('-q --quiet -v --verbose -h --help'), high(values('--cd'))] as const;

const reads: Manual = {
  level: 'low',
  operands: { rest: 'search' },
  options: [
    ...common,
    flags(
      '--json --md --show-md --dot --mermaid --outs -R --recursive --name-only --dvc-only --all-branches -a -T --full',
    ),
    values('--targets --precision --num -n --rev'),
  ],
};

const changesServer: Claims = ({ plain: [verb] }) =>
  verb === 'push' ? claim('sends', 'Uploads data to the storage of the project.') : undefined;

export const dataVersionsFamily: Family = {
  programs: {
    dvc: {
      level: 'high',
      reason: 'Changes data, where it is stored, or a server.',
      options: [flags('--version -V -h --help -q -v')],
      verbs: {
        ...eachNamed('status diff dag list ls data check-ignore version root', reads),
        ...eachNamed('metrics params plots', { level: 'high', verbs: { ...eachNamed('show diff', reads) } }),
        exp: { level: 'high', verbs: { ...eachNamed('show list diff', reads) } },
        remote: { level: 'high', verbs: { list: { ...strictReadingManual, operands: [] } } },
        init: { level: 'medium', reason: 'Changes files of the workspace.', operands: [], options: common },
        ...eachNamed('add commit', {
          level: 'medium',
          reason: 'Records data in files of the workspace.',
          operands: { rest: 'write' },
          options: [...common, flags('-R --recursive --no-commit --glob -f --force')],
        }),
        ...eachNamed('pull fetch', {
          level: 'medium',
          reason: 'Downloads data that the project declares.',
          operands: { rest: 'write' },
          options: [
            ...common,
            flags('-a --all-branches -T --all-tags -R --recursive -d --with-deps'),
            values('-j --jobs -r'),
          ],
        }),
        repro: {
          ...runsProjectStrictly,
          options: [
            ...common,
            flags('-s --single-item -n --dry --dry-run -p --pipeline -P --all-pipelines --no-commit'),
          ],
        },
        checkout: { level: 'high', reason: 'Overwrites data with another version.', options: [takes('write', '-R')] },
      },
    },
  },
  claims: { dvc: changesServer },
};

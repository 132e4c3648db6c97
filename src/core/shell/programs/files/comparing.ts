import { each, type Family } from '../../calls/manual';
import { flags, high, optionalValues, takes, values } from '../../calls/options';
import { fileReadingManual, showsFiles } from '../shared/kinds';
import { judgePatchFiles } from '../shared/patches';
import { judgeCompare } from './search';

export const comparingFamily: Family = {
  takesData: ['diff'],
  programs: {
    patch: {
      level: 'medium',
      reason: 'Changes files of the workspace.',
      judge: judgePatchFiles,
      operands: ['write', 'read'],
      options: [
        flags('-N -R -s -f -t -l -u --dry-run --forward --reverse --silent --verbose -E -b'),
        values('-p --strip'),
        takes('read', '-i --input'),
        high(values('-o -d -r --directory --output --reject-file --get')),
      ],
    },
    ...each(
      'difft delta',
      fileReadingManual(
        [values('--display --color --width --language'), flags('--side-by-side --line-numbers -s -n')],
        {
          rest: 'read',
        },
      ),
    ),
    diff: {
      ...showsFiles,
      judge: judgeCompare,
      options: [
        flags('-u'),
        values('-U -C -x -I -W -L --exclude --label --width'),
        optionalValues('--unified --color'),
        takes('read', '-X --from-file --to-file --exclude-from'),
        high(values('--output')),
      ],
    },
    colordiff: {
      ...showsFiles,
      judge: judgeCompare,
      options: [flags('-u -r -q -w -b -i -l -s'), high(values('-o --output --diff-program'))],
    },
    ...each('sdiff diff3', {
      level: 'low',
      operands: { rest: 'read' },
      options: [flags('-u -r -q -w -b -i -l -s'), high(values('-o --output --diff-program'))],
    }),
  },
};

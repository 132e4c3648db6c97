import { eachNamed, type Family } from '../../calls/manual';
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
        flags(`
          -N -R -s -f -t -l -u -c -n -Z -T -E -b -v --dry-run --forward --reverse --silent --quiet --verbose
          --batch --force --ignore-whitespace --context --unified --normal --binary --posix
          --remove-empty-files --set-utc --set-time --backup --backup-if-mismatch
          --no-backup-if-mismatch --help --version
        `),
        optionalValues('--merge'),
        values('-p --strip -F --fuzz -D --ifdef --reject-format --quoting-style --read-only -V --version-control'),
        takes('read', '-i --input'),
        takes('write', '-o --output -r --reject-file'),
        high(values('-d --directory -g --get')),
      ],
    },
    ...eachNamed(
      'difft delta',
      fileReadingManual(
        [
          values(`
            --display --color --width --language --syntax-highlight --context --tab-width --background
            --override --parse-error-limit --byte-limit --graph-limit --strip-cr --syntax-theme --features
            --true-color --file-style --hunk-header-style --plus-style --minus-style --zero-style
            --line-numbers-left-format --line-numbers-right-format --file-decoration-style
            --max-line-length --tabs --wrap-max-lines --paging --default-language
          `),
          flags(`
            --side-by-side --line-numbers -s -n --skip-unchanged --check-only --ignore-comments
            --list-languages --missing-as-empty --sort-paths --exit-code --show-config
            --show-syntax-themes --show-themes --show-colors --list-syntax-themes --dark --light
            --navigate --hyperlinks --keep-plus-minus-markers --raw --relative-paths --color-only
            --diff-highlight --diff-so-fancy --no-gitconfig --parse-ansi
          `),
        ],
        { rest: 'read' },
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
    sdiff: {
      level: 'low',
      operands: { rest: 'read' },
      options: [
        flags(`
          -i -E -Z -b -W -B -a -l -s -t -d -H -v --ignore-case --ignore-tab-expansion
          --ignore-trailing-space --ignore-space-change --ignore-all-space --ignore-blank-lines
          --strip-trailing-cr --text --left-column --suppress-common-lines --expand-tabs --minimal
          --speed-large-files --help --version
        `),
        values('-w --width -I --ignore-matching-lines --tabsize'),
        takes('write', '-o --output'),
        high(values('--diff-program')),
      ],
    },
    diff3: {
      level: 'low',
      operands: { rest: 'read' },
      options: [
        flags(`
          -A -e -E -3 -x -X -i -m -a -T -v --show-all --ed --show-overlap --easy-only --overlap-only --merge
          --text --strip-trailing-cr --initial-tab --help --version
        `),
        values('-L --label'),
        high(values('--diff-program')),
      ],
    },
  },
};

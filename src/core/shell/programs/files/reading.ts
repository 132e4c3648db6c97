import { each, type Family } from '../../calls/manual';
import { flags, high, medium, optionalValues, takes, values } from '../../calls/options';
import { fileReadingManual, showsFiles, takesText } from '../shared/kinds';
import { printsInput } from '../shared/printed';
import { judgePager } from './search';

export const readingFamily: Family = {
  takesData: ['sort', 'comm'],
  programs: {
    hexyl: fileReadingManual([flags('-C -p --plain'), values('-n -c -s -o --length --skip --color')], ['read']),
    ...each('fold expand unexpand fmt zcat bzcat xzcat gzcat zless colrm look asa', {
      ...showsFiles,
      options: [
        takes('read', '-n -c -d -f -b -w -s -e -t -l -F'),
        high(flags('-r --pager -p'), values('--config-file -R'), takes('write', '--output -o')),
      ],
    }),
    ...each('cut paste comm', {
      ...showsFiles,
      options: [values('-d -f -c -b --delimiter --fields --output-delimiter')],
    }),
    iconv: {
      ...showsFiles,
      options: [flags('-c -s -l'), values('-f -t --from-code --to-code'), takes('write', '-o --output')],
    },
    cmp: {
      ...showsFiles,
      options: [flags('-l -s -b --verbose --silent --print-bytes'), values('-n -i --bytes --ignore-initial')],
    },
    column: { ...showsFiles, options: [flags('-t -n -J -x --table'), values('-s -o -c -N -R --separator')] },
    pr: { ...showsFiles, options: [flags('-t -n -m'), values('-l -w -h -o')] },
    head: { ...showsFiles, options: [flags('-#'), values('-n -c --lines --bytes')] },
    ...each('cat tac nl rev', { ...showsFiles, options: [high(values('--files0-from'))] }),
    ...each('od hexdump strings', {
      ...showsFiles,
      options: [flags('-C -c -v'), values('-t -A -j -N -n -e -s'), optionalValues('-w'), high(values('-f'))],
    }),
    ...each('bat batcat', {
      ...showsFiles,
      others: 'high',
      options: [flags('-p -n -A --plain --number'), values('-l -r --line-range --language --color --style --paging')],
    }),
    xxd: {
      level: 'low',
      operands: ['read'],
      others: 'high',
      options: [flags('-b -p -i -u -a -e'), values('-l -s -c -g')],
    },
    tail: {
      ...showsFiles,
      options: [
        flags('-#'),
        values('-n -c --lines --bytes'),
        medium(flags('-f -F --retry'), values('--pid'), optionalValues('--follow')),
      ],
    },
    wc: { level: 'low', operands: { rest: 'search' }, others: 'low', options: [high(values('--files0-from'))] },
    ...each(
      `
      sha256sum sha1sum sha512sum sha224sum sha384sum md5sum cksum b2sum sum shasum md5
    `,
      {
        level: 'low',
        operands: { rest: 'search' },
        others: 'low',
        options: [values('-a --algorithm'), takes('read', '-c --check')],
      },
    ),
    ...each('base64 base32', {
      level: 'low',
      operands: { rest: 'read' },
      options: [
        flags('-d -D --decode --ignore-garbage'),
        values('-w --wrap'),
        takes('read', '-i'),
        high(values('-o --output')),
      ],
    }),
    sort: {
      ...showsFiles,
      options: [
        values('-k -t --batch-size --buffer-size --key --field-separator --parallel --sort'),
        optionalValues('--check'),
        takes('write', '-o --output'),
        high(values('-S --compress-program --files0-from --random-source'), takes('write', '-T --temporary-directory')),
      ],
    },
    uniq: {
      level: 'low',
      operands: ['read'],
      options: [
        flags('-c -d -D -u -i -z --count --repeated --unique --ignore-case'),
        values('-f -s -w --skip-fields --skip-chars --check-chars'),
        optionalValues('--all-repeated --group'),
      ],
    },
    join: { level: 'low', operands: ['read', 'read'], others: 'low', options: [values('-t -1 -2 -j -a -e -o -v')] },
    tr: { ...takesText },
    tsort: showsFiles,
    less: {
      level: 'low',
      operands: { rest: 'read' },
      judge: judgePager,
      others: 'high',
      options: [flags('-R -S -N -F -X -i -n -E -e -M -m -s -r -K')],
    },
    more: {
      level: 'low',
      operands: { rest: 'read' },
      judge: judgePager,
      others: 'high',
      options: [flags('-d -f -l -p -c -s -u')],
    },
  },
  prints: each('head tail sort uniq cat', printsInput),
};

import { eachNamed, type Family } from '../../calls/manual';
import { flags, high, medium, optionalValues, takes, values } from '../../calls/options';
import { fileReadingManual, showsFiles, takesText } from '../shared/kinds';
import { printsInput, printsNumber } from '../shared/printed';
import { judgePager } from './search';

export const readingFamily: Family = {
  takesData: ['sort', 'comm'],
  programs: {
    hexyl: fileReadingManual(
      [
        flags('-C -p -v --plain --no-squeezing --characters --no-characters --position --no-position'),
        values(`
          -n -c -s -o -g -b --length --bytes --skip --color --border --group-size --groupsize --panels
          --terminal-width --endianness --block-size --display-offset --base --character-table
        `),
      ],
      ['read'],
    ),
    ...eachNamed('uchardet lsar', {
      ...showsFiles,
      others: 'high',
      options: [flags('-v -h --version --help -l -j -json -L')],
    }),
    zipgrep: {
      ...showsFiles,
      others: 'high',
      operands: { first: ['text'], rest: 'read' },
      options: [flags('-v -h --version --help -l -i -n -c -L -j -json')],
    },
    isoinfo: {
      level: 'low',
      operands: [],
      others: 'high',
      options: [flags('-l -d -f -R -J -s'), takes('read', '-i'), values('-x')],
    },
    yj: { level: 'low', operands: [], others: 'high', options: [flags('-t -j -y -h -i -n -k -r -c')] },
    jless: fileReadingManual([values('-m --mode'), flags('--json --yaml -r -R')]),
    cscope: {
      level: 'medium',
      reason: 'Writes an index of the code.',
      others: 'high',
      operands: { rest: 'search' },
      options: [
        flags('-b -d -R -L -q -k -c -C -e -v -V -0 -1 -2 -3 -4 -5 -6 -7 -8 -9'),
        takes('write', '-f'),
        takes('read', '-i'),
        takes('search', '-I -s -P'),
      ],
    },
    col: { level: 'low', operands: [], options: [flags('-b -f -h -p -x'), values('-l --lines')] },
    ...eachNamed('parquet-tools pqrs parq', {
      level: 'high',
      options: [flags('--version')],
      verbs: {
        ...eachNamed(
          'schema cat head meta rowcount show inspect dump csv size column-index',
          fileReadingManual([flags('-j --json -d --detailed -c --csv'), values('-n --head --columns --limit')]),
        ),
      },
    }),
    fmt: { ...showsFiles, options: [flags('-c -s -t -u'), values('-w -g -p --width --goal --prefix')] },
    ...eachNamed('fold expand unexpand zcat bzcat xzcat gzcat zstdcat lz4cat lzcat zless colrm look asa', {
      ...showsFiles,
      options: [
        takes('read', '-n -c -d -f -b -w -s -e -t -l -F'),
        high(flags('-r --pager -p'), values('--config-file -R'), takes('write', '--output -o')),
      ],
    }),
    ...eachNamed('cut paste comm', {
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
    ...eachNamed('cat tac nl rev', { ...showsFiles, options: [high(values('--files0-from'))] }),
    od: {
      ...showsFiles,
      options: [
        flags('-s -f -v'),
        values('-t -A -j -N --format --address-radix --skip-bytes --read-bytes --endian'),
        optionalValues('-w -S'),
      ],
    },
    hexdump: {
      ...showsFiles,
      options: [flags('-C -c -v'), values('-n -e -s'), takes('read', '-f --format-file')],
    },
    strings: {
      ...showsFiles,
      options: [flags('-a -f -w'), values('-t -n -e -s --radix --bytes --encoding --output-separator -T --target')],
    },
    ...eachNamed('bat batcat', {
      ...showsFiles,
      others: 'high',
      options: [
        flags(`
          -p -n -A -d -f -u -L -h -V -P -s -S --plain --number --show-all --diff --force-colorization --unbuffered
          --list-languages --list-themes --no-paging --squeeze-blank --chop-long-lines --config-file
          --config-dir --cache-dir --acknowledgements --set-terminal-title --help --version
        `),
        values(`
          -l -r -H -m --line-range --language --highlight-line --file-name --map-syntax --ignored-suffix --theme
          --theme-dark --theme-light --style --color --italic-text --decorations --paging --diff-context
          --tabs --wrap --terminal-width --nonprintable-notation --binary --squeeze-limit --strip-ansi
        `),
        high(flags('--generate-config-file --diagnostic --diagnostics'), values('--pager')),
      ],
    }),
    xxd: {
      level: 'low',
      operands: ['read', 'write'],
      others: 'high',
      options: [
        flags(`
          -b -p -i -u -a -e -r -d -C -E -v -h -ps -bits -plain -postscript -include -uppercase -autoskip -revert
          -capitalize -ebcdic -EBCDIC -decimal -version
        `),
        values('-l -s -c -g -o -n -R -len -seek -skip -cols -groupsize -group -offset -name'),
      ],
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
    ...eachNamed(
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
    ...eachNamed('base64 base32', {
      level: 'low',
      operands: { rest: 'read' },
      options: [
        flags('-d -D --decode --ignore-garbage'),
        values('-w --wrap'),
        takes('read', '-i'),
        values('-b --break'),
        takes('write', '-o --output'),
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
      options: [
        flags(`
          -# -R -S -N -F -X -i -I -n -E -e -M -m -s -r -K -a -A -c -C -d -f -g -G -J -q -Q -u -U -V -w -W -L
          --RAW-CONTROL-CHARS --raw-control-chars --chop-long-lines --LINE-NUMBERS --line-numbers
          --quit-if-one-screen --no-init --ignore-case --IGNORE-CASE --quit-at-eof --QUIT-AT-EOF
          --quit-on-intr --squeeze-blank-lines --clear-screen --force --quiet --silent --tilde
          --no-lessopen --no-histdups --status-column --use-color --mouse --follow-name --help --version
        `),
        values(
          '-p --pattern -j --jump-target -x --tabs -z --window -y --max-forw-scroll -h --max-back-scroll -b --buffers',
        ),
        takes('write', '-o --log-file -O --LOG-FILE'),
      ],
    },
    more: {
      level: 'low',
      operands: { rest: 'read' },
      judge: judgePager,
      others: 'high',
      options: [
        flags(`
          -# -d -f -l -p -c -s -u -e --silent --logical --no-pause --exit-on-eof --print-over --clean-print
          --squeeze --plain -h --help -V --version
        `),
        values('-n --lines'),
      ],
    },
  },
  prints: { ...eachNamed('head tail sort uniq cat', printsInput), wc: printsNumber(/^-[lcwm]$/) },
};

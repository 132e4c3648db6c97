import { flags, high, optionalValues, takes, values } from '../../calls/options';
import { each } from '../../calls/manual';
import type { Manuals } from '../../calls/manual';
import { judgePacks, judgeRsync, judgeTar, judgeUnzip } from '../special/archives';
import {
  judgeChmod,
  judgeCopy,
  judgeCutOff,
  judgeInstalls,
  judgeLink,
  judgeMove,
  judgePlainMode,
  judgeRemove,
  judgeSplits,
} from '../special/changes';
import { judgePatchFiles } from '../special/patches';

/** Tools that change files, pack and unpack. */
export const fileTools: Manuals = {
  ...each('rm rmdir unlink', { level: 'high', judge: judgeRemove }),
  trash: { level: 'high', judge: judgeRemove },
  ...each('rimraf del-cli', { level: 'high', judge: judgeRemove, declared: true }),
  cp: {
    level: 'medium',
    reason: 'It copies files.',
    judge: judgeCopy,
    operands: { rest: 'read' },
    last: 'write',
    options: [
      values('--sparse'),
      optionalValues('--preserve --update --reflink'),
      flags(`
          -r -R -a -f -n -p -v -u -i -d -L -P -H -T -x --recursive --archive --force --no-clobber
          --verbose --parents --no-target-directory
        `),
      takes('write', '-t --target-directory'),
      high(
        flags('--link --symbolic-link -s -l -b --remove-destination'),
        values('-S --suffix'),
        optionalValues('--backup'),
      ),
    ],
  },
  mv: {
    level: 'medium',
    reason: 'It moves files.',
    judge: judgeMove,
    operands: { rest: 'write' },
    last: 'write',
    options: [
      flags('-f -n -v -u -i -T --force --no-clobber --verbose --no-target-directory'),
      optionalValues('--update'),
      takes('write', '-t --target-directory'),
      high(flags('-b'), values('-S --suffix'), optionalValues('--backup')),
    ],
  },
  mkdir: {
    level: 'medium',
    reason: 'It creates folders.',
    judge: judgePlainMode,
    operands: { rest: 'write' },
    options: [flags('-p -v --parents --verbose'), values('-m --mode')],
  },
  touch: {
    level: 'medium',
    reason: 'It creates or touches files.',
    operands: { rest: 'write' },
    options: [flags('-a -c -m -h --no-create'), values('-d -t --date --time'), takes('list', '-r --reference')],
  },
  mktemp: {
    level: 'medium',
    reason: 'It creates a file in the temporary folder.',
    operands: [],
    options: [flags('-d -u -q --directory --quiet')],
  },
  ln: { level: 'medium', judge: judgeLink },
  chmod: { level: 'medium', judge: judgeChmod },
  tee: { level: 'low', operands: { rest: 'write' }, options: [flags('-a -i --append --ignore-interrupts')] },
  install: {
    level: 'medium',
    reason: 'It copies files.',
    judge: judgeInstalls,
    operands: { rest: 'read' },
    last: 'write',
    options: [flags('-d -D -v -p -C'), values('-m --mode'), takes('write', '-t'), high(flags('-s'), values('-o -g'))],
  },
  truncate: {
    level: 'medium',
    reason: 'It cuts files off.',
    judge: judgeCutOff,
    operands: { rest: 'write' },
    options: [flags('-c --no-create'), values('-s --size')],
  },
  patch: {
    level: 'medium',
    reason: 'It changes files of the workspace.',
    judge: judgePatchFiles,
    operands: ['write', 'read'],
    options: [
      flags('-N -R -s -f -t -l -u --dry-run --forward --reverse --silent --verbose -E -b'),
      values('-p --strip'),
      takes('read', '-i --input'),
      high(values('-o -d -r --directory --output --reject-file --get')),
    ],
  },
  csplit: {
    level: 'medium',
    reason: 'It writes files.',
    operands: { first: ['read'], rest: 'text' },
    judge: judgeSplits,
    options: [
      values('-f -b -n --prefix --suffix-format --digits'),
      flags(`
          -k -s -q -z --keep-files --silent --quiet --elide-empty-files --suppress-matched
        `),
    ],
  },
  split: {
    level: 'medium',
    reason: 'It writes files.',
    operands: ['read', 'write'],
    judge: judgeSplits,
    options: [
      flags('-d -e -u --verbose'),
      optionalValues('-x --numeric-suffixes --hex-suffixes'),
      values('-l -b -n -C -t --suffix-length --number -a --lines --bytes --additional-suffix'),
      high(values('--filter')),
    ],
  },
  tar: {
    level: 'medium',
    reason: 'It packs or unpacks files.',
    operands: { rest: 'read' },
    judge: judgeTar,
    options: [
      flags('-c -x -t -z -j -J -v -k -p -m -O -r -u -a -h -S -w'),
      takes('write', '-f -C'),
      takes('read', '-X'),
      values('-K -V -N'),
      flags('--create --extract --get --list --gzip --gunzip --bzip2 --xz --zstd --verbose'),
      takes('write', '--file --directory'),
      values('--exclude'),
      flags('--exclude-vcs'),
      takes('read', '--exclude-from'),
      values('--strip-components'),
      flags(`
          --to-stdout --keep-old-files --no-same-owner --no-same-permissions --auto-compress
        `),
      values('--sort --mtime --owner --group'),
      flags('--numeric-owner --wildcards --dereference --totals --version --one-file-system'),
      optionalValues('--one-top-level', 'write'),
      high(
        flags(`
          -P --absolute-names --remove-files --overwrite --unlink-first --recursive-unlink
          --force-local
        `),
        values(`
          -T -I -F -s --to-command --checkpoint-action --use-compress-program --info-script
          --new-volume-script --rsh-command --rmt-command --transform --xform --files-from
          --listed-incremental --index-file --volno-file
        `),
        optionalValues('--checkpoint'),
      ),
    ],
  },
  zip: {
    level: 'medium',
    reason: 'It packs files.',
    operands: { first: ['write'], rest: 'read' },
    options: [
      flags('-r -q -j -u -9 -8 -7 -6 -5 -4 -3 -2 -1 -0 -y -v -X -l --recurse-paths --quiet'),
      values('-x --exclude'),
      takes('read', '-i --include'),
      high(flags('-m -T -e'), values('-TT -P -b --unzip-command')),
    ],
  },
  unzip: {
    level: 'medium',
    reason: 'It unpacks files.',
    operands: { first: ['read'], rest: 'text' },
    judge: judgeUnzip,
    options: [
      flags('-l -v -t -Z -o -n -q -j -u -a -L -p -c'),
      values('-x'),
      takes('write', '-d'),
      high(flags('-:'), values('-P')),
    ],
  },
  zipinfo: { level: 'low', operands: { first: ['read'], rest: 'text' }, options: [flags('-1 -l -v -h -t')] },
  ...each('gzip gunzip bzip2 bunzip2 xz unxz zstd unzstd', {
    level: 'medium',
    reason: 'It replaces files by packed or unpacked ones.',
    judge: judgePacks,
    operands: { rest: 'write' },
    options: [
      flags(`
          -d -k -f -v -q -c -t -l -n -r -1 -2 -3 -4 -5 -6 -7 -8 -9 -# --keep --force --decompress
          --stdout --best --fast --list --test --verbose --quiet
        `),
      values('-T'),
      takes('write', '-o'),
    ],
  }),
  ...each('7z 7za 7zr', {
    level: 'high',
    reason: 'It packs or unpacks files.',
    verbs: { ...each('l t', { level: 'low', operands: ['read'], options: [] }) },
  }),
  rsync: {
    level: 'medium',
    reason: 'It copies files.',
    operands: { rest: 'write' },
    judge: judgeRsync,
    options: [
      values('--exclude --include --info'),
      flags(`
          -a -v -r -n -z -h -P -u -t -p -l -i -q -c -m -W -x --archive --verbose --recursive --dry-run
          --progress --stats --update --checksum --human-readable --ignore-existing --times
          --prune-empty-dirs --itemize-changes
        `),
      takes('read', '--exclude-from'),
    ],
  },
  dos2unix: { level: 'medium', reason: 'It changes files.', operands: { rest: 'write' }, options: [flags('-k -q')] },
  unix2dos: { level: 'medium', reason: 'It changes files.', operands: { rest: 'write' }, options: [flags('-k -q')] },
};

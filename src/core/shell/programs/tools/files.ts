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
  'rm rmdir unlink': { level: 'high', judge: judgeRemove },
  trash: { level: 'high', judge: judgeRemove },
  'rimraf del-cli': { level: 'high', judge: judgeRemove, declared: true },
  cp: {
    level: 'medium',
    reason: 'It copies files.',
    judge: judgeCopy,
    operands: 'read…',
    last: 'write',
    options:
      '-r -R -a -f -n -p -v -u -i -d -L -P -H -T -x -t=write --recursive --archive --force --no-clobber --preserve? --verbose --update? --target-directory=write --parents --no-target-directory --reflink? --sparse= --link! --symbolic-link! -s! -l! --backup?! -b! --remove-destination! -S=! --suffix=!',
  },
  mv: {
    level: 'medium',
    reason: 'It moves files.',
    judge: judgeMove,
    operands: 'write…',
    last: 'write',
    options:
      '-f -n -v -u -i -T -t=write --force --no-clobber --verbose --update? --target-directory=write --no-target-directory -b! --backup?! -S=! --suffix=!',
  },
  mkdir: {
    level: 'medium',
    reason: 'It creates folders.',
    judge: judgePlainMode,
    operands: 'write…',
    options: '-p -v --parents --verbose -m= --mode=',
  },
  touch: {
    level: 'medium',
    reason: 'It creates or touches files.',
    operands: 'write…',
    options: '-a -c -m -h -d= -t= -r=list --no-create --date= --reference=list --time=',
  },
  mktemp: {
    level: 'medium',
    reason: 'It creates a file in the temporary folder.',
    operands: '',
    options: '-d -u -q --directory --quiet',
  },
  ln: { level: 'medium', judge: judgeLink },
  chmod: { level: 'medium', judge: judgeChmod },
  tee: { level: 'low', operands: 'write…', options: '-a -i --append --ignore-interrupts' },
  install: {
    level: 'medium',
    reason: 'It copies files.',
    judge: judgeInstalls,
    operands: 'read…',
    last: 'write',
    options: '-d -D -v -p -C -m= --mode= -o=! -g=! -s! -t=write',
  },
  truncate: {
    level: 'medium',
    reason: 'It cuts files off.',
    judge: judgeCutOff,
    operands: 'write…',
    options: '-s= -c --size= --no-create',
  },
  patch: {
    level: 'medium',
    reason: 'It changes files of the workspace.',
    judge: judgePatchFiles,
    operands: 'write read',
    options:
      '-p= -N -R -s -f -t -l -u -i=read --dry-run --forward --reverse --silent --strip= --input=read --verbose -E -b -o=! -d=! -r=! --directory=! --output=! --reject-file=! --get=!',
  },
  csplit: {
    level: 'medium',
    reason: 'It writes files.',
    operands: 'read text…',
    judge: judgeSplits,
    options:
      '-f= -b= -n= -k -s -q -z --prefix= --suffix-format= --digits= --keep-files --silent --quiet --elide-empty-files --suppress-matched',
  },
  split: {
    level: 'medium',
    reason: 'It writes files.',
    operands: 'read write',
    judge: judgeSplits,
    options:
      '-l= -b= -n= -d -x? -e -u -C= -t= --verbose --numeric-suffixes? --hex-suffixes? --suffix-length= --number= -a= --filter=! --lines= --bytes= --additional-suffix=',
  },
  tar: {
    level: 'medium',
    reason: 'It packs or unpacks files.',
    operands: 'read…',
    judge: judgeTar,
    options:
      '-c -x -t -z -j -J -v -f=write -C=write -k -p -m -O -r -u -a -h -S -w -T=! -X=read -I=! -F=! -P! -s=! -K= -V= -N= --create --extract --get --list --gzip --gunzip --bzip2 --xz --zstd --verbose --file=write --directory=write --exclude= --exclude-vcs --exclude-from=read --strip-components= --to-stdout --keep-old-files --no-same-owner --no-same-permissions --auto-compress --sort= --mtime= --owner= --group= --numeric-owner --wildcards --dereference --totals --version --one-file-system --to-command=! --checkpoint?! --checkpoint-action=! --use-compress-program=! --info-script=! --new-volume-script=! --rsh-command=! --rmt-command=! --absolute-names! --transform=! --xform=! --files-from=! --remove-files! --overwrite! --unlink-first! --recursive-unlink! --listed-incremental=! --index-file=! --volno-file=! --force-local! --one-top-level?write',
  },
  zip: {
    level: 'medium',
    reason: 'It packs files.',
    operands: 'write read…',
    options:
      '-r -q -j -u -x= -i=read -9 -8 -7 -6 -5 -4 -3 -2 -1 -0 -y -v -X -l -m! -T! -TT=! -P=! -e! -b=! --exclude= --include=read --recurse-paths --quiet --unzip-command=!',
  },
  unzip: {
    level: 'medium',
    reason: 'It unpacks files.',
    operands: 'read text…',
    judge: judgeUnzip,
    options: '-l -v -t -Z -o -n -q -j -u -a -L -p -c -d=write -x= -P=! -:!',
  },
  zipinfo: { level: 'low', operands: 'read text…', options: '-1 -l -v -h -t' },
  'gzip gunzip bzip2 bunzip2 xz unxz zstd unzstd': {
    level: 'medium',
    reason: 'It replaces files by packed or unpacked ones.',
    judge: judgePacks,
    operands: 'write…',
    options:
      '-d -k -f -v -q -c -t -l -n -r -1 -2 -3 -4 -5 -6 -7 -8 -9 -# -T= --keep --force --decompress --stdout --best --fast --list --test --verbose --quiet -o=write',
  },
  '7z 7za 7zr': {
    level: 'high',
    reason: 'It packs or unpacks files.',
    verbs: { 'l t': { level: 'low', operands: 'read', options: '' } },
  },
  rsync: {
    level: 'medium',
    reason: 'It copies files.',
    operands: 'write…',
    judge: judgeRsync,
    options:
      '-a -v -r -n -z -h -P -u -t -p -l -i -q -c -m -W -x --archive --verbose --recursive --dry-run --progress --stats --exclude= --include= --update --checksum --human-readable --exclude-from=read --ignore-existing --info= --times --prune-empty-dirs --itemize-changes',
  },
  dos2unix: { level: 'medium', reason: 'It changes files.', operands: 'write…', options: '-k -q' },
  unix2dos: { level: 'medium', reason: 'It changes files.', operands: 'write…', options: '-k -q' },
};

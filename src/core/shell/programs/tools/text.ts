import type { Manuals } from '../../calls/manual';
import { judgeAwk } from '../special/awk';
import { judgeProcesses } from '../special/building';
import { judgeCd, judgePrintf, judgeShellOptions, judgeTest } from '../special/builtins';
import { judgeFd, judgeFind } from '../special/find';
import { judgeAck, judgeCompare, judgeGrep, judgeJq, judgePager, judgeRipgrep } from '../special/search';
import { judgeSed } from '../special/sed';
import { judgeWrapper } from '../special/wrappers';

const show = { level: 'low', operands: 'read…', others: 'low' } as const;
const names = { level: 'low', operands: 'list…', others: 'low' } as const;
const words = { level: 'low', others: 'low', loose: true } as const;

/** Tools that read files or text and print. Their dangerous options are marked; the others only change what is printed. */
export const textTools: Manuals = {
  'cat tac nl rev head fold expand unexpand fmt paste comm cut hexdump xxd od strings column pr zcat bzcat xzcat gzcat zless iconv colrm look bat batcat cmp asa':
    {
      ...show,
      options:
        '-n=read -c=read -d=read -f=read -b=read -w=read -s=read -e=read -t=read -l=read -F=read --output=write! -o=write! -r! --pager! --config-file=! -p! -R=!',
    },
  'cut paste comm': { ...show, options: '-d= -f= -c= -b= --delimiter= --fields= --output-delimiter=' },
  iconv: { ...show, options: '-f= -t= -o=write -c -s -l --from-code= --to-code= --output=write' },
  cmp: { ...show, options: '-l -s -b -n= -i= --bytes= --ignore-initial= --verbose --silent --print-bytes' },
  column: { ...show, options: '-t -s= -o= -c= -n -J -N= -R= -x --table --separator=' },
  pr: { ...show, options: '-t -l= -w= -h= -n -m -o=' },
  head: { ...show, options: '-# -n= -c= --lines= --bytes=' },
  'cat tac nl rev': { ...show, options: '--files0-from=!' },
  'od hexdump strings': { ...show, options: '-t= -A= -j= -N= -w? -n= -e= -s= -f=! -C -c -v' },
  'bat batcat': {
    ...show,
    others: 'high',
    options: '-p -n -A -l= -r= --plain --number --line-range= --language= --color= --style= --paging=',
  },
  xxd: { level: 'low', operands: 'read', others: 'high', options: '-l= -s= -c= -g= -b -p -i -u -a -e' },
  tail: { ...show, options: '-# -n= -c= -f^ -F^ --follow?^ --retry^ --pid=^ --lines= --bytes=' },
  wc: { level: 'low', operands: 'search…', others: 'low', options: '--files0-from=!' },
  'sha256sum sha1sum sha512sum sha224sum sha384sum md5sum cksum b2sum sum shasum md5': {
    level: 'low',
    operands: 'search…',
    others: 'low',
    options: '-a= --algorithm= -c=read --check=read',
  },
  'base64 base32': {
    level: 'low',
    operands: 'read…',
    options: '-d -D -w= -i=read --decode --wrap= --ignore-garbage -o=! --output=!',
  },
  'grep egrep fgrep zgrep': {
    level: 'low',
    operands: 'text search…',
    others: 'low',
    insteadOfFirst: ['-e', '-f', '--regexp', '--file'],
    judge: judgeGrep,
    loose: true,
    options:
      '-e= -f=read -A= -B= -C= -m= -d= -D= --regexp= --file=read --include= --exclude= --exclude-dir= --exclude-from=read --color? --colour? --max-count= --context= --after-context= --before-context= --binary-files= --directories= --label=',
  },
  rg: {
    level: 'low',
    judge: judgeRipgrep,
    operands: 'text search…',
    insteadOfFirst: ['-e', '-f', '--files', '--type-list', '--regexp'],
    options:
      '-e= -f=read -A= -B= -C= -m= -g= -t= -T= -r= -j= -d= -M= -E= -n -N -i -s -S -w -x -l -c -o -v -F -U -P -H -I -p -q -0 -a! -L! -u -z! -. --pre=! --pre-glob=! --hostname-bin=! --search-zip! --hidden --no-ignore --no-ignore-vcs --unrestricted --config=! --ignore-file=! --follow! --files --type-list --regexp= --glob= --iglob= --type= --type-not= --type-add= --count --count-matches --files-with-matches --files-without-match --line-number --no-line-number --column --color= --colors= --heading --no-heading --json --multiline --multiline-dotall --pcre2 --fixed-strings --ignore-case --smart-case --case-sensitive --word-regexp --only-matching --invert-match --max-count= --max-depth= --context= --after-context= --before-context= --replace= --sort= --sortr= --stats --trim --vimgrep --no-messages --version --help --passthru --max-columns= --threads= --crlf --null --no-filename --with-filename --max-filesize= --pretty --quiet --line-regexp --engine= --encoding= --debug',
  },
  ag: {
    level: 'low',
    operands: 'text search…',
    options:
      '-i -l -n -w -c -A= -B= -C= -g= -G= -Q -s -v --hidden! --ignore= --nocolor --color --js --ts --python --pager=! --type= -u! --unrestricted! -U! --skip-vcs-ignores! -a! --all-types!',
  },
  ack: {
    level: 'low',
    judge: judgeAck,
    operands: 'text search…',
    options:
      '-i -l -n -w -c -A= -B= -C= -g= -G= -Q -s -v --hidden! --ignore= --nocolor --color --js --ts --python --pager=! --type=',
  },
  'fd fdfind': {
    level: 'low',
    operands: 'text search…',
    judge: judgeFd,
    options:
      '-e= -t= -d= -E= -g -i -s -a -p -l -0 -1 -F -H -I! -u! --extension= --type= --max-depth= --exclude= --glob --full-path --hidden --color= --base-directory=search',
  },
  sort: {
    ...show,
    options:
      '-k= -t= -S=! -o=write! -T=write! --output=write! --compress-program=! --temporary-directory=write! --files0-from=! --random-source=! --batch-size= --buffer-size= --key= --field-separator= --parallel= --sort= --check?',
  },
  uniq: {
    level: 'low',
    operands: 'read',
    options:
      '-c -d -D -u -i -z -f= -s= -w= --count --repeated --unique --ignore-case --skip-fields= --skip-chars= --check-chars= --all-repeated? --group?',
  },
  join: { level: 'low', operands: 'read read', others: 'low', options: '-t= -1= -2= -j= -a= -e= -o= -v=' },
  tr: { ...words },
  tsort: show,
  diff: {
    ...show,
    judge: judgeCompare,
    options:
      '-u -U= -C= -x= -X=read -I= -W= -L= --exclude= --label= --unified? --from-file=read --to-file=read --exclude-from=read --color? --output=! --width=',
  },
  colordiff: { ...show, judge: judgeCompare, options: '-u -r -q -w -b -i -o=! --output=! --diff-program=! -l -s' },
  'sdiff diff3': {
    level: 'low',
    operands: 'read…',
    options: '-u -r -q -w -b -i -o=! --output=! --diff-program=! -l -s',
  },
  less: {
    level: 'low',
    operands: 'read…',
    judge: judgePager,
    others: 'high',
    options: '-R -S -N -F -X -i -n -E -e -M -m -s -r -K',
  },
  more: { level: 'low', operands: 'read…', judge: judgePager, others: 'high', options: '-d -f -l -p -c -s -u' },
  'awk gawk mawk nawk': { level: 'low', judge: judgeAwk },
  'sed gsed': { level: 'low', judge: judgeSed },
  jq: {
    level: 'low',
    operands: 'text read…',
    judge: judgeJq,
    insteadOfFirst: ['-f', '--from-file'],
    options:
      '-r -c -n -e -s -S -R -a -j -C -M -f=read -L=! --raw-output --compact-output --null-input --exit-status --slurp --sort-keys --raw-input --tab --indent= --arg= --argjson= --slurpfile=! --rawfile=! --args --from-file=read --color-output --monochrome-output --version --join-output',
  },
  yq: {
    level: 'low',
    operands: 'text search…',
    judge: judgeJq,
    options:
      '-r -o= -p= -P -e -j -n -M -C -i^ --inplace^ -N --no-doc --from-file=! --split-exp=! --output-format= --input-format= --prettyPrint --version --unwrapScalar',
  },
  xmllint: { level: 'low', operands: 'read…', options: '--noout --format --xpath= --valid --nonet --version' },
  'ls dir vdir': { ...names, options: '-I= --ignore= -w=list -T=list --color?' },
  'exa eza lsd': { ...names, options: '-I= --ignore-glob= -L= --level= --sort= --color? -s=list -t=list' },
  tree: { ...names, options: '-L= -I= -P= -o=! --output=! --fromfile! --infofile! --gitfile=! -R!' },
  'stat file': {
    ...names,
    options:
      '-c= -f=list -C! -m=! --compile! --magic-file=! --files-from=! --format= --printf= -t=list -z! --uncompress! -Z! --uncompress-noreport!',
  },
  file: { ...names, options: '-C! -m=! -f=! -z! -Z! --compile! --magic-file=! --files-from=! --uncompress!' },
  'du df': {
    ...names,
    options: '-d= -t=list -x=list --max-depth= --exclude= -B= --block-size= --files0-from=! -X=! --exclude-from=!',
  },
  'realpath readlink basename dirname pathchk': { ...words, options: '--relative-to= --relative-base= -s=' },
  find: { level: 'low', judge: judgeFind },
  'echo true false : pwd seq yes sleep which type whereis uname whoami id groups nproc cal tty users logname expr factor numfmt locale getconf hash tput clear uptime w who free vmstat iostat sw_vers':
    words,
  arch: { level: 'low', judge: judgeWrapper, startsPrograms: true, options: '-x86_64 -arm64 -arm64e -i386' },
  yes: words,
  hash: { level: 'low', operands: '', options: '' },
  'hostname domainname': { level: 'low', operands: '', options: '-f -s -i -I -d --fqdn --short --version' },
  tput: { level: 'low', operands: 'text…', options: '-T=' },
  date: {
    level: 'low',
    options:
      '-u -R -d= -I? -r=list -f=! -s=! --date= --utc --iso-8601? --rfc-3339= --rfc-email --reference=list --set=! --file=! -j -v=',
    loose: true,
    operands: 'text',
  },
  'locate plocate mlocate': {
    level: 'low',
    operands: 'read…',
    options: '-i -c -b -n= -l= -e -w -r= --ignore-case --count --limit= --basename --existing',
  },
  'lsb_release dircolors': {
    level: 'low',
    operands: 'text…',
    options:
      '-a -s -d -i -r -c -r -p -b -n= -l= -e -w --all --short --description --id --release --codename --print-database --ignore-case --count --limit= --basename --existing --csh --sh',
  },
  otool: { level: 'low', operands: 'read…', options: '-L -l -h -t -v -V -f -D', style: 'words' },
  tldr: { level: 'low', operands: 'text…', options: '-p= -l --list --platform= -v --version' },
  jc: { level: 'low', operands: '', style: 'words', others: 'low' },
  dmesg: {
    level: 'low',
    operands: '',
    options:
      '-T -H -k -x -t -l= --level= --human --ctime --kernel --follow^ -w^ --clear! --console-on! --console-off! --console-level=!',
  },
  'lscpu lsblk lsusb lspci lsmod sensors getent_hosts': { level: 'low', others: 'low', options: '-s=!' },
  'uptime who w free vmstat cal': { level: 'low', others: 'low' },
  ps: { level: 'low', judge: judgeProcesses, others: 'low', operands: 'text…', options: '-o= -p= -u= -C= -e' },
  pgrep: { level: 'low', others: 'low', operands: 'text…' },
  pstree: { level: 'low', operands: 'text…', options: '-p -a -u -n -l -s -h -c' },
  shuf: {
    level: 'low',
    operands: 'read',
    options:
      '-n= -e -r -z -i= --head-count= --input-range= --echo --repeat -o=write! --output=write! --random-source=!',
  },
  lsof: { level: 'low', options: '-i? -n -P -t -p= -l -u= -a -r -s? -T -c= -K! -D! -F?', operands: 'list…' },
  'ss netstat': {
    level: 'low',
    options: '-i? -n -P -t -p= -l -u -a -r -s? -T -x -4 -6 -c= -K! -D! -F? -o',
    operands: 'text…',
  },
  pidof: { level: 'low' },
  fuser: { level: 'low', options: '-v -n= -a', operands: 'text…' },
  printf: { level: 'low', judge: judgePrintf, loose: true, others: 'low' },
  'test [': { level: 'low', judge: judgeTest },
  'exit return break continue shift': { level: 'low', loose: true, operands: 'text…' },
  'cd pushd chdir': { level: 'low', judge: judgeCd },
  popd: { level: 'medium', reason: 'It goes to another folder.' },
  man: { level: 'low', options: '-k -f -w -a', operands: 'text…' },
  'info apropos whatis help': { level: 'low', operands: 'text…' },
  set: {
    level: 'low',
    judge: judgeShellOptions,
    options: '-e -u -x -v -f -o=',
    operands: '',
    reason: 'It changes how the shell behaves.',
  },
  top: { level: 'low', options: '-b -n= -p= -o= -u= -l=', operands: '' },
  bc: { level: 'low', operands: 'read…', options: '-l -q -s -w' },
  'cloc tokei scc loc': {
    level: 'low',
    operands: 'search…',
    options:
      '--exclude-dir= --include-lang= --by-file --json --csv --quiet -s= --sort= -e= -t= --exclude= --vcs= -f -w',
  },
  unbuffer: { level: 'low', judge: judgeWrapper, startsPrograms: true },
};

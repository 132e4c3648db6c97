import { anyOf, sequence } from '../../../text/alternatives';
import { judgeByManual, judgeRole } from '../../calls/judgeByManual';
import { type Call, eachNamed, type Family, type Judge, type Manual } from '../../calls/manual';
import {
  flags,
  high,
  optionalValues,
  optionTable,
  type Options,
  readArguments,
  takes,
  values,
} from '../../calls/options';
import { doubt, note, refuse, type Scope, describeWrites, touch } from '../../effects/scope';
import { touchBelow } from '../../effects/protectedBelow';
import { literal } from '../../syntax/value';
import { elsewhere } from '../services/network';

/** Reads `tar xzf a.tgz` as `tar -xzf a.tgz`. Extracting writes to the current folder; listing writes nothing. */
const judgeTar: Judge = ({ name, words, scope, flow, whole, manual }) => {
  const [first, ...rest] = words;
  const bundled = first?.kind === 'literal' && /^[a-zA-Z]+$/.test(first.text);
  const all = bundled
    ? [literal(`-${first.text.replace('f', '')}${first.text.includes('f') ? 'f' : ''}`, first.source), ...rest]
    : words;
  if (bundled && /[CTXIFsKVN]/.test(first.text))
    doubt(scope, first.source, 'Uses options of "tar" that are not known to be safe.');
  const letters = all
    .filter(({ text }) => /^-[a-zA-Z]+$/.test(text))
    .map(({ text }) => text)
    .join('');
  const lists = (/t/.test(letters) || all.some(({ text }) => text === '--list')) && !/[xcru]/.test(letters);
  const creates = /[cru]/.test(letters) || all.some(({ text }) => /^--(?:cr|ap|up)/.test(text));
  const { judge, ...plain } = manual;
  const options = [...(manual.options ?? []), ...(creates ? whenItPacks : whenItUnpacks)];
  judgeByManual({
    manual: { ...plain, options, ...(!creates && { operands: { rest: 'text' } }), ...(lists && { level: 'low' }) },
    name,
    words: all,
    scope,
    flow,
    whole,
  });
  if (all.some(({ text }) => /^(host|[\w.@-]+):/.test(text)))
    refuse(scope, whole, 'Copies from or to another machine.');
  if (!lists && !creates) {
    copiesPacked({ scope, whole, words: all, manual });
    if (!all.some(({ text }) => /^(?:-[a-zA-Z]*C|--directory)/.test(text))) changesFolder(scope, whole);
  }
  return 'done';
};

/** Records that a program unpacks into the current folder, if the line changed to it. */
export function changesFolder(scope: Scope, whole: string): void {
  if (scope.cwd !== undefined && scope.cwd !== '.') touch(scope, 'writes', literal('.'), whole);
}

/** `tar c FOLDER | tar x` copies folders: those that an earlier `tar` of the line packed. */
function copiesPacked({ scope, whole, words, manual }: Pick<Call, 'scope' | 'whole' | 'words' | 'manual'>): void {
  const { workspace } = scope.context;
  const { options } = readArguments(words, optionTable(manual.options ?? []), 'letters');
  const archive = options.find(({ option }) => option && /^(?:-f|--file)$/.test(option.name))?.value?.text ?? '-';
  if (archive !== '-' && !scope.effects.some((effect) => effect.kind === 'writes' && effect.culprit === archive))
    return;
  const packed = scope.effects.flatMap((effect) =>
    effect.by?.name === 'tar' && /^(?:reads|lists)$/.test(effect.kind) && 'place' in effect ? [effect] : [],
  );
  // With `-C FOLDER`, the other words are relative to that folder.
  const isElsewhere = packed.some(({ kind }) => kind === 'lists');
  for (const { place, kind } of packed) {
    if (isElsewhere && kind !== 'lists') continue;
    const path = place.where === 'inside' && workspace && !place.folder ? `${workspace}/${place.path}` : place.path;
    touchBelow(
      scope,
      { kind: place.glob ? 'glob' : 'literal', text: path, source: place.path },
      { verb: 'Copies', culprit: whole },
    );
  }
}

const whenItPacks = [takes('list', '-C --directory')];

const whenItUnpacks = [takes('read', '-f --file')];

const judgeUnzip: Judge = ({ words, scope, whole, manual, name, flow }) => {
  const { judge, ...plain } = manual;
  const looks = words.some(({ text }) => /^-[qvltpcz]*[lvtZpcz]/.test(text));
  if (!looks && words.length > 0) note(scope, 'medium', whole, 'Unpacks files.');
  if (!looks && words.length > 0 && !words.some(({ text }) => /^-\w*d/.test(text))) changesFolder(scope, whole);
  judgeByManual({ manual: { ...plain, level: looks ? 'low' : 'medium' }, name, words, scope, flow, whole });
  return 'done';
};

/** Reads only with `-c`, `-l` or `-t`. */
const judgePacks: Judge = ({ words, scope, whole, manual, name, flow }) => {
  const { judge, ...plain } = manual;
  if (words.length === 1 && /^-[hHL]$|^--(?:help|long-help|license)$/.test(words[0]!.text)) {
    note(scope, 'low', whole);
    return 'done';
  }
  const looks = words.some(({ text }) => /^-[dkvqn]*[clt]|^--(stdout|list|test)$/.test(text));
  judgeByManual({
    manual: looks ? { ...plain, level: 'low', operands: { rest: 'read' } } : plain,
    name,
    words,
    scope,
    flow,
    whole,
  });
  // `gunzip a.gz` writes `a`. Which suffixes count depends on the program.
  const unpacks = /^b?g?un/.test(name) || words.some(({ text }) => /^-[a-zA-Z]*d|^--[du]/.test(text));
  for (const word of unpacks && !looks ? words : []) {
    const unpacked = word.text.replace(/\.\w+$/, '');
    if (unpacked !== word.text && word.kind !== 'unknown' && !unpacked.startsWith('-'))
      touch(scope, 'writes', { ...word, text: unpacked });
  }
  return 'done';
};

const packing = (options: Options): Manual => ({
  level: 'medium',
  reason: 'Replaces files with packed or unpacked ones.',
  judge: judgePacks,
  operands: { rest: 'write' },
  options: [
    flags(`
      -d -k -f -v -q -c -t -# --keep --force --decompress --uncompress --stdout --to-stdout --best
      --fast --test --verbose --quiet --version -V -h --help -L --license
    `),
    ...options,
  ],
});

/** Options of 7-Zip that reach no other file. Their values are always glued. */
const sevenZipOptions = sequence([
  /^-/,
  anyOf([
    /y|r[-0]?|s[io]|b[bdt]\d?|bs[oep][012]/,
    /m[\w:=-]+|t[\w*:#.-]+|ao[astu]/,
    /s[ln]l|snoi|spe|stm\S*|ssw|ssc-?|sccUTF-8|scrc\w*|slt/,
    /v\d+[bkmg]?|[xi]r?!.*|p.*/,
  ]),
  /$/,
]);

/** Unpacking writes to the current folder. `-spf` unpacks to any place, `-sdel` deletes what was packed. */
const judgeSevenZip: Judge = ({ words: [verb, ...words], scope, whole, manual }) => {
  const does = verb?.kind === 'literal' ? verb.text : '';
  if (!/^[aultex]$/.test(does)) {
    if (/^[bhi]$/.test(does) && words.length === 0) note(scope, 'low', whole);
    else doubt(scope, whole, manual.reason!);
    return 'done';
  }
  note(scope, /^[lt]$/.test(does) ? 'low' : 'medium', whole, /^[lt]$/.test(does) ? undefined : manual.reason);
  if (/^[ex]$/.test(does) && !words.some(({ text }) => /^-o./.test(text))) changesFolder(scope, whole);
  let archive: 'read' | 'write' | undefined = /^[au]$/.test(does) ? 'write' : 'read';
  for (const word of words) {
    const { kind, text, source } = word;
    if (/^-o./.test(text) && kind !== 'unknown') touch(scope, 'writes', { ...word, text: text.slice(2) });
    else if (kind !== 'unknown' && sevenZipOptions.test(text)) continue;
    else if (/^[-@]./.test(text)) doubt(scope, source, `Uses the unknown option ${text.slice(0, 60)} of "7z".`);
    else {
      if (archive !== undefined || /^[au]$/.test(does)) judgeRole(archive ?? 'read', word, scope, whole);
      archive = undefined;
    }
  }
  return 'done';
};

/** Without a folder, an archive is unpacked into the current one. */
const unpacksHere: Judge = ({ words, scope, whole }) => {
  if (words.filter(({ text }) => !text.startsWith('-')).length < 2) changesFolder(scope, whole);
  return undefined;
};

/** A rule that names a file (`. FILE`) shows lines of it in messages. */
const plainFilter = /^(?:[-+]!? |:[-+]? |dir-merge(?:,[-+])? )[\w.*/?[\] -]+$/;

const judgeRsync: Judge = ({ name, words, scope, flow, whole, manual }) => {
  const before = scope.effects.length;
  const { options, operands: plain } = readArguments(words, optionTable(manual.options ?? []), 'letters');
  for (const { option, value } of options)
    if (option && /^(?:-f|--filter)$/.test(option.name) && !(value?.kind === 'literal' && plainFilter.test(value.text)))
      refuse(scope, whole, 'Uses a filter that is not known to be safe.');
  if (plain.some(({ text }) => text.includes(':'))) refuse(scope, whole, 'Copies from or to another machine.');
  const target = plain.at(-1)?.source ?? '';
  const sources = plain
    .slice(0, -1)
    .map(({ source }) => source)
    .join(' and ');
  const removesSources = words.some(({ text }) => text.startsWith('--remove'));
  if (removesSources || words.some(({ text }) => /^--del(?!ay)/.test(text)))
    scope.effects.push({
      kind: 'other',
      level: 'high',
      culprit: whole,
      reason: 'Deletes files.',
      says: removesSources
        ? `Deletes the files of ${sources} after copying them.`
        : `Deletes everything in ${target} that is not in ${sources}.`,
    });
  for (const word of plain.slice(0, -1)) {
    touch(scope, 'reads', word);
    touchBelow(scope, word, { verb: 'Copies', culprit: whole, to: target });
  }
  if (plain.length > 1 && words.some(({ text }) => /^--del(?!ay)/.test(text)))
    touchBelow(scope, plain.at(-1)!, { verb: 'Deletes', culprit: whole });
  const { judge, ...others } = manual;
  judgeByManual({ manual: others, name, words, scope, flow, whole });
  const isElsewhere = (text: string): boolean => /^(?:[\w.-]*@)?[\w.-]+:/.test(text);
  const copies = `Copies ${sources} to ${target}.`;
  const sentence = isElsewhere(target) ? `Copies ${sources} to another machine, ${target.split(':')[0]}.` : copies;
  describeWrites(scope, before, ({ where, path }, culprit) => {
    if (culprit !== target && isElsewhere(path)) return 'Copies files from another machine.';
    return where === 'inside' || isElsewhere(path) ? sentence : undefined;
  });
  return 'done';
};

export const archivesFamily: Family = {
  takesData: ['tar'],
  programs: {
    ...eachNamed('tar bsdtar', {
      level: 'medium',
      reason: 'Packs or unpacks files.',
      operands: { rest: 'read' },
      judge: judgeTar,
      options: [
        flags('-c -x -t -z -j -J -v -k -p -m -O -r -u -a -h -S -w -d -i -l -W -o -B -R'),
        takes('write', '-f -C'),
        takes('read', '-X'),
        values('-K -V -N -b -H'),
        flags(`
          --create --extract --get --list --append --update --diff --compare --gzip --gunzip --ungzip
          --bzip2 --xz --zstd --lzma --lzip --compress --uncompress --verbose --verify --interactive
          --confirmation
        `),
        takes('write', '--file --directory'),
        values('--exclude'),
        flags('--exclude-vcs --exclude-vcs-ignores --exclude-backups --exclude-caches --exclude-caches-all'),
        takes('read', '--exclude-from'),
        values('--strip-components'),
        flags(`
          --to-stdout --keep-old-files --skip-old-files --keep-newer-files
          --no-same-owner --no-same-permissions --no-overwrite-dir --auto-compress --touch --sparse
          --ignore-failed-read --ignore-zeros --no-recursion --recursion --hard-dereference --clamp-mtime
          --no-xattrs --no-acls --no-selinux --anchored --no-anchored --ignore-case --no-ignore-case
          --no-wildcards --wildcards-match-slash --no-wildcards-match-slash --no-auto-compress
          --check-links --block-number --full-time --utc --show-defaults --show-transformed-names
          --show-omitted-dirs --no-quote-chars --no-unquote --help --usage
        `),
        values(`
          --sort --mtime --owner --group --format --mode --newer-mtime --warning --quoting-style
          --occurrence --starting-file --blocking-factor --record-size --label
        `),
        flags('--numeric-owner --wildcards --dereference --totals --version --one-file-system'),
        optionalValues('--one-top-level', 'write'),
        high(
          optionalValues('--checkpoint'),
          flags(`
          -P --absolute-names --remove-files --overwrite --unlink-first --recursive-unlink
          --force-local
        `),
          values(`
          -T -I -F -s --to-command --checkpoint-action --use-compress-program --info-script
          --new-volume-script --rsh-command --rmt-command --transform --xform --files-from
          --listed-incremental --index-file --volno-file
        `),
        ),
      ],
    }),
    zip: {
      level: 'medium',
      reason: 'Packs files.',
      operands: { first: ['write'], rest: 'read' },
      options: [
        // Two letters are an option of their own: `-sf` lists files.
        flags(`
          -r -q -j -u -f -d -g -k -l -ll -o -y -v -w -X -D -F -FF -A -J -R -S -c -z -e -jj -nw -ws -ic -db
          -dc -dd -dg -du -dv -sf -sc -so -su -sU -sv -sb -sp -MM -FS -# -h -h2 -L --recurse-paths
          --recurse-patterns --quiet --junk-paths --update --freshen --delete --filesync --symlinks
          --verbose --no-extra --no-dir-entries --show-files --show-command --show-options
          --display-bytes --display-counts --display-dots --grow --to-crlf --from-crlf --latest-time
          --must-match --no-wild --encrypt --fix --fixfix --test --help --version --license
        `),
        values('-x --exclude -s --split-size -n --suffixes -t --from-date -tt --before-date -Z --compression-method'),
        takes('read', '-i --include'),
        takes('write', '-O --output-file --out -lf --logfile-path -b --temp-path'),
        high(flags('-m --move -T -@ --names-stdin'), values('-TT -P --password --unzip-command')),
      ],
    },
    unzip: {
      level: 'medium',
      reason: 'Unpacks files.',
      operands: { first: ['read'], rest: 'text' },
      judge: judgeUnzip,
      options: [
        flags('-l -v -t -Z -o -n -q -j -u -a -L -p -c -z -f -b -B -C -D -U -M -s -1 -2 -m -h -T'),
        values('-x -O -I'),
        takes('write', '-d'),
        high(flags('-:'), values('-P')),
      ],
    },
    zipinfo: {
      level: 'low',
      operands: { first: ['read'], rest: 'text' },
      options: [flags('-1 -2 -s -m -l -v -h -t -z')],
    },
    ...eachNamed(
      'gzip gunzip',
      packing([flags('-l -n -r -a --list --no-name --recursive --rsyncable --synchronous --ascii')]),
    ),
    ...eachNamed('bzip2 bunzip2', packing([flags('-z -s --compress --small')])),
    ...eachNamed(
      'xz unxz',
      packing([
        flags(`
          -z -l -e -Q -H --compress --list --extreme --single-stream --no-sparse --ignore-check --no-adjust
          --no-warn --robot --info-memory --long-help
        `),
        values(`
          -T -S -F -C -M --threads --suffix --format --check --memlimit --memory --memlimit-compress
          --memlimit-decompress --memlimit-mt-decompress --block-size --block-list --flush-timeout
        `),
        optionalValues('--lzma1 --lzma2 --x86 --arm --arm64 --armthumb --powerpc --ia64 --sparc --delta --riscv'),
      ]),
    ),
    ...eachNamed(
      'zstd unzstd lz4 unlz4 brotli',
      packing([
        flags(`
          -z -l -n -r -H --compress --list --ultra --rm --single-thread --check --no-check --sparse
          --no-sparse --progress --no-progress --rsyncable --exclude-compressed --content-size
          --no-content-size --no-dictID --row-match-finder --no-row-match-finder --stream
          --compress-literals --no-compress-literals --no-name
        `),
        optionalValues('-T -M -B --fast --long --adapt --format --zstd --memory --auto-threads'),
        values('--threads --memlimit --size-hint --stream-size --target-compressed-block-size'),
        takes('write', '-o --output-dir-flat --output-dir-mirror'),
        takes('read', '-D --patch-from'),
      ]),
    ),
    ...eachNamed('7z 7za 7zr', { level: 'high', reason: 'Packs or unpacks files.', judge: judgeSevenZip }),
    ...eachNamed('unrar rar', {
      level: 'high',
      reason: 'Packs or unpacks files.',
      verbs: {
        ...eachNamed('l lb lt la lta v vb vt t p', {
          level: 'low',
          operands: { first: ['read'], rest: 'text' },
          others: 'high',
          options: [flags('-c- -idq -inul -v -y -p-')],
          style: 'words',
        }),
        ...eachNamed('x e', {
          level: 'medium',
          reason: 'Unpacks files.',
          operands: { first: ['read'], rest: 'write' },
          others: 'high',
          options: [flags('-o- -o+ -y -idq -inul -p-')],
          style: 'words',
          judge: unpacksHere,
        }),
      },
    }),
    rsync: {
      level: 'medium',
      reason: 'Copies files.',
      operands: { rest: 'write' },
      judge: judgeRsync,
      options: [
        values(`
          --exclude --include --info --debug --bwlimit --timeout --contimeout --max-size --min-size
          --max-alloc --modify-window -@ --compress-choice --zc --compress-level --zl
          --compress-threads --zt --skip-compress --checksum-choice --cc --checksum-seed --block-size -B
          --iconv --outbuf --out-format --log-file-format --stop-after --time-limit --stop-at --stderr -f
          --filter
        `),
        flags(`
          -a -v -r -n -z -h -P -u -t -p -l -i -q -c -m -W -x -L -k -H -E -A -X -o -g -D -O -J -U -N -S -R -d -C
          -F -0 -s -I -y -8 -4 -6 -V -b --archive --verbose --recursive --dry-run --progress --stats
          --update --checksum --human-readable --ignore-existing --existing --ignore-non-existing
          --times --prune-empty-dirs --itemize-changes --quiet --compress --partial --fsync --inplace
          --append --append-verify --links --copy-links --copy-unsafe-links --safe-links
          --munge-links --copy-dirlinks --hard-links --perms --executability --acls --xattrs --owner
          --group --devices --specials --atimes --crtimes --open-noatime --omit-dir-times
          --omit-link-times --sparse --preallocate --relative --no-implied-dirs --dirs --old-dirs
          --mkpath --cvs-exclude --from0 --secluded-args --protect-args --ignore-times --size-only
          --fuzzy --whole-file --no-whole-file --one-file-system --numeric-ids --delay-updates
          --list-only --8-bit-output --ignore-missing-args --ignore-errors --backup
          --inc-recursive --no-inc-recursive --no-perms --no-owner --no-group --no-times --no-links
          --no-compress --no-recursive --no-relative --no-motd --no-devices --no-specials --no-o --no-g
          --no-p --no-t --no-l --no-D --no-W --no-r --no-R --no-i-r --ipv4 --ipv6 --version --help
        `),
        takes('read', '--exclude-from --include-from --compare-dest --copy-dest --link-dest'),
        takes('write', '--partial-dir --temp-dir -T --backup-dir --log-file'),
        high(values('-e --rsh --rsync-path -M --remote-option --files-from --chmod --password-file')),
      ],
    },
  },
  claims: {
    rsync: elsewhere,
  },
};

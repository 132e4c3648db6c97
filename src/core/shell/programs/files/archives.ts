import { judgeByManual } from '../../calls/judgeByManual';
import { type Call, each, type Family, type Judge } from '../../calls/manual';
import { flags, high, optionalValues, optionTable, readArguments, takes, values } from '../../calls/options';
import { doubt, note, refuse, describeWrites, touch } from '../../effects/scope';
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
  const creates = /[cru]/.test(letters) || all.some(({ text }) => text === '--create');
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
  if (!lists && !creates) copiesPacked({ scope, whole, words: all, manual });
  return 'done';
};

/** `tar c FOLDER | tar x` copies folders: those that an earlier `tar` of the line packed. */
function copiesPacked({ scope, whole, words, manual }: Pick<Call, 'scope' | 'whole' | 'words' | 'manual'>): void {
  const { workspace } = scope.context;
  const { options } = readArguments(words, optionTable(manual.options ?? []), 'letters', false);
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
    const path = place.where === 'inside' && workspace ? `${workspace}/${place.path}` : place.path;
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
  const looks = words.some(({ text }) => /^-[qvltp]*[lvtZp]/.test(text));
  if (!looks && words.length > 0) note(scope, 'medium', whole, 'Unpacks files.');
  judgeByManual({ manual: { ...plain, level: looks ? 'low' : 'medium' }, name, words, scope, flow, whole });
  return 'done';
};

/** Reads only with `-c`, `-l` or `-t`. */
const judgePacks: Judge = ({ words, scope, whole, manual, name, flow }) => {
  const { judge, ...plain } = manual;
  const looks = words.some(({ text }) => /^-[dkvqn]*[clt]|^--(stdout|list|test)$/.test(text));
  judgeByManual({
    manual: looks ? { ...plain, level: 'low', operands: { rest: 'read' } } : plain,
    name,
    words,
    scope,
    flow,
    whole,
  });
  return 'done';
};

const judgeRsync: Judge = ({ name, words, scope, flow, whole, manual }) => {
  const before = scope.effects.length;
  const plain = words.filter(({ text }) => !text.startsWith('-'));
  if (plain.some(({ text }) => text.includes(':'))) refuse(scope, whole, 'Copies from or to another machine.');
  const target = plain.at(-1)?.source ?? '';
  const sources = plain
    .slice(0, -1)
    .map(({ source }) => source)
    .join(' and ');
  const removesSources = words.some(({ text }) => text.startsWith('--remove'));
  if (removesSources || words.some(({ text }) => text.startsWith('--del')))
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
  if (plain.length > 1 && words.some(({ text }) => text.startsWith('--del')))
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
    tar: {
      level: 'medium',
      reason: 'Packs or unpacks files.',
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
    },
    zip: {
      level: 'medium',
      reason: 'Packs files.',
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
      reason: 'Unpacks files.',
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
      reason: 'Replaces files with packed or unpacked ones.',
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
      reason: 'Packs or unpacks files.',
      verbs: { ...each('l t', { level: 'low', operands: ['read'], options: [] }) },
    }),
    rsync: {
      level: 'medium',
      reason: 'Copies files.',
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
  },
  claims: {
    rsync: elsewhere,
  },
};

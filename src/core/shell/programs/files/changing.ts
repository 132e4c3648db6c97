import { claim, type Claims, joinNames } from '../../calls/claims';
import { judgeByManual } from '../../calls/judgeByManual';
import { type Call, eachNamed, type Family, type Judge, type Manual } from '../../calls/manual';
import { flags, high, optionalValues, optionTable, readArguments, takes, values } from '../../calls/options';
import type { Effect, SimpleCommand } from '../../effects/effect';
import { doubt, drop, modeChanged, note, refuse, describeWrites, type Scope, touch } from '../../effects/scope';
import { touchBelow } from '../../effects/protectedBelow';
import { isWorkspaceFolder, pathInFolder, resolvePlace, type Place, type WorkspaceFolders } from '../../syntax/place';
import { globWithDotFiles, literal, type Value } from '../../syntax/value';
import { isBuildOutput } from '../../verdict/deletion';
import { alwaysNeedsApproval } from '../shared/kinds';

const removing = optionTable([
  flags(`
      -r -R -f -v -d -i -I -p --recursive --force --verbose --dir --one-file-system --preserve-root --parents
      --ignore-fail-on-non-empty
    `),
  optionalValues('--interactive'),
]);

/** `mv src dist; rm -rf dist`: returns whether the same line moved more than build output to a place that it deletes. */
function holdsMoved(value: Value, { cwd, context, effects }: Scope): boolean {
  const { where, path } = resolvePlace(value, cwd, context);
  if (where !== 'inside') return false;
  const isBelow = (other: string): boolean => other === path || other.startsWith(`${path}/`);
  const moves = effects.filter(
    ({ kind, by }) =>
      kind === 'writes' &&
      (/^(?:mv|move|mi|move-item)$/i.test(by?.name ?? '') || (by?.name === 'git' && by.words[0]?.text === 'mv')),
  );
  return moves.some(
    (to) =>
      'place' in to &&
      isBelow(to.place.path) &&
      !isMovedAway(to.place.path, to.by, context) &&
      moves.some(
        (from) =>
          from.by === to.by && 'place' in from && !isBelow(from.place.path) && !isBuildOutput(pathInFolder(from.place)),
      ),
  );
}

/** `mv tmp a.txt; rm -f tmp`: returns whether a path is what a move took away, not where it went. */
function isMovedAway(path: string, by: SimpleCommand | undefined, folders: WorkspaceFolders): boolean {
  const words = by?.words.filter(({ text }) => !/^-./.test(text)) ?? [];
  const namesTarget = by === undefined || by.name !== 'mv' || by.words.some(({ text }) => /^-\w*t|^--t/.test(text));
  return !namesTarget && words.slice(0, -1).some((word) => resolvePlace(word, by.folder, folders).path === path);
}

/** Refuses to delete what the line moved there: it may be the only copy, whatever its new name. */
export function refuseMoved(value: Value, scope: Scope, whole: string): void {
  if (holdsMoved(value, scope)) refuse(scope, whole, 'Deletes what the same command moved there.');
}

/** Programs that write nothing but what their effects name. */
const plainWriters = /^(?:cat|cd|chmod|cp|echo|ls|mkdir|mv|printf|pwd|rm|rmdir|tee|test|touch|true|wc)$/;

/** What may repeat a part of a line. */
const loops = /\b(?:while|until|for|select)\b/;

/**
 * `mkdir a && mv a b && rm -r b`: returns whether a file or folder that does not exist before the line can only contain
 * what the line itself creates.
 */
function isMadeByLine(value: Value, scope: Scope): boolean {
  const { cwd, context, effects, formerly } = scope;
  // A `cd` that fails leads to other files of the same names.
  if (value.kind !== 'literal' || formerly.length > 0 || value.text.endsWith('/')) return false;
  if (!effects.every(isPlain) || scope.depth > 0 || loops.test(scope.text)) return false;
  const isNew = ({ where, path, glob }: Place): boolean =>
    where === 'inside' && !glob && context.inGit?.(path, false) === 'nothing';
  const place = resolvePlace(value, cwd, context);
  const isWritten = effects.some((effect) => effect.kind === 'writes' && effect.place.path === place.path);
  return isWritten && isNew(place) && placesMovedTo(place.path, effects).every(isNew);
}

/** Returns whether an effect is all that its command does. Writes without a command are those of redirections. */
const isPlain = ({ kind, by }: Effect): boolean =>
  ['reads', 'searches', 'lists'].includes(kind) || (by ? plainWriters.test(by.name) : kind === 'writes');

/** Returns the places of all moves of the line if one of them is at a path or below it. */
function placesMovedTo(path: string, effects: Scope['effects']): readonly Place[] {
  const isAtPath = (other: Place): boolean =>
    other.where !== 'inside' || other.glob || other.path === path || other.path.startsWith(`${path}/`);
  const places = effects.flatMap((effect) =>
    effect.kind === 'writes' && effect.by?.name === 'mv' ? [effect.place] : [],
  );
  return places.some(isAtPath) ? places.filter((place) => !isBelow(place, path)) : [];
}

const isBelow = ({ where, path: place, glob }: Place, path: string): boolean =>
  where === 'inside' && !glob && place.startsWith(`${path}/`);

const judgeRemove: Judge = ({ words, scope, whole, name }) => {
  const { options, operands } = readArguments(words, removing, 'letters');
  for (const { option, culprit } of options) if (!option) doubt(scope, culprit, `Uses an unknown option of "${name}".`);
  const recursive =
    /^(trash|rimraf|del-cli)$/.test(name) ||
    options.some(({ option }) => option && /^(-r|-R|--recursive)$/.test(option.name));
  if (operands.length === 0) refuse(scope, whole, 'Deletes files that are only known when it runs.');
  for (const value of operands) {
    const isMadeHere = isMadeByLine(value, scope);
    drop(scope, value, { recursive, isMadeHere }, whole);
    if (!isMadeHere) refuseMoved(value, scope, whole);
    if (recursive) touchBelow(scope, value, { verb: 'Deletes', culprit: whole });
  }
  return 'done';
};

/** Copying a settings template, which contains no secrets yet. */
const judgeCopy: Judge = (one) => {
  const { words, scope, whole } = one;
  copyBelow(one);
  const [from, to, ...more] = words.filter(({ text }) => !/^-[nv]$/.test(text));
  if (from?.kind !== 'literal' || to?.kind !== 'literal' || more.length > 0) return describeCopies(one);
  if (
    !isWorkspaceFolder(scope.cwd, scope.context) ||
    !/^(\.\/)?\.env\.(example|sample|template)$/.test(from.text) ||
    !/^(\.\/)?\.env(\.local|\.test|\.development)?$/.test(to.text)
  )
    return describeCopies(one);
  note(scope, 'medium', whole, 'Creates a settings file from its template.');
  return 'done';
};

/** A copy changes one file. Its path is only known if the target is not a folder. */
function describeCopies({ name, words, scope, flow, whole, manual }: Call): 'done' {
  const before = scope.effects.length;
  const { options, operands } = readArguments(words, optionTable(manual.options ?? []), 'letters');
  const folder = options.find(({ option }) => option && /^(-t|--target-directory)$/.test(option.name))?.value;
  const target = folder ?? operands.at(-1);
  const { judge, ...plain } = manual;
  judgeByManual({ manual: plain, name, words, scope, flow, whole });
  const from = operands.filter((source) => source !== target);
  const sources = from.map(({ source }) => source);
  if (target === undefined || target.kind === 'unknown' || sources.length === 0) return 'done';
  // `cp --parents a/b c` writes `c/a/b`.
  for (const source of options.some((option) => option.name === '--parents') ? from : [])
    touch(scope, 'writes', { ...source, text: `${target.text}/${source.text}` }, whole);
  const copied = sources.length > 3 ? `${sources.length} files` : sources.join(' and ');
  describeWrites(scope, before, ({ where }) =>
    where === 'inside' ? `Copies ${copied} to ${target.source}.` : undefined,
  );
  return 'done';
}

/** A copied folder brings its protected files along. */
function copyBelow({ words, scope, whole, manual }: Pick<Call, 'name' | 'words' | 'scope' | 'whole' | 'manual'>): void {
  const { options, operands } = readArguments(words, optionTable(manual.options ?? []), 'letters');
  const has = (pattern: RegExp): boolean => options.some(({ name }) => pattern.test(name));
  if (!has(/^(-r|-R|-a|--recursive|--archive)$/)) return;
  const target = options.find(({ option }) => option && /^(-t|--target-directory)$/.test(option.name))?.value;
  const to = target ?? operands.at(-1);
  if (!to || resolvePlace(to, scope.cwd, scope.context).where === 'outside') return;
  const sources = operands.filter((from) => from !== to);
  for (const from of sources) {
    const landing = sources.length === 1 && target === undefined ? newFolderOf(from, to, scope) : undefined;
    touchBelow(scope, from, { verb: 'Copies', culprit: whole, to: to.source, landing });
  }
}

/** Returns the path at which a copy of a folder creates a new one; undefined if it may be merged into an existing one. */
function newFolderOf(from: Value, to: Value, scope: Scope): string | undefined {
  const { cwd, formerly, context, effects } = scope;
  if (from.kind !== 'literal' || to.kind !== 'literal' || formerly.length > 0) return undefined;
  const source = resolvePlace(from, cwd, context);
  const target = resolvePlace(to, cwd, context);
  if (source.where !== 'inside' || target.where !== 'inside') return undefined;
  const isNew = (path: string): boolean => context.inGit?.(path, false) === 'nothing';
  const name = source.path.slice(source.path.lastIndexOf('/') + 1);
  const below = target.path === '.' ? name : `${target.path}/${name}`;
  const canMerge = /(?:^|\/)\.\.?\/*$/.test(from.text);
  if (canMerge && !isNew(target.path)) return undefined;
  const landing = isNew(target.path) ? target.path : below;
  if (!isNew(landing)) return undefined;
  // A link that the line creates may lead elsewhere, and a folder may be filled.
  const isTouched = effects.some(
    (effect) =>
      effect.kind === 'writes' &&
      (effect.place.where !== 'inside' || effect.place.glob || `${landing}/`.startsWith(`${effect.place.path}/`)),
  );
  return isTouched ? undefined : landing;
}

/** Moving a file onto a device destroys it. */
const judgeMove: Judge = ({ name, words, scope, flow, whole, manual }) => {
  const before = scope.effects.length;
  const { options, operands } = readArguments(words, optionTable(manual.options ?? []), 'letters');
  const folder = options.find(({ option }) => option && /^(-t|--target-directory)$/.test(option.name))?.value;
  const target = folder ?? operands.at(-1);
  const where = target && resolvePlace(target, scope.cwd, scope.context).where;
  if (where === 'stream') refuse(scope, whole, 'Loses the files that it moves.');
  // Moving out of the workspace counts as deletion: a temporary folder keeps nothing.
  const lost = where === 'outside' ? operands.filter((source) => source !== target) : [];
  for (const source of lost)
    if (resolvePlace(source, scope.cwd, scope.context).where === 'inside')
      drop(scope, source, { recursive: true }, whole);
  const { judge, ...plain } = manual;
  judgeByManual({ manual: plain, name, words, scope, flow, whole });
  for (const value of operands) if (value !== target) touchBelow(scope, value, { verb: 'Moves', culprit: whole });
  const sources = operands.filter((source) => source !== target).map(({ source }) => source);
  if (target === undefined || target.kind === 'unknown' || sources.length === 0) return 'done';
  const moved = sources.length > 3 ? `${sources.length} files` : sources.join(' and ');
  const sentence =
    where === 'outside'
      ? `Moves ${moved} outside the workspace, to ${target.source}.`
      : `Moves ${moved} to ${target.source}.`;
  describeWrites(scope, before, (place) => (place.where === 'inside' || where === 'outside' ? sentence : undefined));
  return 'done';
};

const judgeChmod: Judge = ({ words, scope, whole }) => {
  const recursive = words.some(({ text }) => /^-(?:[vcf]*R[vcf]*|-recursive)$/.test(text));
  const [mode, ...files] = words.filter(({ text }) => !/^-(?:[vcfR]+|-recursive)$/.test(text));
  const plain =
    mode?.kind === 'literal' &&
    (/^[ugoa]*[+-=][rwxX]+(,[ugo]*[+-=][rwxX]+)*$/.test(mode.text)
      ? !/[oa][+=][rxX]*w|^[+=][rxX]*w/.test(mode.text)
      : /^0?[4-7][0-57][0145]$/.test(mode.text));
  if (!plain || files.length === 0 || files.some(({ text }) => text.startsWith('-')))
    doubt(scope, whole, 'Changes permissions in a way that is not known to be safe.');
  else {
    const before = scope.effects.length;
    for (const file of files) changeMode(file, scope, whole);
    describeWrites(scope, before, ({ where, path }) => (where === 'inside' ? modeChanged(path) : undefined));
    if (recursive)
      for (const file of files) touchBelow(scope, file, { verb: 'Changes the permissions of', culprit: whole });
  }
  return 'done';
};

/** Records a change of permissions. It does not change what a script does, if its text is known. */
function changeMode(file: Value, scope: Scope, whole: string): void {
  const { path } = resolvePlace(file, scope.cwd, scope.context);
  const known = scope.written.get(path);
  const isOnDisk = !scope.written.has(path) && scope.context.lookUp?.('file', path, '.')?.text !== undefined;
  touch(scope, 'writes', file, whole);
  if (isOnDisk) scope.written.delete(path);
  else if (known) scope.written.set(path, known);
}

const judgeLink: Judge = ({ words, scope, whole }) => {
  const operands = words.filter(({ text }) => !/^-[sfnvrT]+$/.test(text));
  const [target, name] = operands;
  const beside =
    target && name?.kind === 'literal' && words.some(({ text }) => /^-\w*s/.test(text)) && !/^[~/]/.test(target.text)
      ? { ...target, text: `${name.text.replace(/(?<![^/])[^/]*$/, '')}./${target.text}` }
      : target;
  for (const value of operands.map((one) => (one === target && beside ? beside : one))) {
    if (value.text.startsWith('-') || resolvePlace(value, scope.cwd, scope.context).where !== 'inside')
      refuse(scope, whole, 'Creates a link that may lead out of the workspace.');
    // A link is an alias: writing through it writes to its target.
    else for (const kind of ['reads', 'writes'] as const) touch(scope, kind, value, whole);
  }
  const last = operands.at(-1);
  if (operands.length !== 2 || !last) refuse(scope, whole, 'Creates a link to something that is not written out.');
  else touch(scope, 'writes', last, whole);
  return 'done';
};

/** Truncates one file. A pattern may match many. */
const judgeCutOff: Judge = ({ words, scope, whole }) => {
  if (words.some(({ kind }) => kind !== 'literal')) refuse(scope, whole, 'Truncates files that are not written out.');
  return undefined;
};

/** Creating files is allowed only inside the workspace. */
export const judgeInsideOnly: Judge = ({ words, scope, whole }) => {
  const places = words
    .filter(({ text }) => !text.startsWith('-'))
    .map((word) => resolvePlace(word, scope.cwd, scope.context));
  const outside = places.find(({ where }) => where === 'outside');
  if (outside)
    scope.effects.push({
      kind: 'other',
      level: 'high',
      culprit: whole,
      reason: 'Writes outside the workspace.',
      says: `Writes outside the workspace: ${outside.path}.`,
    });
  return undefined;
};

/** With `-d`, every word is a folder to create. */
const judgeInstalls: Judge = (one) => {
  if (one.words.some(({ text }) => /^-(?=\w*d)\w*$|^--directory$/.test(text)))
    for (const word of one.words) if (!word.text.startsWith('-')) touch(one.scope, 'writes', word, one.whole);
  judgePlainMode(one);
  return describeCopies(one);
};

/** Allows modes without write access for others and without setuid or setgid bits. */
const judgePlainMode: Judge = ({ words, scope, whole }) => {
  const modes = words.flatMap(({ text }, at) =>
    /^(-m|--mode)$/.test(text) ? [words[at + 1]?.text ?? ''] : (/^(?:-m|--mode=)(.+)$/.exec(text)?.slice(1) ?? []),
  );
  if (
    modes.some((mode) => !/^0?[0-7][0-57][0145]$|^[ug]?=[rwx]*$|^[uga]?\+[rx]+$|^u=[rwx]+,g=[rx]*,o=[rx]*$/.test(mode))
  )
    refuse(scope, whole, 'Grants rights in a way that is not known to be safe.');
  return undefined;
};

/** Judges programs that write several files with a common name prefix. */
const judgeSplits: Judge = ({ name, words, scope, flow, whole, manual }) => {
  const { options, operands } = readArguments(words, optionTable(manual.options ?? []), 'letters');
  const prefix =
    name === 'csplit'
      ? options.find(({ option }) => option && /^(-f|--prefix)$/.test(option.name))?.value
      : operands[1];
  if (
    options.some(
      ({ option, value }) =>
        option &&
        /^(-b|--suffix-format|--additional-suffix)$/.test(option.name) &&
        (value?.kind !== 'literal' || value.text.includes('/')),
    )
  )
    refuse(scope, whole, 'Writes to a place that is only known when it runs.');
  const before = scope.effects.length;
  const { judge, ...plain } = manual;
  judgeByManual({ manual: plain, name, words, scope, flow, whole });
  if (prefix)
    for (const value of [
      prefix,
      ...(prefix.kind === 'literal' ? [globWithDotFiles(`${prefix.text}*`, prefix.source)] : []),
    ])
      touch(scope, 'writes', value);
  describeWrites(scope, before, ({ where }) =>
    where === 'inside' ? `Writes files whose names start with ${prefix?.source ?? 'x'}.` : undefined,
  );
  return 'done';
};

/** `-t` and `-p` put the file into a folder for temporary files, whatever the name is. */
const judgeTemplate: Judge = ({ name, words, scope, flow, whole, manual }) => {
  const { options, operands } = readArguments(words, optionTable(manual.options ?? []), 'letters');
  if (!options.some(({ option }) => option && /^(?:-t|-p|--tmpdir)$/.test(option.name))) return undefined;
  for (const { kind, text, source } of operands)
    if (kind !== 'literal' || /^\/|\.\./.test(text))
      doubt(scope, source, 'Creates a file that is only known when it runs.');
  const { judge, ...plain } = manual;
  judgeByManual({ manual: { ...plain, operands: ['text'] }, name, words, scope, flow, whole });
  return 'done';
};

/** With `-i`, it only shows which line ends the files have. */
const judgeLineEnds: Judge = ({ name, words, scope, flow, whole, manual }) => {
  if (!words.some(({ text }) => /^(?:-i.*|--info(?:=.*)?)$/.test(text) && text !== '-iso')) return undefined;
  const { judge, ...plain } = manual;
  judgeByManual({ manual: { ...plain, level: 'low', operands: { rest: 'list' } }, name, words, scope, flow, whole });
  return 'done';
};

const convertsLineEnds: Manual = {
  level: 'medium',
  reason: 'Changes files.',
  judge: judgeLineEnds,
  operands: { rest: 'write' },
  options: [
    flags(`
      -k -q -b -f -l -m -n -o -r -s -u -v -e -7 -S -L -h -V -ascii -iso -1252 -437 -850 -860 -863 -865 -ul -ub
      --keepdate --quiet --keep-bom --force --newline --add-bom --newfile --oldfile --remove-bom
      --safe --keep-utf16 --assume-utf16le --assume-utf16be --verbose --add-eol --no-add-eol
      --skip-symlink --license --help --version
    `),
    optionalValues('-i --info'),
    values('-c --convmode'),
  ],
};

export const claimsOfRights: Claims = ({ program, plain: [mode = '', ...files] }) => {
  const which = joinNames(files, 'files').replace(/^\.$/, 'everything in this folder');
  if (program === 'chown' || program === 'chgrp') return claim('changes', `Changes the owner of ${which}.`);
  if (/s/.test(mode.replace(/^[ugoa]*[+=-]/, '')) || /^[2467]\d{3}$/.test(mode))
    return claim('changes', `Makes ${which} run with the rights of its owner.`);
  if (/7$|[oa]?\+\w*w|[2367]$/.test(mode) && /^\d/.test(mode))
    return claim('changes', `Lets everyone write to ${which}.`);
  return claim('unusual', `Changes the permissions of ${which}.`);
};

/** `dd` without an output file prints what it reads. */
const judgeDd: Judge = ({ words, scope, whole }) => {
  const isPlain = words.every(
    ({ kind, text }) => kind === 'literal' && /^(?:if=|(?:bs|ibs|obs|cbs|count|skip|status)=[\w*]+$)/.test(text),
  );
  if (!isPlain) {
    for (const word of words)
      if (word.text.startsWith('of=')) touch(scope, 'writes', { ...word, text: word.text.slice('of='.length) });
    return undefined;
  }
  for (const word of words)
    if (word.text.startsWith('if=')) touch(scope, 'reads', { ...word, text: word.text.slice('if='.length) });
  note(scope, 'low', whole);
  return 'done';
};

/** `mount` without words lists what is mounted. */
const judgeMount: Judge = ({ words, scope, whole }) => {
  if (words.length > 0) return undefined;
  note(scope, 'low', whole);
  return 'done';
};

const disks: Claims = ({ program, all, plain, has }) => {
  const output = all.find((word) => word.startsWith('of='))?.slice(3);
  const target = output ?? plain.at(-1) ?? '';
  if (program === 'dd' && output === undefined) return undefined;
  if (program === 'dd')
    return claim(target.startsWith('/dev/') ? 'machine' : 'destroys', `Overwrites ${target || 'what it is given'}.`);
  if (program === 'shred') {
    const files = plain.filter((word) => !/^-[a-z]*[ns]$/.test(all[all.indexOf(word) - 1] ?? ''));
    const verbs = has(/^(-[a-z]*u|--remove)/) ? 'Overwrites and deletes' : 'Overwrites';
    return claim('destroys', `${verbs} ${joinNames(files, 'files')} for good.`);
  }
  if (program === 'mount' || program === 'umount') return claim('changes', 'Changes which disks are mounted.');
  if (program === 'fdisk' && has(/^-l$|^--list$/)) return claim('unusual', 'Lists the disks of this machine.');
  return claim('machine', `Erases the disk ${target}.`);
};

export const changingFamily: Family = {
  programs: {
    ...eachNamed('rm unlink', { level: 'high', judge: judgeRemove }),
    rmdir: {
      level: 'medium',
      reason: 'Deletes folders if they are empty.',
      operands: { rest: 'write' },
      options: [flags('-p -v --parents --verbose --ignore-fail-on-non-empty --help --version')],
    },
    trash: { level: 'high', judge: judgeRemove },
    ...eachNamed('rimraf del-cli', { level: 'high', judge: judgeRemove, declared: true }),
    cp: {
      level: 'medium',
      reason: 'Copies files.',
      judge: judgeCopy,
      operands: { rest: 'read' },
      last: 'write',
      options: [
        values('--sparse --no-preserve'),
        optionalValues('--preserve --update --reflink --backup'),
        flags(`
          -r -R -a -f -n -p -v -u -i -d -L -P -H -T -x -b --recursive --archive --force --no-clobber
          --verbose --parents --no-target-directory --interactive --dereference --no-dereference
          --one-file-system --attributes-only --strip-trailing-slashes --debug --progress --help --version
        `),
        takes('write', '-t --target-directory'),
        high(flags('--link --symbolic-link -s -l --remove-destination'), values('-S --suffix')),
      ],
    },
    mv: {
      level: 'medium',
      reason: 'Moves files.',
      judge: judgeMove,
      operands: { rest: 'write' },
      last: 'write',
      options: [
        flags(`
          -f -n -v -u -i -T -b --force --no-clobber --verbose --no-target-directory --interactive
          --strip-trailing-slashes --debug --progress --help --version
        `),
        optionalValues('--update --backup'),
        takes('write', '-t --target-directory'),
        high(values('-S --suffix')),
      ],
    },
    mkdir: {
      level: 'medium',
      reason: 'Creates folders.',
      judge: judgePlainMode,
      operands: { rest: 'write' },
      options: [flags('-p -v --parents --verbose --help --version'), values('-m --mode')],
    },
    touch: {
      level: 'medium',
      reason: 'Creates or touches files.',
      operands: { rest: 'write' },
      options: [
        flags('-a -c -m -h -f --no-create --no-dereference --help --version'),
        values('-d -t --date --time'),
        takes('list', '-r --reference'),
      ],
    },
    mktemp: {
      level: 'medium',
      reason: 'Creates a file in the temporary folder.',
      judge: judgeTemplate,
      operands: ['write'],
      options: [
        flags('-d -u -q -t --directory --quiet --dry-run --help --version'),
        values('--suffix'),
        optionalValues('--tmpdir', 'write'),
        takes('write', '-p'),
      ],
    },
    ln: { level: 'medium', judge: judgeLink },
    chmod: { level: 'medium', judge: judgeChmod },
    sponge: { level: 'medium', reason: 'Changes files.', operands: ['write'], options: [flags('-a')] },
    tee: { level: 'low', operands: { rest: 'write' }, options: [flags('-a -i --append --ignore-interrupts')] },
    install: {
      level: 'medium',
      reason: 'Copies files.',
      judge: judgeInstalls,
      operands: { rest: 'read' },
      last: 'write',
      options: [
        flags(`
          -d -D -v -p -C -c -b -T --directory --verbose --preserve-timestamps --compare
          --no-target-directory --help --version
        `),
        values('-m --mode'),
        optionalValues('--backup'),
        takes('write', '-t --target-directory'),
        high(flags('-s --strip'), values('-o -g --owner --group --strip-program -S --suffix')),
      ],
    },
    truncate: {
      level: 'medium',
      reason: 'Truncates files.',
      judge: judgeCutOff,
      operands: { rest: 'write' },
      options: [flags('-c -o --no-create --io-blocks'), values('-s --size'), takes('list', '-r --reference')],
    },
    csplit: {
      level: 'medium',
      reason: 'Writes files.',
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
      reason: 'Writes files.',
      operands: ['read', 'write'],
      judge: judgeSplits,
      options: [
        flags('-d -e -u --verbose --elide-empty-files --unbuffered --help --version'),
        optionalValues('-x --numeric-suffixes --hex-suffixes'),
        values(`
          -l -b -n -C -t --suffix-length --number -a --lines --bytes --line-bytes --separator
          --additional-suffix
        `),
        high(values('--filter')),
      ],
    },
    ...eachNamed('dos2unix unix2dos mac2unix unix2mac', convertsLineEnds),
    dd: { ...alwaysNeedsApproval('Writes to disks or destroys data.'), judge: judgeDd },
    mount: { ...alwaysNeedsApproval('Writes to disks or destroys data.'), judge: judgeMount },
    ...eachNamed(
      'mkfs shred wipefs fdisk parted umount swapoff',
      alwaysNeedsApproval('Writes to disks or destroys data.'),
    ),
  },
  claims: {
    chmod: claimsOfRights,
    ...eachNamed('dd shred wipefs fdisk parted mount umount mkfs mkfs.ext4 mkfs.xfs mke2fs', disks),
  },
  prints: {
    // The new file has a name that did not exist before.
    mktemp: ({ words }) => {
      const [last, ...before] = words.toReversed();
      const isOption = ({ kind, text }: Value): boolean =>
        kind === 'literal' && /^(?:-[dq]+|--directory|--quiet|--suffix=\.[\w.]+)$/.test(text);
      if (words.every(isOption)) return [literal('/tmp/tmp.XXXXXXXXXX')];
      const isNamed =
        last?.kind === 'literal' &&
        before.every(isOption) &&
        /^\/tmp\/[\w.-]+$/.test(last.text) &&
        last.text.includes('XXX');
      return isNamed ? [literal(last.text)] : undefined;
    },
  },
};

import { isGuarded, protectedWrites, matchingRules, secretReads } from '../../../risk/pathRules';
import type { Call, Judge } from '../../calls/manual';
import { type GivenOption, optionTable, readArguments } from '../../calls/options';
import { doubt, note, refuse, textWritten, touch } from '../../effects/scope';
import { endingsOf, manifestReasons, type PatchText, readPatch, withoutFolders } from '../../files/patchText';
import { folderAfterCd, resolvePlace } from '../../syntax/place';
import { literal, type Value } from '../../syntax/value';

/** Options with which nothing is changed. */
const readOnlyOption = /^--(check|stat|numstat|summary|dry-run|abort|continue|skip|quit|show-current-patch)$/;

/**
 * Returns whether a call changes nothing. Git also knows `--no-check`, and `--apply` applies the patch in spite of the
 * others.
 */
export const onlyShowsPatch = (options: readonly GivenOption[]): boolean =>
  options.some(({ name }) => readOnlyOption.test(name)) &&
  options.every(({ option }) => option !== undefined && option.name !== '--apply');

/**
 * Judges `git apply`, `git am` and `patch`. The files that a diff names are judged like edits of these files. The diff,
 * a file or the input, is read before it is applied.
 */
export const judgePatchFiles: Judge = (one) => {
  const { name, words, scope, flow, whole, manual } = one;
  const { options, operands } = readArguments(words, optionTable(manual.options ?? []), 'letters');
  if (onlyShowsPatch(options)) return undefined;
  const isPatch = !name.startsWith('git ');
  const patchFiles = options.flatMap(({ option, value }) =>
    option && /^(-i|--input)$/.test(option.name) && value ? [value] : [],
  );
  // `patch ORIGINAL PATCHFILE`. Git takes only patches.
  const files = isPatch ? [...patchFiles, ...operands.slice(1)] : operands;
  for (const text of flow.inputText ?? []) judgePatch(readPatch(text), options, one);
  const inputs = files.length === 0 ? (flow.input ?? []).map((path) => literal(path)) : [];
  for (const file of files.length > 0 ? files : inputs) judgeFile(file, files.length > 0, options, one);
  // `patch` also reads patches that are indented, such as one in the message of a commit.
  const isKnown = flow.changes === 'alone' || (flow.changes !== undefined && !isPatch);
  const isWhole = !flow.shared && (inputs.length > 0 || (flow.inputText ?? []).length > 0);
  const isGiven = files.length > 0 || isWhole;
  if (!isGiven && !isKnown) doubt(scope, whole, 'Applies a patch that is only known when it runs.');
  return undefined;
};

/** `relative`: the name is relative to the current folder, not to the workspace. */
function judgeFile(file: Value, relative: boolean, options: readonly GivenOption[], one: Call): void {
  const { scope, whole } = one;
  const { lookUp } = scope.context;
  if (!lookUp) return;
  const place = resolvePlace(file, relative ? scope.cwd : '.', scope.context);
  const ofLine = file.kind === 'literal' ? textWritten(scope, place.path) : undefined;
  if (ofLine === undefined && scope.written.has(place.path))
    return refuse(scope, whole, `Applies ${place.path}, a patch that the same line writes.`);
  const isFile = file.kind === 'literal' && place.where === 'inside';
  const text = ofLine ?? (isFile ? lookUp('text', place.path, '.')?.text : undefined);
  const patch = text === undefined ? undefined : readPatch(text);
  if (!patch || patch.names.length === 0)
    return doubt(scope, whole, `Applies the patch ${file.source}, which could not be read.`);
  judgePatch(patch, options, one);
}

function judgePatch(patch: PatchText, options: readonly GivenOption[], { name, scope, whole }: Call): void {
  const folders = options.find(({ option }) => option && /^(-p|--strip)$/.test(option.name))?.value?.text;
  const count = folders === undefined || !/^\d+$/.test(folders) ? 1 : Number(folders);
  if (patch.makesLink)
    refuse(scope, whole, 'Creates a symbolic link, through which the rest of the patch may write elsewhere.');
  for (const written of patch.names) {
    // Without `-p` and without an a/ or b/ prefix, `patch` keeps the first folder.
    const plain =
      folders === undefined && !/^[ab]\//.test(written) && !name.startsWith('git ')
        ? written
        : withoutFolders(written, count) || written;
    touchAsEdit(plain, scope, whole);
    // `patch` chooses among the names by which files exist. Whichever it takes, guarded files require approval.
    for (const ending of endingsOf(written)) {
      if (ending !== plain && isGuarded(ending)) touch(scope, 'writes', literal(ending), whole);
    }
  }
  for (const section of patch.sections) {
    const manifest = section.names
      .map((written) => withoutFolders(written, count) || written)
      .find((path) => /(^|\/)package\.json$/i.test(path));
    if (manifest !== undefined) judgeManifest(manifest, section, scope, whole);
  }
}

/** Judges a patched file like an edit by a tool: rules of medium level do not raise it to high. */
function touchAsEdit(path: string, scope: Call['scope'], whole: string): void {
  const { where, path: inside } = resolvePlace(literal(path), scope.cwd, scope.context);
  const rules = matchingRules(inside, [...protectedWrites, ...secretReads]);
  const onlyMedium = where === 'inside' && rules.length > 0 && rules.every(({ level }) => level === 'medium');
  if (!onlyMedium) return touch(scope, 'writes', literal(path), whole);
  scope.written.set(inside, undefined);
  note(scope, 'medium', whole, rules[0]!.reason);
}

function judgeManifest(
  path: string,
  section: PatchText['sections'][number],
  scope: Call['scope'],
  whole: string,
): void {
  const { lookUp } = scope.context;
  if (!lookUp) return refuse(scope, whole, `Changes ${path}, which decides what other programs run.`);
  const before = lookUp('text', folderAfterCd(scope.cwd ?? '.', path), '.')?.text ?? '';
  const found = manifestReasons(path, section, before);
  if (!found) return doubt(scope, whole, `Patches ${path} in a way that could not be read.`);
  for (const reason of found.reasons)
    scope.effects.push({
      kind: 'other',
      level: 'high',
      reason,
      culprit: whole,
      ...(found.byItself && { guarded: true as const }),
    });
}

import { judgeByManual } from '../../calls/judgeByManual';
import { placeOf } from '../../syntax/place';
import { doubt, refuse, type Scope } from '../../effects/scope';
import { literal, type Value } from '../../syntax/value';
import type { Judge } from '../../calls/manual';

interface Choice {
  readonly folders: Value[];
  readonly filters: string[];
  readonly rest: Value[];
}

const folderOption = /^(-C|--dir|--cwd|--prefix)(?:=(.+))?$/;
const filterOption = /^(-w|--workspace|-F|--filter|--filter-prod)(?:=(.+))?$/;
const everyOne = /^(-r|--recursive|--workspaces|-ws|--include-workspace-root|-iwr)$/;
/** Words behind which options are still those of the package manager. */
const goesOn = /^(run|run-script|exec|test|t|ci|install|i|ls|outdated)$/;

/**
 * Options of package managers that choose a folder or packages of the workspace: they are taken out, and the rest is judged in each folder
 * that is chosen. Packages that nobody can find are judged by the names of their scripts.
 */
export const judgePackages: Judge = ({ name, words, scope, flow, whole, manual }) => {
  const choice = chosen(name, name === 'yarn' ? plainYarn(words) : words);
  const { judge, ...table } = manual;
  if (choice.folders.length === 0 && choice.filters.length === 0) return undefined;
  if (choice.filters.some((filter) => /^[~/]|(^|\/)\.\.(\/|$)/.test(filter)))
    refuse(scope, whole, 'It runs code of another folder.');
  if (choice.rest.length === 0) {
    doubt(scope, whole, 'What it runs is not written out.');
    return 'done';
  }
  const within = choice.folders.reduce<Scope>((at, folder) => inFolder(folder, at, whole), scope);
  const folders = choice.filters.length === 0 ? undefined : foldersOf(choice.filters, within);
  const { lookUp, ...nobodyLooks } = within.context;
  if (folders === undefined)
    judgeByManual(
      table,
      name,
      choice.rest,
      choice.filters.length === 0 ? within : { ...within, context: nobodyLooks },
      flow,
      whole,
    );
  else
    for (const folder of folders)
      judgeByManual(table, name, choice.rest, inFolder(literal(folder), within, whole), flow, whole);
  return 'done';
};

/** `yarn workspace NAME …` and `yarn workspaces foreach … run …` say the same with words. */
function plainYarn(words: readonly Value[]): readonly Value[] {
  const [first, second, ...rest] = words;
  if (first?.text === 'workspace' && second?.kind === 'literal')
    return [literal(`--filter=${second.text}`, second.source), ...rest];
  if (first?.text !== 'workspaces') return words;
  if (second?.text === 'run') return [literal('-r'), literal('run'), ...rest];
  if (second?.text !== 'foreach') return words;
  const from = rest.findIndex(
    ({ text }) =>
      !/^(-[AaptivRW]+|--all|--parallel|--topological(-dev)?|--interlaced|--verbose|--worktree|--recursive|--no-private|-pt|-Apt)$/.test(
        text,
      ),
  );
  return from < 0 ? words : [literal('-r'), ...rest.slice(from)];
}

function chosen(name: string, words: readonly Value[]): Choice {
  const choice: Choice = { folders: [], filters: [], rest: [] };
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    const last = choice.rest.at(-1);
    if (
      word.text === '--' ||
      word.kind === 'unknown' ||
      (name !== 'npm' && last && !last.text.startsWith('-') && !goesOn.test(last.text))
    ) {
      choice.rest.push(...words.slice(at));
      break;
    }
    // For pnpm -w is the root, for yarn nothing.
    const filter = name === 'npm' || !word.text.startsWith('-w') ? filterOption.exec(word.text) : null;
    const folder = folderOption.exec(word.text);
    if (filter) choice.filters.push(filter[2] ?? words[++at]?.text ?? '');
    else if (folder && !(name === 'npm' && folder[1] === '-C'))
      choice.folders.push(folder[2] === undefined ? (words[++at] ?? literal('')) : { ...word, text: folder[2] });
    else if (
      everyOne.test(word.text) &&
      !/^(ls|list|ll|outdated|why|audit|licenses)$/.test(words.find(({ text }) => !text.startsWith('-'))?.text ?? '')
    )
      choice.filters.push('*');
    else choice.rest.push(word);
  }
  return choice;
}

function inFolder(folder: Value, scope: Scope, whole: string): Scope {
  const place = placeOf(folder, scope.cwd, scope.context.workspace);
  if (folder.kind !== 'literal' || place.where !== 'inside') refuse(scope, whole, 'It runs code of another folder.');
  return { ...scope, cwd: place.where === 'inside' && !place.glob ? place.path : undefined };
}

/** The folders of the packages that filters name; undefined where nobody can tell. */
function foldersOf(filters: readonly string[], scope: Scope): readonly string[] | undefined {
  if (scope.cwd === undefined || scope.context.lookUp === undefined) return undefined;
  const found = filters.map((filter) =>
    scope.context.lookUp!('packages', filter, scope.cwd!)?.text?.split('\n').filter(Boolean),
  );
  return found.every((folders) => folders !== undefined && folders.length > 0)
    ? [...new Set(found.flatMap((folders) => folders!))].slice(0, 20)
    : undefined;
}

import { each, type Family, type Prints } from '../../calls/manual';
import { flags, high, optionalValues, takes, values } from '../../calls/options';
import { glob, literal } from '../../syntax/value';
import { takesText } from '../shared/kinds';
import { hasWord } from '../shared/printed';

/** Programs that print a part of the one path they are given. */
const ofOnePath =
  (part: (path: string) => string): Prints =>
  ({ words }) => {
    const [path, ...others] = words;
    const isAlone = path?.kind === 'literal' && !path.text.startsWith('-') && others.length === 0;
    return isAlone ? [literal(part(path.text))] : undefined;
  };

function folderOfPath(path: string): string {
  const bare = path.replace(/(?<!\/)\/*$/, '');
  const folder = bare.replace(/(^|\/)[^/]+$/, (name) => (name === path && name.startsWith('/') ? '/' : ''));
  return folder || '.';
}

/**
 * Patterns with an extension expand to file names, which are printed unchanged. Without words, it prints the folder's
 * content.
 */
const lsPrints: Prints = ({ words, scope }) => {
  const listed = words.filter(({ text }) => !text.startsWith('-'));
  if (listed.length > 0) {
    const areFiles = listed.every(({ kind, text }) => kind === 'glob' && /\.\w+$/.test(text));
    return areFiles ? listed : undefined;
  }
  const showsHidden = hasWord(words, /^-[a-zA-Z]*[aA]/);
  return !showsHidden && scope.cwd === '.' ? [glob('*')] : undefined;
};

const listsNames = { level: 'low', operands: { rest: 'list' }, others: 'low' } as const;

export const listingFamily: Family = {
  programs: {
    ...each('dust duf dua pdu', {
      level: 'low',
      operands: { rest: 'list' },
      options: [
        values('-d -n --depth --only --hide --sort'),
        flags('-r -s -b -i -f -a --all --json --version --help -h'),
      ],
    }),
    ...each('ls dir vdir', {
      ...listsNames,
      options: [values('-I --ignore'), optionalValues('--color'), takes('list', '-w -T')],
    }),
    ...each('exa eza lsd', {
      ...listsNames,
      options: [values('-I --ignore-glob -L --level --sort'), optionalValues('--color'), takes('list', '-s -t')],
    }),
    tree: {
      ...listsNames,
      options: [values('-L -I -P'), high(flags('--fromfile --infofile -R'), values('-o --output --gitfile'))],
    },
    stat: {
      ...listsNames,
      options: [
        values('-c --format --printf'),
        takes('list', '-f -t'),
        high(flags('-C --compile -z --uncompress -Z --uncompress-noreport'), values('-m --magic-file --files-from')),
      ],
    },
    file: {
      ...listsNames,
      options: [high(flags('-C -z -Z --compile --uncompress'), values('-m -f --magic-file --files-from'))],
    },
    ...each('du df', {
      ...listsNames,
      options: [
        values('-d --max-depth --exclude -B --block-size'),
        takes('list', '-t -x'),
        high(values('--files0-from -X --exclude-from')),
      ],
    }),
    ...each('realpath readlink basename dirname pathchk', {
      ...takesText,
      options: [values('--relative-to --relative-base -s')],
    }),
    bc: { level: 'low', operands: { rest: 'read' }, options: [flags('-l -q -s -w')] },
    ...each('cloc tokei scc loc', {
      level: 'low',
      operands: { rest: 'search' },
      options: [
        flags('--by-file --json --csv --quiet -f -w'),
        values('--exclude-dir --include-lang -s --sort -e -t --exclude --vcs'),
      ],
    }),
  },
  prints: {
    ls: lsPrints,
    dirname: ofOnePath(folderOfPath),
    basename: ofOnePath((path) => path.replace(/(?<!\/)\/+$/, '').replace(/^.*\//, '') || '/'),
  },
};

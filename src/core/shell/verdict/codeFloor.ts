import { anyOf, exactlyOneOf, sequence } from '../../text/alternatives';
import { withConstants } from './constantsInCode';
import { losesVital } from './floor';
import { isVitalFolder } from './vitalPlaces';

// What lies below the floor in code of languages other than shell, as far as it is in plain sight. See floor.ts.

/** Programs that take code in their words, or commands that start other programs. */
const takesCode = exactlyOneOf([
  'awk gawk mawk nawk sed vi vim nvim ex emacs gdb lldb sqlite3 psql mysql mariadb bun deno erl elixir groovy scala ghc',
  'guile R Rscript julia lua osascript swift expect tclsh kotlin racket sbcl nim',
]);

/** What code in other languages calls the home folder. */
const homeInCode = anyOf(
  [
    /(?:os\.path\.)?expanduser\(\s*['"]~['"]\s*\)/,
    /(?:pathlib\.)?Path\.home\(\)/,
    /(?:os|require\(['"](?:node:)?os['"]\))\.homedir\(\)/,
    /Dir\.home\b/,
    /os\.environ(?:\.get\(|\[)\s*['"]HOME['"]\s*[\])]/,
    /os\.getenv\(\s*['"]HOME['"]\s*\)/,
    /process\.env(?:\.HOME\b|\[['"]HOME['"]\])/,
    /ENV\[\s*['"]HOME['"]\s*\]/,
    /\$ENV\{['"]?HOME['"]?\}/,
    /getenv\(\s*['"]HOME['"]\s*\)/,
  ],
  'g',
);

/** Functions that return the path that they are given: `Path('/')`, `str(Path('/'))`. */
const samePath = sequence(
  [
    /(?<!\w)(?:\w+\.)?/,
    anyOf(['Path PosixPath Pathname.new File str normalize resolve abspath realpath']),
    /\(\s{0,4}(['"`][^'"`\n]{1,200}['"`])\s{0,4}\)/,
  ],
  'g',
);

/** Words and commands in the quotation marks of Perl and Ruby: `qw(rm -rf /)`, `%x{rm -rf /}`. */
const otherQuotes = /(?<![\w$@])(?:q[wxq]?|%[xwqQ])\s?[({[|]([^(){}[\]|'"\n]{1,200})[)}\]|]/g;

/** Between the words of one command: `'rm', '-rf', '/'` and `'rm', ['-rf', '/']`. */
const betweenWords = /['"]\s{0,20},\s{0,20}\[?\s{0,20}['"]/g;

/** The literal path after a call, alone or as a named argument. */
const literalPath = /(?:\.sync)?!?[\s([]{1,4}(?:\w{1,20}\s?[=:]\s?)?(?:['"`]([^'"`\n]{1,200})['"`])/;

/** A call that deletes or moves a folder with what is in it, and the literal path. */
const removalInCode = sequence(
  [
    /(?<!\w)/,
    anyOf([
      'rmtree rm_rf rm_r rmSync rmdirSync remove_tree removeSync emptyDirSync rimraf remove_dir_all RemoveAll',
      'remove_entry_secure remove_dir rm rmdir Deno.remove removeItem delete-directory removeDirectoryRecursive',
      'removePathForcibly shutil.move os.rename os.replace fs.renameSync File.rename FileUtils.mv unlink',
    ]),
    literalPath,
  ],
  'g',
);
/** A literal path and a method that deletes it: `"/".rmtree`, `("/").deleteDir()`. */
const removalOfPath = sequence(
  [/['"`]([^'"`\n]{1,200})['"`]\)?\./, anyOf(['rmtree deleteDir deleteRecursively rm_rf'])],
  'g',
);

/** A call that lists a folder, and its literal path. */
const listingInCode = sequence(
  [
    /(?<!\w)/,
    anyOf(['walk glob iglob listdir scandir readdir readdirSync opendir Dir.glob Dir.children Dir.entries Dir']),
    literalPath,
  ],
  'g',
);
/** A literal path whose content is listed: `'/'.rglob('*')`, `</etc/*>`. */
const listingOfPath = sequence(
  [anyOf([/['"`]([^'"`\n]{1,200})['"`]\)?\.(?:iterdir|r?glob|children|each_child)\b/, /<(\/[^<>\n]{1,200})>/])],
  'g',
);
/** A call that deletes what it is given. */
const deletes = sequence([
  /(?<!\w)/,
  anyOf([
    'rmtree os.remove os.unlink os.rmdir .unlink unlink rm_rf rmSync unlinkSync rmdirSync remove_tree FileUtils.rm',
  ]),
  /(?:["'(,]|\s+(?:glob|<|\$)|$)/,
]);
/** The kernel shows these folders. Programs list them to find processes and devices. */
const shownByKernel = /^\/(?:proc|sys|dev|run)(?:\/|$)/;

const disk =
  /['"`](?:\+?[>]{1,2}\s?)?(?:\/dev\/(?:sd|hd|vd|xvd|nvme|mmcblk|r?disk)[\w/]{1,20}|\\{2,4}[.?]\\{1,2}PhysicalDrive\d)['"`]/;
/** A call that writes to a disk. */
const writesDisk = anyOf([
  sequence([/(?:write\w{0,20}|WriteAll\w{0,9}|createWriteStream|appendFile\w{0,9})[\s(]{1,3}/, disk]),
  sequence([disk, /\s?,\s?(?:['"][rb]{0,2}[wa+][rwab+]{0,3}['"]|os\.O_(?:WRONLY|RDWR))/]),
  sequence([disk, /\)?\.(?:write_|open\(\s?['"][rb]{0,2}[wa+])/]),
  /['"]\+?>{1,2}\s?\/dev\/(?:sd|hd|vd|xvd|nvme|mmcblk|r?disk)/,
]);

const endsAll = anyOf([
  /\b(?:os|process|posix)\.kill\(\s?-1\b/,
  /\bProcess\.kill\([^)\n]{1,20},\s?-1\b/,
  /\bkill[\s(]{1,3}['"]?-?\w{1,10}['"]?\s?,\s?-1\b/,
]);
const forksWithoutEnd = anyOf([
  /\bwhile[\s(]{1,3}(?:True|true|1)\)?\s?:?\s{0,20}\{?\s?(?:os\.|pcntl_|posix\.)?fork\b/,
  /\bfork\s+while\b/,
  /\bloop\s?(?:\{|do)\s?fork\b/,
]);

const commandInCode = /(['"`])((?:(?!\1)[^\\\n])+)\1/g;
/** What starts a program in an editor, a debugger or a client of a database. */
const escapes = /(?:!|(?<![a-zA-Z_.$])(?:\.?shell|\.?system|e)\s)\s?([a-z/][^\n]*)/g;

/** Calls that can run the commands that code contains as texts. */
const startsPrograms = anyOf([
  /\b(?:sub|child_)process\b/,
  sequence([
    /(?<!\w)/,
    anyOf([
      'system getoutput passthru shell_exec shell-command proc_open os:cmd cmd run call Popen fork',
      /(?:popen|exec|spawn)\w{0,9}/,
    ]),
    /\s?[([{'"`]/,
  ]),
  /do shell script|\.execute\(|(?<![\w$@%])%?qx?\s?[({[|]|%x/,
]);

/** A change to another folder, in which later commands run. */
const folderInCode = /(?<!\w)(?:chdir|cd)[\s(]{1,3}['"`]([^'"`\n]{1,200})['"`]/;

/** Returns why a command of a shell is below the floor, or undefined if it is not. */
type CommandFloor = (command: string) => string | undefined;

/**
 * Returns why code in a language that is not a shell is below the floor. `mayStart`: it can run the commands that it
 * contains as texts, whatever it calls.
 */
export function codeBelowFloor(code: string, commands: CommandFloor, mayStart = false): string | undefined {
  let plain = withConstants(code.replace(homeInCode, "'~'").replace(otherQuotes, '"$1"'));
  // `str(Path('/'))`
  for (let round = 0; round < 2; round++) plain = plain.replace(samePath, '$1');
  if (removesVital(plain) || (deletes.test(plain) && listsVital(plain))) return losesVital;
  if (writesDisk.test(plain)) return 'Overwrites a disk.';
  if (endsAll.test(plain)) return 'Ends every process.';
  if (forksWithoutEnd.test(plain)) return 'Starts copies of itself without end.';
  const mayStartPrograms = mayStart || startsPrograms.test(code) || startsPrograms.test(plain);
  return mayStartPrograms ? commandBelowFloor(plain, commands) : undefined;
}

const removesVital = (code: string): boolean =>
  [removalInCode, removalOfPath].some((removal) =>
    [...code.matchAll(removal)].some(([, path = '']) => isVitalFolder(path, { glob: true })),
  );

/** Returns whether code lists a vital folder, as it does before it deletes each entry. */
const listsVital = (code: string): boolean =>
  [listingInCode, listingOfPath].some((listing) =>
    [...code.matchAll(listing)].some(([, path, other = '']) => {
      const listed = path ?? other;
      return isVitalFolder(listed, { glob: true }) && !shownByKernel.test(listed);
    }),
  );

/** Returns why a command that code contains as a text is below the floor. */
function commandBelowFloor(code: string, commands: CommandFloor): string | undefined {
  const folder = folderInCode.exec(code)?.[1];
  const there = folder !== undefined && isVitalFolder(folder) ? `cd ${folder}; ` : '';
  // `['rm', '-rf', '/']` is one command.
  for (const [, , command = ''] of code.replace(betweenWords, ' ').matchAll(commandInCode)) {
    const why = commands(there + command);
    if (why !== undefined) return why;
  }
  return undefined;
}

/** The same for the words of a program that takes code or commands in them. */
export function wordsBelowFloor(name: string, words: readonly string[], commands: CommandFloor): string | undefined {
  if (!takesCode.test(name)) return undefined;
  for (const word of words) {
    const why = codeBelowFloor(word, commands, true);
    if (why !== undefined) return why;
    for (const [, command = ''] of word.matchAll(escapes)) {
      const found = commands(command);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

import { leftOutFolders } from '../../src/adapters/checkpoints/coverage';
import { protectedWrites } from '../../src/core/risk/pathRules';
import { shapeInText, issuedTokens } from '../../src/core/secrets/secretShapes';

/** Patterns that a user may enter in settings: only the product's additions to them are tested. */
const writtenByPerson = ['npm run [a-z]+'];

/** Samples of the regular expressions that are not built from constants only, by file and beginning of the argument. */
export const builtAtRunTime: Readonly<Record<string, readonly string[]>> = {
  // Compiled to see whether it is valid, never matched.
  'commonKeywords.ts withPlainEscapes': ['^a$'],
  'environmentNames.ts [/^/, repeated(': [
    '^(?:(?:\\s|(?:-O[0-3sgz]?|-g\\d?|-W[a-z][\\w=-]*(?<!Wl)|-D\\w+(?:=\\w+)?|--cfg\\s+\\w+)(?=\\s|$)))*$',
  ],
  'frozenTree.ts `^signal': ['^signal: 18/'],
  'guardedTree.ts protectedWrites': [protectedWrites.map(({ pattern }) => `(?:${pattern.source})`).join('|')],
  'packageFolders.ts `(?:^|/)(?:${leftOutFolders.map(': [
    `(?:^|/)(?:${leftOutFolders.map((name) => name.replaceAll('.', '\\.')).join('|')})/`,
  ],
  'value.ts String(text)': writtenByPerson,
  'hookFile.ts matcher': writtenByPerson,
  'matcher.ts `^(?:${pattern})$`': [`^(?:${writtenByPerson[0]})$`],
  'secretShapes.ts `(?<![A-Za-z0-9])(?:': [`(?<![A-Za-z0-9])(?:${issuedTokens.map(({ shape }) => shape).join('|')})`],
  'secretShapes.ts shapeInText(token)': issuedTokens.map(shapeInText),
  'selectTasks.ts `^(?:${filter})`': [`^(?:${writtenByPerson[0]})`],
  'allowRules.ts `^(?:${source})`': [`^(?:${writtenByPerson[0]})`],
  'modelVerifiers.ts `${pattern}|`': writtenByPerson,
  'modelVerifiers.ts pattern': writtenByPerson,
  'locations.ts `^${anyFolder}${rest}$`': [
    '^(?<base>(?:[^/]+/)*?)\\.agents/skills/(?<within>(?:[^/]+/)*?)(?<name>[^/]+)/SKILL\\.md$',
    '^(?<base>(?:[^/]+/)*?)AGENTS\\.md$',
  ],
  'triggers.ts `${before}': ['(?<!\\p{scx=Hang})one\\s+two(?!\\p{M})(?![\\p{L}\\p{N}\\p{M}_])'],
  'elements.ts `<!': ['<!\\[CDATA\\[|<(/?)name(?:\\s[^<>]*?)?>'],
  'elements.ts `</': ['</parent\\s*>'],
  'oneCommand.ts `</?': ['</?tag>'],
  'verdict.ts escaped.join(': ['rm(?:\\s|\\\\\\n)+-rf(?:\\s|\\\\\\n)+build'],
  'normalisedText.ts `[': ['[\u2018\u2019\u201c]'],
  'sharegptText.ts `<${tag}>': ['<tool_call>\\n([^\\n]*)\\n</tool_call>'],
  'damagedJson.ts `': ['\\{\\s*(?:"from"|"role")\\s*:'],
  'compare.ts `': ['(?<![\\w.-])/home/me/folder(?![\\w.-]*[\\w-])'],
};

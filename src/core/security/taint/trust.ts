import { anyOf, sequence } from '../../text/alternatives';

/**
 * Who vouches for a file of the workspace. `project`: whoever owns the workspace. `prose`: documentation, which often
 * quotes others and is where instructions for agents are hidden; so are notebooks, which also keep what their code
 * fetched and printed. `others`: code that was fetched from somewhere.
 */
export type Trust = 'project' | 'prose' | 'others';

const fetched = sequence(
  [
    /(^|\/)/,
    anyOf([
      'node_modules bower_components jspm_packages vendor vendors',
      /third[-_]?party/,
      'external externals deps site-packages dist-packages .venv venv .yarn .pnpm-store .cargo .m2',
      '.gradle pods carthage',
      /downloads?/,
    ]),
    /(\/|$)/,
  ],
  'i',
);
const written = anyOf(
  [
    sequence([
      /\./,
      anyOf([
        'md mdx markdown rst adoc asciidoc txt',
        /html?/,
        'xhtml pdf org textile wiki eml ipynb mbox patch diff log',
      ]),
      /$/,
    ]),
    /(^|\/)(docs?|documentation|wiki)(\/|$)/,
    sequence([
      /(^|\/)/,
      anyOf([
        'readme changelog changes history news contributing authors notice license licence copying todo',
        'security',
      ]),
      /(\.[^/]*)?$/,
    ]),
  ],
  'i',
);
/** Instructions that a person approves before they are used. */
const instructions = /(^|\/)(agents?|claude|gemini)\.md$|(^|\/)copilot-instructions\.md$/i;

/** `path` is relative to the workspace, with "/"; a pattern counts as what it may find. */
export function trustOf(path: string): Trust {
  if (fetched.test(path)) return 'others';
  if (instructions.test(path)) return 'project';
  return written.test(path) || /(^|\/)[^/.*]*\*[^/.]*$/.test(path) ? 'prose' : 'project';
}

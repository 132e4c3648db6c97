import { anyOf, sequence } from '../../text/alternatives';

/**
 * Who vouches for a file of the workspace. `project`: the owner of the workspace. `prose`: documentation, which often
 * quotes others and can hide instructions for agents, and notebooks, which also contain downloaded and printed data.
 * `others`: downloaded code.
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
const writtenPlaces = anyOf(
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
/** Instruction files that a person approves before they are used. */
const instructions = /(^|\/)(agents?|claude|gemini)\.md$|(^|\/)copilot-instructions\.md$/i;

/**
 * Returns the trust of a path relative to the workspace, with "/". A pattern without an extension counts as `prose`,
 * because it may match documentation.
 */
export function trustOf(path: string): Trust {
  if (fetched.test(path)) return 'others';
  if (instructions.test(path)) return 'project';
  return writtenPlaces.test(path) || /(^|\/)[^/.*]*\*[^/.]*$/.test(path) ? 'prose' : 'project';
}

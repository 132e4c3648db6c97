import { fieldOf, plainName } from '../../text/fields';
import { isRecord } from '../../text/parseJson';
import { readLooseJson } from '../../text/looseJson';
import { StructureProblem } from './structuredReply';
import type { Structure } from './workgraphXml';

const knownNames = [
  'structuredresponse',
  'instantresponse',
  'newtask',
  'taskstatus',
  'taskstatusdescription',
  'immediatenextactions',
  'instantlearnings',
];
/** Maximum number of broken objects to skip. A text with more is not a usable reply. */
const maxTries = 100;

/** Parses the last structured object in a text. Throws a `StructureProblem`. */
export function jsonStructureIn(text: string): Structure {
  let found: Structure;
  let broken: { at: number; problem: string } | undefined;
  let tries = maxTries;
  for (let from = startFrom(text, 0); from !== undefined && tries > 0;) {
    const read = readLooseJson(text, from);
    if (read.problem !== undefined) {
      tries--;
      if (!found || beginsWithField(text, from)) broken = { at: read.at, problem: read.problem };
      from = startFrom(text, from + 1);
      continue;
    }
    const fields = isRecord(read.value) ? (fieldOf(read.value, 'structuredresponse') ?? read.value) : undefined;
    if (isRecord(fields) && Object.keys(fields).some((name) => knownNames.includes(plainName(name)))) {
      found = { fields, from, to: read.end };
      broken = undefined;
    }
    from = startFrom(text, read.end);
  }
  if (broken && /["'](?:ImmediateNextActions|TaskStatus|InstantResponse)["']/i.test(text)) {
    throw new StructureProblem(`in line ${text.slice(0, broken.at).split('\n').length}, ${broken.problem}`);
  }
  return found;
}

/**
 * Returns the offset of the next object that starts with a field of the structure, or is at the start of the text or of
 * a line.
 */
function startFrom(text: string, at: number): number | undefined {
  for (let from = text.indexOf('{', at); from !== -1; from = text.indexOf('{', from + 1)) {
    if (from === 0 || text[from - 1] === '\n' || beginsWithField(text, from)) return from;
  }
  return undefined;
}

const field =
  /\{\s*["']?(?:StructuredResponse|InstantResponse|NewTask|TaskStatus|ImmediateNextActions|InstantLearnings)\b/iy;

function beginsWithField(text: string, at: number): boolean {
  field.lastIndex = at;
  return field.test(text);
}

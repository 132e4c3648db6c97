import { fieldOf, isRecord, plainName } from './fields';
import { readLooseJson } from './looseJson';
import { StructureProblem } from './structuredReply';
import type { Structure } from './workgraphXml';

const known = ['structuredresponse', 'instantresponse', 'newtask', 'taskstatus', 'taskstatusdescription', 'immediatenextactions', 'instantlearnings'];
/** An object that begins with a field of the structure, begins the text, or stands alone in a fenced block. */
const start = /\{(?=\s*["']?(?:StructuredResponse|InstantResponse|NewTask|TaskStatus|ImmediateNextActions|InstantLearnings)\b)|(?<=^\s*)\{|(?<=```(?:json)?[ \t]*\r?\n\s*)\{/gi;

/** Reads the last structured object of a text. Throws `StructureProblem`. */
export function jsonStructureIn(text: string): Structure {
  let found: Structure;
  let broken: { at: number; problem: string } | undefined;
  for (let from = startFrom(text, 0); from !== undefined;) {
    const read = readLooseJson(text, from);
    if (read.problem !== undefined) {
      broken = { at: read.at, problem: read.problem };
      from = startFrom(text, from + 1);
      continue;
    }
    const fields = isRecord(read.value) ? fieldOf(read.value, 'structuredresponse') ?? read.value : undefined;
    if (isRecord(fields) && Object.keys(fields).some(name => known.includes(plainName(name)))) {
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

function startFrom(text: string, at: number): number | undefined {
  start.lastIndex = at;
  return start.exec(text)?.index;
}

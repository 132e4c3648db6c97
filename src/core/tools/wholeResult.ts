import { secrets } from '../secrets/secrets';
import type { Outputs } from '../ports/environment';
import type { ToolResult } from '../ports/tool';

/** Characters of one result that the model reads; of more the beginning and the end. */
const longest = 50_000;

/** A result that is not too long for the model. What is left out is kept where `read_file` finds it, where there is such a place; `reader` is the name by which the model knows that tool. */
export async function wholeResult(
  result: ToolResult,
  outputs: Outputs | undefined,
  reader = 'read_file',
): Promise<ToolResult> {
  if (result.content.length <= longest) return result;
  // Half of a secret is not known any more: it is masked before it is cut.
  const content = secrets.maskKnown(result.content);
  const place = await outputs?.keep(content, 'txt').catch(() => undefined);
  const [head, tail] = [content.slice(0, longest * 0.7), content.slice(-longest * 0.2)];
  const left = (content.length - head.length - tail.length).toLocaleString('en');
  return {
    ...result,
    content: `${head}\n[${left} characters are left out here. ${place === undefined ? 'Ask for less at a time.' : `All of it is in ${place}, which ${reader} reads in parts.`}]\n${tail}`,
  };
}

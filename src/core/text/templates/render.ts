import { loadEngine } from './engine';
import { interpret } from './interpret';
import { parseTemplate } from './parse';

/**
 * Renders a Jinja source. `where` names the template for people: "profile mini, template system", or a file. Throws
 * `TemplateProblem` if the source cannot be parsed or a variable does not exist.
 */
export async function render(
  source: string,
  variables: Readonly<Record<string, unknown>>,
  where: string,
): Promise<string> {
  const engine = await loadEngine();
  return interpret(engine, parseTemplate(engine, source, where), variables);
}

import { loadEngine } from './engine';
import { interpret } from './interpret';
import { parseTemplate } from './parse';

/**
 * The text of a Jinja source. `where` names the template for a person: "profile mini, template system", or a file.
 * Throws `TemplateProblem` for what cannot be read, and for a variable that does not exist.
 */
export async function render(
  source: string,
  variables: Readonly<Record<string, unknown>>,
  where: string,
): Promise<string> {
  const engine = await loadEngine();
  return interpret(engine, parseTemplate(engine, source, where), variables);
}

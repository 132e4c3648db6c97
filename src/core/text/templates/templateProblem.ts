/**
 * Explains why a template cannot be used. `message` names the template, the line and the variable, and says what to do.
 */
export class TemplateProblem extends Error {
  /** Which template, for people: "profile mini, template system", or a file. */
  readonly where: string;
  /** 1-based. */
  readonly line: number;
  readonly why: string;
  readonly next: string;
  /** The variable that does not exist, as the template names it. */
  readonly variable: string | undefined;

  constructor(
    { where, line }: { readonly where: string; readonly line: number },
    { why, next, variable }: { readonly why: string; readonly next: string; readonly variable?: string | undefined },
  ) {
    super(`${where}, line ${line}: ${why} ${next}`);
    this.name = 'TemplateProblem';
    this.where = where;
    this.line = line;
    this.why = why;
    this.next = next;
    this.variable = variable;
  }

  get what(): string {
    return `The template in ${this.where} is broken at line ${this.line}.`;
  }
}

/** Returns the message of the template package without its internal names. */
export function describeTemplateError({ name, message }: Error): string {
  const filter = /^(?:Unknown \w+ filter: |Cannot apply filter ")(\w+)/.exec(message);
  if (filter) return `The filter ${filter[1]} cannot be used here.`;
  if (message === '') return 'There is no loop for break or continue.';
  const parser = /^Parser Error: (.+?)\. (\w+) !==/.exec(message);
  if (parser) return `${withoutTokenNames(parser[1]!)}, not ${withoutTokenNames(parser[2]!)}.`;
  // The parser ran out of tokens.
  if (name === 'TypeError') return 'The tag ends too early.';
  return `${withoutTokenNames(message).replace(/\.$/, '')}.`;
}

const marks: Readonly<Record<string, string>> = {
  OpenExpression: '{{',
  CloseExpression: '}}',
  OpenStatement: '{%',
  CloseStatement: '%}',
};

const withoutTokenNames = (words: string): string =>
  words
    .replace(/ token\b/, '')
    .replace(/\b(\w+)Value\b/g, (_all, kind: string) => kind.toLowerCase())
    .replace(/\b(?:Open|Close)(?:Expression|Statement)\b/g, (name) => marks[name]!);

/** What came of an action, for the next reply. */
export interface ActionResult {
  /** The name of the tool. */
  readonly type: string;
  /** What it did, in one line, where several of a type have to be told apart. */
  readonly summary?: string;
  readonly content: string;
}

/** Results as a message in the words of the structured reply. What a command printed cannot end its element. */
export function actionResults(results: readonly ActionResult[], syntax: 'xml' | 'json'): string {
  if (syntax === 'json') {
    return JSON.stringify(
      {
        ActionResults: results.map(({ type, summary, content }) => ({
          ActionType: type,
          ...(summary !== undefined && { ActionSummary: summary }),
          ActionResult: content,
        })),
      },
      null,
      2,
    );
  }
  const entries = results.map(({ type, summary, content }) =>
    [
      '<Action>',
      element('ActionType', type),
      ...(summary === undefined ? [] : [element('ActionSummary', summary)]),
      element('ActionResult', content),
      '</Action>',
    ].join('\n'),
  );
  return ['<ActionResults>', ...entries, '</ActionResults>'].join('\n');
}

function element(name: string, text: string): string {
  return `<${name}>${/[<&]/.test(text) ? `<![CDATA[${text.replaceAll(']]>', ']]]]><![CDATA[>')}]]>` : text}</${name}>`;
}

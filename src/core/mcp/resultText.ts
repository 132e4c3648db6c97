/** Characters of one result that the model reads; of more the beginning and the end. */
const longest = 50_000;

/** A part of what a server answers; what is not known is told by its type. */
export interface ContentPart { readonly type: string; readonly [field: string]: unknown }

/** What a call came to, as text for the model. Pictures and sounds are named, not shown. */
export function resultText({ content = [], structuredContent }: { readonly content?: readonly ContentPart[] | undefined; readonly structuredContent?: unknown }): string {
  const parts = content.map(partText).filter(text => text !== '');
  if (parts.length === 0 && structuredContent !== undefined) parts.push(JSON.stringify(structuredContent, null, 2));
  return bounded(parts.join('\n\n')) || '[The answer is empty.]';
}

export function bounded(text: string): string {
  if (text.length <= longest) return text;
  const [head, tail] = [text.slice(0, longest * 0.7), text.slice(-longest * 0.2)];
  return `${head}\n[${(text.length - head.length - tail.length).toLocaleString('en')} characters are left out here. Ask for less at a time.]\n${tail}`;
}

function partText(part: ContentPart): string {
  switch (part.type) {
    case 'text': return textIn(part['text']);
    case 'image': case 'audio': return `[${part.type === 'image' ? 'A picture' : 'A sound'}, ${textIn(part['mimeType'])}, ${size(part['data'])}. It is not shown.]`;
    case 'resource_link': return `[A resource: ${textIn(part['uri'])}${part['name'] === undefined ? '' : ` (${textIn(part['name'])})`}]`;
    case 'resource': return resourceText(part['resource']);
    default: return `[Something of the type ${part.type}. It is not shown.]`;
  }
}

/** What a resource holds. */
export function resourceText(resource: unknown): string {
  if (typeof resource !== 'object' || resource === null) return '';
  const { uri, text, blob, mimeType } = resource as Record<string, unknown>;
  return text !== undefined ? textIn(text) : `[The resource ${textIn(uri)}, ${textIn(mimeType)}, ${size(blob)}. It is no text, so it is not shown.]`;
}

const textIn = (value: unknown): string => (typeof value === 'string' ? value : value === undefined ? '' : String(JSON.stringify(value)));
const size = (base64: unknown): string => `${Math.round((typeof base64 === 'string' ? base64.length : 0) * 0.75).toLocaleString('en')} bytes`;

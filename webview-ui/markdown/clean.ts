import DOMPurify from 'dompurify';

const tags = [
  'p',
  'br',
  'hr',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'ul',
  'ol',
  'li',
  'blockquote',
  'pre',
  'code',
  'em',
  'strong',
  's',
  'table',
  'thead',
  'tbody',
  'tr',
  'th',
  'td',
  'a',
  'span',
  'div',
  'button',
];
const attributes = [
  'class',
  'title',
  'role',
  'tabindex',
  'start',
  'type',
  'aria-label',
  'data-url',
  'data-file',
  'data-line',
  'data-copy',
  'data-language',
];

/**
 * Second line of defense: whatever the renderer produced, only these tags and attributes reach the document. With
 * Trusted Types, this is the only source of HTML; the view's policy rejects any other.
 */
export const sanitizeHtml = (html: string): string =>
  DOMPurify.sanitize(html, {
    ALLOWED_TAGS: tags,
    ALLOWED_ATTR: attributes,
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    RETURN_TRUSTED_TYPE: true,
  }) as unknown as string;

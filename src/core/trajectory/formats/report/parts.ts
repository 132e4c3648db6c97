import { markup, type Markup } from './markup';

const flag = markup`<svg viewBox="0 0 16 16" aria-hidden="true"><path fill="currentColor" d="M3 2h8l3 3-3 3H3zM6 8h2v6H6z"/></svg>`;

/** The kind of page, above its title. */
export const brand = (words: string): Markup => markup`<div class="brand">${flag}${words}</div>`;

/** A figure with its label above and details below. */
export const tile = (label: string, value: string, more: string | false = false): Markup =>
  markup`<div><dt>${label}</dt><dd>${value}${more && markup`<small>${more}</small>`}</dd></div>`;

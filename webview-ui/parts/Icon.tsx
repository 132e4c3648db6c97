/** A codicon. Decoration only: words beside it say the same. */
export const Icon = ({ name, class: more = '' }: { name: string; class?: string }) => (
  <span class={`codicon codicon-${name} ${more}`} aria-hidden="true" />
);

export const Spinner = () => <Icon name="loading" class="codicon-modifier-spin" />;

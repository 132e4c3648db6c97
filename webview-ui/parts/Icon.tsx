/** A codicon. Decorative only; adjacent text conveys the meaning. */
export const Icon = ({ name, class: more = '' }: { name: string; class?: string }) => (
  <span class={`codicon codicon-${name} ${more}`} aria-hidden="true" />
);

export const Spinner = () => <Icon name="loading" class="codicon-modifier-spin" />;

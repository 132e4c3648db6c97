/** Text whose parts are joined by " · ". A line ends only between parts, so that no number is separated from its unit. */
export const Parts = ({ words }: { words: string }) => (
  <>
    {words.split(' · ').map((part, index, all) => (
      <>
        {index > 0 && ' '}
        <span class="together">{index < all.length - 1 ? `${part} ·` : part}</span>
      </>
    ))}
  </>
);

/** Text of a user whose web addresses are links. */
import type { ReactNode } from 'react';

/** Matches an address up to a space, a quotation mark or Chinese punctuation. */
const addressPattern = /(https?:\/\/[^\s<>"“”，。；：！？、（）【】《》「」]+)/i;
/** Matches punctuation that ends the sentence around an address. */
const endPattern = /[.,;:!?'’*]+$/;

export function LinkedText({ text }: { text: string }) {
  return text.split(addressPattern).map(
    (part, index): ReactNode =>
      // The pattern's group puts the addresses at the odd positions.
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no state
      index % 2 === 1 ? <LinkedAddress key={index} text={part} /> : part,
  );
}

function LinkedAddress({ text }: { text: string }) {
  const address = removeEnd(text);
  if (!URL.canParse(address)) return text;
  return (
    <>
      <a href={address} target="_blank" rel="nofollow noopener ugc">
        {address}
      </a>
      {text.slice(address.length)}
    </>
  );
}

/** Returns the address without punctuation after it, and without a parenthesis that opens before it. */
function removeEnd(text: string): string {
  const address = text.replace(endPattern, '');
  const isOpenedBefore = address.endsWith(')') && address.split(')').length > address.split('(').length;
  return isOpenedBefore ? removeEnd(address.slice(0, -1)) : address;
}

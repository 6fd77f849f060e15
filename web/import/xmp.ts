/** Shortens XMP files to the properties that describe a photo, so that they fit into the header of an upload. */

const rdf = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';
/** Other namespaces have settings of editors and their history. The server decides which properties count. */
const keptNamespaces = new Set([
  rdf,
  'http://purl.org/dc/elements/1.1/',
  'http://ns.adobe.com/xap/1.0/',
  'http://ns.adobe.com/photoshop/1.0/',
  'http://ns.adobe.com/exif/1.0/',
  'http://ns.adobe.com/lightroom/1.0/',
  'http://ns.microsoft.com/photo/1.0/',
]);
/** Maximum characters of the field `xmp` of an upload. */
const maxText = 8000;
/** A description has at most 2000 characters. Longer properties are thumbnails. */
const maxProperty = 4000;

/** Returns '' for content that is no XMP. */
export function shortenXmp(bytes: Uint8Array): string {
  const page = new DOMParser().parseFromString(decodeText(bytes), 'application/xml');
  const root = page.getElementsByTagNameNS(rdf, 'RDF')[0];
  if (!root || page.querySelector('parsererror')) return '';
  for (const description of root.children) {
    for (const attribute of [...description.attributes]) {
      const isName = attribute.name.startsWith('xmlns') || attribute.namespaceURI === null;
      if (!isName && !keptNamespaces.has(attribute.namespaceURI!)) description.removeAttributeNode(attribute);
    }
    for (const property of [...description.children]) {
      const isKept = keptNamespaces.has(property.namespaceURI ?? '');
      if (!isKept || property.textContent.length > maxProperty) property.remove();
    }
  }
  return serializeShort(root);
}

/** The longest properties are left out, because the server keeps no texts as long as these. */
function serializeShort(root: Element): string {
  const properties = [...root.children].flatMap((description) => [...description.children]);
  const longestFirst = properties.sort((a, b) => b.textContent.length - a.textContent.length);
  for (;;) {
    const text = new XMLSerializer().serializeToString(root).replace(/>\s+</g, '><');
    if (text.length <= maxText) return text;
    const longest = longestFirst.shift();
    if (!longest) return '';
    longest.remove();
  }
}

/** XMP is UTF-8, or UTF-16 with a byte order mark. */
function decodeText(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  return new TextDecoder(first === 0xff && second === 0xfe ? 'utf-16le' : 'utf-8').decode(bytes);
}

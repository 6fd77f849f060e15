/**
 * Keeps the page working while a browser translates it. Translators replace text nodes with `<font>` elements, and
 * React then fails when it removes such a text node. The observer puts each replaced text node back, without its text,
 * before the translation. When React changes or removes the text node, the outdated translation is removed.
 */
export function followTranslation(root: Node): void {
  const translations = new WeakMap<Text, Element>();

  function dropTranslation(text: Text): void {
    translations.get(text)?.remove();
    translations.delete(text);
  }

  function follow(text: Text, { target, addedNodes, previousSibling, nextSibling }: MutationRecord): void {
    if (text.isConnected) return;
    if (translations.has(text)) {
      dropTranslation(text);
      return;
    }
    const font = [...addedNodes, previousSibling, nextSibling].find(isTranslation);
    if (font?.parentNode !== target) return;
    translations.set(text, font);
    text.data = '';
    font.before(text);
  }

  new MutationObserver((records) => {
    for (const record of records) {
      if (record.type === 'characterData') {
        const text = record.target as Text;
        if (text.data !== '') dropTranslation(text);
      } else for (const node of record.removedNodes) if (node instanceof Text) follow(node, record);
    }
  }).observe(root, { childList: true, subtree: true, characterData: true });
}

function isTranslation(node: Node | null): node is Element {
  return node instanceof Element && node.localName === 'font';
}

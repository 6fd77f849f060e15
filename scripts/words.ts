/** Finds comments, pages and names that a stranger would read twice: CONTRIBUTING.md has the rules of plain words. */
import { globSync, readFileSync } from 'node:fs';
import { sources } from './sources.ts';

const maxWords = 25;
const documents = ['*.md', 'docs/**/*.md', '{bench,torture,test,deploy}/**/*.md'];
const notOurs = ['THIRD_PARTY_NOTICES.md', 'CODE_OF_CONDUCT.md'];

/** A sentence that starts like this has no subject, or hides it in a clause. */
const oddStart =
  /^(?:What|Who|Whom|Whose|Whoever|Whatever|Whichever|Wherever|Of|Where|As|Those|That|Which|Once|Else|Nothing|So)\b/;
const plainStart = /^(?:As (?:of|an?|protection)|Once (?:an?|per))\b/;
/** The first sentence of a comment has no noun before it that these could stand for. */
const pronoun = /^(?:It|Its|They|Their|Theirs)\b/;
/** Words that this project once used in a sense of its own. */
const privateWord = /\b(?:anew|thereof|whoever|whomever|readers? of screens)\b/i;

/** Name families that say little: `mostRows` is `maxRows`, `forgetMail` is `purgeMail`.  */
const vagueName = /\b(?:function|const) ((?:most|least|forget|tell|note|keep|take)[A-Z]\w*|\w+Of)\b/g;
/** Names that read a property of their argument, or use a term of HTTP. */
const plainNames = [
  'areaOf',
  'codeOf',
  'extensionOf',
  'hrefOf',
  'idOf',
  'idsOf',
  'keepAliveMs',
  'keepAliveTimeoutMs',
  'languageOf',
  'mimeOf',
  'originOf',
  'patternOf',
  'refusalsOf',
  'securityOf',
  'statusOf',
  'weightOf',
];

/** Returns one line for each sentence in a comment or a page that breaks a rule. */
export function findUnclearSentences(patterns: string[] = [sources, ...documents]): string[] {
  return globSync(patterns, { exclude: (path) => /(?:^|\/)(?:node_modules|dist)$/.test(path) })
    .filter((file) => !notOurs.includes(file))
    .sort()
    .flatMap((file) => {
      const text = readFileSync(file, 'utf8');
      const blocks = file.endsWith('.md') ? readParagraphs(text) : readComments(text);
      return blocks.flatMap(({ line, prose }) =>
        findFaults(prose).map((fault) => `${file}:${line}: ${fault}`),
      );
    });
}

/** Returns one line for each declared name of a family that says little. */
export function findVagueNames(): string[] {
  return globSync(sources)
    .sort()
    .flatMap((file) => vagueNamesIn(readFileSync(file, 'utf8')).map((name) => `${file}: ${name}`));
}

export function vagueNamesIn(text: string): string[] {
  return [...text.matchAll(vagueName)].map(([, name]) => name!).filter((name) => !plainNames.includes(name));
}

interface Block {
  /** The first line of the block in its file, from 1. */
  line: number;
  prose: string;
}

/** Returns each comment as one line of prose. Neighboring line comments are one comment. */
export function readComments(text: string): Block[] {
  const comment = /(?<=^|[\s{(,;])(?:\/\*[\s\S]*?\*\/|\/\/.*(?:\n[ \t]*\/\/.*)*)/gm;
  return [...text.matchAll(comment)]
    .filter(([found]) => !/biome-ignore|@ts-|<reference|^\/\/ ?#|vite-ignore/.test(found))
    .flatMap(({ 0: found, index }) => {
      const line = text.slice(0, index).split('\n').length;
      const lines = found
        .replace(/^\/\*+|\*+\/$/g, '')
        .split('\n')
        .map((each) => each.replace(/^\s*(?:\/\/|\*)\s?/, ''));
      return splitItems(lines.join('\n')).map((prose) => ({ line, prose }));
    });
}

/** Returns the paragraphs and list items of a page, without headings, tables, quotations and code. */
export function readParagraphs(text: string): Block[] {
  const plain = text
    .replaceAll(/^ *```[\s\S]*?^ *```$/gm, (code) => code.replaceAll(/[^\n]/g, ''))
    .replaceAll(/<!--[\s\S]*?-->/g, (comment) => comment.replaceAll(/[^\n]/g, ''))
    .replaceAll(/^ *(?:#|\||>|<\/?\w|\[\w+\]:).*$/gm, '');
  let line = 1;
  return plain.split(/(\n\s*\n)/).flatMap((part) => {
    const at = line;
    line += part.split('\n').length - 1;
    return splitItems(part).map((prose) => ({ line: at, prose }));
  });
}

/** Splits a text at list items and empty lines, and joins the lines of each part. */
function splitItems(text: string): string[] {
  return text
    .split(/\n\s*\n|\n(?=\s*(?:[-*+]|\d+\.) )/)
    .map((part) =>
      part
        .replace(/^\s*(?:[-*+]|\d+\.) /, '')
        .replaceAll(/\s+/g, ' ')
        .trim(),
    )
    .filter((part) => /[a-z]{3}/.test(part));
}

/** Returns what is unclear in one comment or paragraph. */
export function findFaults(prose: string): string[] {
  const plain = prose
    .replaceAll(/``[^`]*``|`[^`]*`/g, 'X')
    // A link within the page is a heading.
    .replaceAll(/\[[^\]]*\]\(#[^)]*\)/g, 'X')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/\b(e\.g|i\.e|etc|vs|cf)\./g, '$1')
    .replaceAll('**', '');
  const sentences = plain
    .split(/(?<=[.!?]["”’)*_]*)\s+|(?<=:)\s+(?=["“(*_]*[A-Z])/)
    .filter((each) => /[a-z]{3}/.test(each));
  return sentences.flatMap((sentence, index) => {
    const start = sentence.replace(/^["“(*_]+/, '');
    if (sentence.endsWith('?')) return [];
    const words = sentence.split(' ').filter((word) => /[A-Za-z0-9]/.test(word)).length;
    const faults = [
      oddStart.test(start) && !plainStart.test(start) ? 'starts without its subject' : '',
      index === 0 && pronoun.test(start) ? 'starts with a pronoun' : '',
      privateWord.test(sentence) ? 'has a word that only this project uses' : '',
      words > maxWords ? `has ${words} words` : '',
    ].filter((fault) => fault !== '');
    return faults.length === 0 ? [] : [`${faults.join(', ')}: ${sentence.slice(0, 100)}`];
  });
}

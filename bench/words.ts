/** Generates texts that resemble those under photos: frequent and rare words, a fifth of them in Chinese. */

/** Returns a seeded random generator (mulberry32), so that every run creates the same gallery. */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const syllables = 'an be ca do el fi go ha in jo ka lu mo na or pe qui ra so ti un va wo xe ya zu'.split(' ');
const characters = Array.from(
  '山水花鸟风雪月日春夏秋冬海湖河江树林石桥城村夜晨光影红绿蓝白黑金天地人家猫狗马鱼云雨星',
);

export interface Text {
  title: string;
  description: string;
  tags: string[];
}

export function createTexts(random: () => number): () => Text {
  const latin = Array.from({ length: 3000 }, () => word(random, syllables, 2 + random() * 2));
  const chinese = Array.from({ length: 1000 }, () => word(random, characters, 2 + random()));
  const pick = (words: string[]) => words[Math.floor(words.length * random() ** 3)]!;

  return () => {
    const isChinese = random() < 0.2;
    const words = isChinese ? chinese : latin;
    const some = (least: number, max: number) =>
      Array.from({ length: least + Math.floor(random() * (max - least + 1)) }, () => pick(words));
    return {
      title: some(2, 5).join(isChinese ? '' : ' '),
      description: random() < 0.5 ? some(5, 25).join(isChinese ? '' : ' ') : '',
      tags: [...new Set(some(0, 5))],
    };
  };
}

function word(random: () => number, parts: string[], length: number): string {
  return Array.from({ length }, () => parts[Math.floor(random() * parts.length)]).join('');
}

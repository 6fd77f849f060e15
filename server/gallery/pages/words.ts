/** What the document says before any script has arrived. */
import type { Language } from '../../platform/http/language.ts';

interface Words {
  albums: string;
  photoBy(name: string): string;
  signIn: string;
  photos: string;
  needsScript: string;
}

export const words: Record<Language, Words> = {
  en: {
    albums: 'Albums',
    photoBy: (name) => `Photo by ${name}`,
    signIn: 'Sign in',
    photos: 'Photos',
    needsScript: 'This page needs JavaScript. Photos and shared links open without it.',
  },
  'zh-CN': {
    albums: '相册',
    photoBy: (name) => `${name} 的照片`,
    signIn: '登录',
    photos: '照片',
    needsScript: '此页面需要 JavaScript。照片和分享链接无需它即可打开。',
  },
};

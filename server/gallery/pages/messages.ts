/** Texts of the documents, which browsers show before any script has arrived. */
import type { Language } from '../../platform/http/language.ts';

interface PageMessages {
  albums: string;
  photoBy(name: string): string;
  signIn: string;
  photos: string;
  needsScript: string;
  nothingHere: string;
  nothingHereText: string;
  toPhotos: string;
  /** Description of the gallery in the app manifest. */
  description: string;
  search: string;
  favorites: string;
}

export const pageMessages: Record<Language, PageMessages> = {
  en: {
    albums: 'Albums',
    photoBy: (name) => `Photo by ${name}`,
    signIn: 'Sign in',
    photos: 'Photos',
    needsScript: 'This page needs JavaScript. Photos and shared links open without it.',
    nothingHere: 'Nothing here',
    nothingHereText: 'This page does not exist, or it is not for you to see.',
    toPhotos: 'To the photos',
    description: 'Photos, albums and the people who made them.',
    search: 'Search',
    favorites: 'Favorites',
  },
  'zh-CN': {
    albums: '相册',
    photoBy: (name) => `${name} 的照片`,
    signIn: '登录',
    photos: '照片',
    needsScript: '此页面需要 JavaScript。照片和分享链接无需它即可打开。',
    nothingHere: '这里什么都没有',
    nothingHereText: '该页面不存在，或您无权查看。',
    toPhotos: '查看照片',
    description: '照片、相册，以及拍下它们的人。',
    search: '搜索',
    favorites: '收藏',
  },
};

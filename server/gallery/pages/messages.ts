/** Texts of the documents, which browsers show before any script has arrived. */
import type { Language } from '../../platform/http/language.ts';

interface PageMessages {
  albums: string;
  photoBy(name: string): string;
  /** Descriptions in link previews. */
  albumBy(name: string): string;
  photoCount(count: number): string;
  signIn: string;
  createAccount: string;
  /** Stands above the photos of the home page if the site has no welcome text. */
  visitorWelcome(name: string): string;
  photos: string;
  needsScript: string;
  oldBrowser: string;
  notFound: string;
  notFoundText: string;
  goToPhotos: string;
  /** Description of the gallery in the app manifest. */
  description: string;
  search: string;
  favorites: string;
  myPhotos: string;
  trash: string;
  explore: string;
  /** Name of the main navigation. */
  navigation: string;
}

export const pageMessages: Record<Language, PageMessages> = {
  en: {
    albums: 'Albums',
    photoBy: (name) => `Photo by ${name}`,
    albumBy: (name) => `Album by ${name}`,
    photoCount: (count) => `${count} ${count === 1 ? 'photo' : 'photos'}`,
    signIn: 'Sign in',
    createAccount: 'Create account',
    visitorWelcome: (name) => `Photos that the members of ${name} share with everyone.`,
    photos: 'Photos',
    needsScript: 'This page needs JavaScript. Photos and shared links work without it.',
    oldBrowser:
      'This browser is too old for this page. Update the browser, or use another one. Share links open in any browser.',
    notFound: 'Page not found',
    notFoundText: 'This page doesn’t exist, or you don’t have access.',
    goToPhotos: 'Go to photos',
    description: 'Your photo gallery.',
    search: 'Search',
    favorites: 'Favorites',
    myPhotos: 'My photos',
    trash: 'Trash',
    explore: 'Explore',
    navigation: 'Main',
  },
  'zh-CN': {
    albums: '相册',
    photoBy: (name) => `${name} 的照片`,
    albumBy: (name) => `${name} 的相册`,
    photoCount: (count) => `${count} 张照片`,
    signIn: '登录',
    createAccount: '注册账号',
    visitorWelcome: (name) => `${name} 的成员与所有人分享的照片。`,
    photos: '照片',
    needsScript: '此页面需要 JavaScript。照片和分享链接无需 JavaScript 也可打开。',
    oldBrowser:
      '此浏览器版本过旧，无法使用此页面。请更新浏览器，或使用其他浏览器。分享链接可在任何浏览器中打开。',
    notFound: '未找到页面',
    notFoundText: '此页面不存在，或您无权查看。',
    goToPhotos: '前往照片',
    description: '您的照片图库。',
    search: '搜索',
    favorites: '收藏',
    myPhotos: '我的照片',
    trash: '回收站',
    explore: '发现',
    navigation: '主导航',
  },
};

/** Texts of the pages of share links. */
import { addFinalPeriod } from '../../../platform/errors/catalogue.ts';
import type { Language } from '../../../platform/http/language.ts';

interface SharePageMessages {
  photo: string;
  photoBy(name: string): string;
  photos(count: number): string;
  albums(count: number): string;
  download: string;
  downloadAll: string;
  camera: string;
  aperture: string;
  shutter: string;
  size: string;
  close: string;
  next: string;
  previous: string;
  positionInAlbum(number: number, total: number): string;
  pages: string;
  pageNumber(page: number, pages: number): string;
  previousPage: string;
  nextPage: string;
  protected: string;
  protectedText: string;
  password: string;
  view: string;
  wrongPassword: string;
  tooManyTries(seconds: number): string;
  shared: string;
  viewsLeft(count: number): string;
  open: string;
  notFound: string;
  notFoundText: string;
  failed: string;
  /** Text for an unexpected error. `reason` is the API's error message, in English. */
  failedText(reason: string): string;
  sharedWith: string;
}

export const sharePageMessages: Record<Language, SharePageMessages> = {
  en: {
    photo: 'Photo',
    photoBy: (name) => `Photo by ${name}`,
    photos: (count) => `${count} ${count === 1 ? 'photo' : 'photos'}`,
    albums: (count) => `${count} ${count === 1 ? 'album' : 'albums'}`,
    download: 'Download',
    downloadAll: 'Download all (ZIP)',
    camera: 'Camera',
    aperture: 'Aperture',
    shutter: 'Shutter',
    size: 'Size',
    close: 'Close',
    next: 'Next photo',
    previous: 'Previous photo',
    positionInAlbum: (number, total) => `${number} of ${total}`,
    pages: 'Pages',
    pageNumber: (page, pages) => `Page ${page} of ${pages}`,
    previousPage: 'Previous',
    nextPage: 'Next',
    protected: 'This page is password-protected',
    protectedText: 'Enter the password that came with the link.',
    password: 'Password',
    view: 'View',
    wrongPassword: 'Wrong password. Try again.',
    tooManyTries: (seconds) => `Too many attempts. Try again in ${seconds} seconds.`,
    shared: 'Someone shared this with you',
    viewsLeft: (count) =>
      `You can open this link ${count === 1 ? 'once' : `${count} times`} more. After that, it stops working.`,
    open: 'Open',
    notFound: 'Link not found',
    notFoundText:
      'This link doesn’t exist, has expired or was revoked. Ask the person who shared it for a new one.',
    failed: 'Something went wrong',
    failedText: addFinalPeriod,
    sharedWith: 'Shared with Lightwell',
  },
  'zh-CN': {
    photo: '照片',
    photoBy: (name) => `${name} 的照片`,
    photos: (count) => `${count} 张照片`,
    albums: (count) => `${count} 个相册`,
    download: '下载',
    downloadAll: '全部下载（ZIP）',
    camera: '相机',
    aperture: '光圈',
    shutter: '快门',
    size: '尺寸',
    close: '关闭',
    next: '下一张',
    previous: '上一张',
    positionInAlbum: (number, total) => `第 ${number} 张，共 ${total} 张`,
    pages: '分页',
    pageNumber: (page, pages) => `第 ${page} 页，共 ${pages} 页`,
    previousPage: '上一页',
    nextPage: '下一页',
    protected: '此页面受密码保护',
    protectedText: '请输入随链接一起收到的密码。',
    password: '密码',
    view: '查看',
    wrongPassword: '密码错误，请重试。',
    tooManyTries: (seconds) => `尝试次数过多，请等待 ${seconds} 秒后重试。`,
    shared: '有人与您分享了内容',
    viewsLeft: (count) => `此链接还可打开 ${count} 次，之后将失效。`,
    open: '打开',
    notFound: '未找到链接',
    notFoundText: '此链接不存在、已过期，或已被分享者撤销。请向对方索取新的链接。',
    failed: '出错了',
    failedText: () => '请稍后重试。',
    sharedWith: '通过 Lightwell 分享',
  },
};
